"""What a needle set is: question, reference answer, needles, elements, distractors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

QuestionKind = Literal[
    "single",
    "multi-needle",
    "multi-value",
    "multi-key",
    "multi-query",
    "multi-hop",
    "latent",
    "unanswerable",
    "conflicting",
    "aggregation",
    "story",
    "recall",
]
Hardness = Literal["easy", "medium", "hard"]


@dataclass(frozen=True)
class Element:
    """One atomic piece of the reference answer, with other names it may go by.

    Attributes:
        name: as the text has it.
        aliases: other names that count as well.
        key: what the element answers for ("copper gate"), where the question asks for several things by
            name; either every element of a set has one, or none.
        derived: whether it follows from the needles and need not stand in them: a count, a yes. What is asked
            is the same either way, so the digest of a needle set leaves it out.
    """

    name: str
    aliases: tuple[str, ...] = ()
    key: str = ""
    derived: bool = field(default=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The name, then the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Needle:
    """A passage that carries elements of the answer, or only bears on it.

    Attributes:
        id: its name within the set.
        text: one line.
        elements: names of the elements it carries; none for a link of a chain, or for supporting text.
        inside: id of the long passage that holds ``text`` word for word; "" for a needle that stands alone.
    """

    id: str
    text: str
    elements: tuple[str, ...]
    inside: str = ""


@dataclass(frozen=True)
class Passage:
    """A long passage that goes into the haystack in one piece, with several nested needles, one or none."""

    id: str
    text: str


@dataclass(frozen=True)
class Distractor:
    """Text that looks like a needle and answers another question.

    Attributes:
        id: its name within the set.
        text: one line.
        elements: the wrong answers it would plant in a misled reader.
        hardness: "hard" reads like a needle with one attribute changed; "medium" says in words of its own
            what a needle might; "easy" is only about the same matter.
    """

    id: str
    text: str
    elements: tuple[Element, ...] = ()
    hardness: Hardness = "medium"


@dataclass(frozen=True)
class NeedleSet:
    """Question, reference answer, and where the answer hides.

    Attributes:
        name: as users call it ("rainbow-potion").
        question: asked after the context.
        answer: the reference answer, in full sentences.
        elements: what a complete answer names; none where the question cannot be answered.
        needles: in listed order; together they carry every element.
        distractors: may be empty.
        answer_tokens: room an answer needs; readers get at least this many tokens.
        kind: what the question asks of a reader.
        passages: the long passages that hold nested needles; empty, or every needle is inside one.
        traps: wrong elements that the needles themselves mention (words that are not among the most common).
        ordered: whether the elements are asked for in their order, which then is part of a right answer.
        options: the answers that the question lets a reader choose from, the element's name among them.
        cast: names that no sentence of a haystack may mention: the answer follows from what is told of them.
    """

    name: str
    question: str
    answer: str
    elements: tuple[Element, ...]
    needles: tuple[Needle, ...]
    distractors: tuple[Distractor, ...] = ()
    answer_tokens: int = 256
    kind: QuestionKind = "multi-needle"
    passages: tuple[Passage, ...] = ()
    traps: tuple[Element, ...] = ()
    ordered: bool = field(default=False, repr=False)
    options: tuple[str, ...] = field(default=(), repr=False)
    cast: tuple[str, ...] = field(default=(), repr=False)

    @property
    def keeps_order(self) -> bool:
        """Whether what is asked for depends on the order of the needles in the text."""
        return self.kind in ("story", "recall")

    @property
    def stated(self) -> tuple[Element, ...]:
        """The elements that stand in needles, and so in no other text; not those that are derived."""
        return tuple(element for element in self.elements if not element.derived)
