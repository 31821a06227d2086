"""What a needle set is: question, reference answer, needles, elements, distractors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Element:
    """One atomic piece of the reference answer, with other names it may go by.

    ``key`` is what the element answers for ("copper gate"), where the question asks for several things by
    name; either every element of a set has one, or none.
    """

    name: str
    aliases: tuple[str, ...] = ()
    key: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The name, then the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Needle:
    """A passage that carries one or more elements; ``elements`` are their names."""

    id: str
    text: str
    elements: tuple[str, ...]


@dataclass(frozen=True)
class Distractor:
    """Text that looks like a needle and answers another question.

    ``elements`` are the wrong answers it would plant in a misled reader.
    """

    id: str
    text: str
    elements: tuple[Element, ...] = ()


@dataclass(frozen=True)
class NeedleSet:
    """Question, reference answer, and where the answer hides.

    Attributes:
        name: as users call it ("rainbow-potion").
        question: asked after the context.
        answer: the reference answer, in full sentences.
        elements: what a complete answer names.
        needles: in listed order; together they carry every element.
        distractors: may be empty.
        answer_tokens: room an answer needs; readers get at least this many tokens.
    """

    name: str
    question: str
    answer: str
    elements: tuple[Element, ...]
    needles: tuple[Needle, ...]
    distractors: tuple[Distractor, ...] = ()
    answer_tokens: int = 256
