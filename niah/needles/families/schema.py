"""Families as people write them: templates, the slots in them, and what is drawn into the slots."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, PrivateAttr, Tag, model_validator

from niah.files import FileModel
from niah.needles.needle_set import Name, OneLine, QuestionKind
from niah.needles.stories import TASKS

MOST = 100_000  # needles of one set: more than any context holds, few enough for a machine's memory
SUMS = 3  # names for which sums are asked
_WAYS = ("needles", "chain", "graph", "tally", "riddles", "story", "conversation", "repeated")
_ELEMENT = "`element` names the slot that is asked for; a story, a conversation or `repeated` has none."
_COMPUTE = "`compute` goes with `needles` and `kind: aggregation`, without `key` and `nested`."

Templates = tuple[OneLine, ...]
_Pool = Annotated[Templates, Field(min_length=2)]


class FamilySlot(FileModel):
    """What is drawn into a slot, if not a name from a lexicon: exactly one of these."""

    number: tuple[int, int] | None = Field(default=None, description="A whole number: least, greatest.")
    one_of: tuple[str, ...] = Field(default=(), description="One of these.")
    hex: int | None = Field(default=None, ge=4, le=32, description="So many hexadecimal digits.")
    uuid: bool = Field(default=False, description="A UUID: 32 hexadecimal digits in five groups.")
    letters: int | None = Field(default=None, ge=8, le=64, description="So many letters, small and capital.")
    capitals: int | None = Field(default=None, ge=4, le=32, description="So many capital letters.")
    joined: tuple[str, ...] = Field(default=(), description="Lexicons: a name of each, with hyphens.")
    coined: tuple[_Pool, ...] = Field(default=(), description="The parts of a coined word, one of each list.")
    date: tuple[datetime.date, datetime.date] | None = Field(default=None, description="A day: first, last.")

    @model_validator(mode="after")
    def _one_thing(self) -> FamilySlot:
        ways = [name for name in type(self).model_fields if getattr(self, name) not in (None, (), False)]
        if len(ways) != 1:
            raise ValueError(f"a slot is a lexicon's name, or one of {', '.join(type(self).model_fields)}.")
        numbers, days = self.number or (0, 1), self.date or (datetime.date.min, datetime.date.max)
        if numbers[0] >= numbers[1] or days[0] >= days[1]:
            first, last = getattr(self, ways[0])
            raise ValueError(f"`{ways[0]}` takes the least, then the greatest: {first} is not below {last}.")
        return self


# Told apart by type, so that a mistake in one is not reported as one in the other.
Slot = Annotated[
    Annotated[str, Tag("lexicon")] | Annotated[FamilySlot, Tag("drawn")],
    Discriminator(lambda slot: "lexicon" if isinstance(slot, str) else "drawn"),
    Field(description="The name of a lexicon (person, town, ...), or a number, choice or code."),
]
Slots = dict[str, Slot]


def choices_of(slot: Slot | None) -> tuple[str, ...]:
    """The choices of a slot that has some."""
    return () if slot is None or isinstance(slot, str) else slot.one_of


class Passages(FileModel):
    """Pools of sentences that long passages are composed of, around the sentences that carry the elements."""

    tokens: tuple[int, int] = Field(description="How many cl100k tokens a passage has: the least, the most.")
    each: Slots = Field(default={}, description="Slots drawn once for each passage.")
    openings: _Pool = Field(description="How a passage begins.")
    middles: Templates = Field(min_length=8, description="What stands between, in any order.")
    closings: _Pool = Field(description="How it ends.")


class Chain(FileModel):
    """A chain of statements: A leads to B, B to C, C has the value."""

    name: str = Field(description="The slot (of `each`) of what is linked.")
    value: str = Field(default="", description="The slot of what stands at the end, if it ends in a value.")
    links: Templates = Field(min_length=1, description="Templates with {{ this }} and {{ next }}.")
    ends: Templates = Field(default=(), description="Templates with {{ this }} and {{ value }}.")
    steps: bool = Field(default=False, description="All names behind the first are asked for, in order.")


class Graph(FileModel):
    """A directed graph, an edge a statement, and what is asked of it."""

    ask: Literal["frontier", "parents"] = Field(description="The nodes K steps from one; or its K parents.")
    name: str = Field(description="The slot (of `each`) of nodes.")
    edges: Templates = Field(min_length=1, description="Templates with {{ this }} and {{ next }}.")


class Tally(FileModel):
    """Entries that list words, some of them more often than others."""

    law: Literal["common", "zipf"] = Field(description="Some words in most entries; or Zipf's law, alpha 2.")
    asked: int = Field(default=3, ge=1, le=20, description="How many words are asked for, of the law common.")
    times: int | None = Field(default=None, ge=9, description="How often each comes, or in 4 of 5 entries.")
    entries: Templates = Field(min_length=1, description="Templates with {{ words }}, a list of words.")
    others: tuple[_Pool, ...] = Field(default=(), description="Parts of words for the haystack `entries`.")


class Compute(FileModel):
    """An answer that is worked out from what the needles say, as the seed draws it; no two are ever equal."""

    answer: Literal["greatest", "least", "ascending", "descending", "count", "commonest", "sums"] = Field(
        description="An element or all by number or date; how many have {{ counted }}; sums of three names."
    )
    of: str = Field(description="The slot (of `each`) that is compared, added or counted.")
    by: str = Field(default="", description="Of sums: the slot (of `each`) of the names that they are for.")

    @property
    def is_count(self) -> bool:
        """Whether needles are counted by their choices."""
        return self.answer in ("count", "commonest")


class Ask(FileModel):
    """A question about a story, and its reference answer."""

    question: OneLine
    answer: OneLine


class Riddle(Ask):
    """A question and a needle that have no word in common, only something that everybody knows."""

    needle: OneLine
    hard: Templates = Field(min_length=1, description="The same of somebody else, and not the answer.")


class Story(FileModel):
    """Facts that are told in order, as many as the set has needles, and a question that follows from them."""

    task: Literal[*TASKS] = Field(description="What is simulated.")  # type: ignore[valid-type]
    tell: dict[str, Templates] = Field(description="Templates by event of the task.")
    asks: dict[str, Ask] = Field(description="The task's questions; the seed picks one.")


class WritingForm(FileModel):
    """A form of writing: how it is asked for, and sentences that its pieces are made of."""

    ask: OneLine = Field(description="What the user says; with {{ topic }}.")
    openings: _Pool = Field(description="How a piece begins.")
    middles: _Pool = Field(description="One to three of them come between.")
    closings: _Pool = Field(description="How it ends.")


class Conversation(FileModel):
    """Turns of a user who asks for short pieces and an assistant who writes them."""

    marks: tuple[str, ...] = Field(min_length=1, description="Slots of `each`: the elements of a piece.")
    topics: Templates = Field(min_length=3)
    forms: dict[str, WritingForm] = Field(min_length=2, description="By the word for such a piece.")


class Repeated(FileModel):
    """A word K times, one of them changed; all are to be copied."""

    words: tuple[tuple[str, str], ...] = Field(min_length=2, description="A word, and what changes it.")
    text: OneLine = Field(description="Template with {{ words }}.")


class Family(FileModel):
    """A family of needle sets. The file's name is the family's name; NAME@K is its set of K needles.

    Templates are Jinja2. {{ slot }} puts in what was drawn; the filters are `a` ("an opal ring") and
    `capital`. Question and answer also know {{ k }}, {{ elements }} and, where there are keys, {{ keys }};
    in a chain also {{ start }} and {{ value }}, in a graph {{ start }}; where the answer is computed,
    {{ value }}, the greatest or least number, {{ counted }}, the choice that is counted, or {{ totals }}.
    """

    description: str = Field(default="", description="One line for people.")
    languages: dict[str, dict[str, Any]] = Field(default={}, description="Keys by language: NAME-de@K.")
    across: str = Field(default="", description="A language for NAME-de-asked-in-en@K and the reverse.")
    kind: QuestionKind = Field(description="What the question asks of a reader.")
    most: int = Field(default=MOST, ge=1, le=MOST, description="The greatest K.")
    set: Slots = Field(default={}, description="Slots drawn once for the whole set.")
    each: Slots = Field(default={}, description="Slots drawn anew for each text.")
    element: str = Field(default="", description="The slot of `each` that is the element; stories have none.")
    key: str = Field(default="", description="The slot of `each` that the element answers for.")
    question: str = Field(default="", description="Asked after the context.")
    wordings: dict[Name, OneLine] = Field(default={}, description="Questions about one fact: NAME-WORDING@K.")
    answer: str = Field(default="", description="The reference answer.")
    needles: Templates = Field(default=(), description="Templates of needles that state one fact each.")
    older: Templates = Field(default=(), description="Of a conflicting family: the older statements.")
    chain: Chain | None = None
    graph: Graph | None = None
    tally: Tally | None = None
    compute: Compute | None = Field(default=None, description="How the answer follows from `needles`.")
    story: Story | None = Field(default=None, description="Events whose outcome is asked for.")
    conversation: Conversation | None = Field(default=None, description="One ask K times; a reply is wanted.")
    repeated: Repeated | None = Field(default=None, description="K words to copy, by position.")
    riddles: tuple[Riddle, ...] = Field(default=(), description="The seed picks one; K is 1.")
    passages: Passages | None = Field(default=None, description="For long or nested needles.")
    passages_of: str = Field(default="", description="Another family, whose passages serve here too.")
    nested: tuple[int, int] | None = Field(default=None, description="Needles in passages of so many tokens.")
    entries: Literal["prose", "lines"] | None = Field(default=None, description="For the haystack `entries`.")
    change: tuple[str, ...] = Field(default=(), description="Slots of `set` that hard distractors draw anew.")
    medium: Templates = Field(default=(), description="Distractors in words of their own.")
    easy: Templates = Field(default=(), description="Distractors about the same matter.")
    _name: str = PrivateAttr(default="")
    _salt: str = PrivateAttr(default="")

    @model_validator(mode="after")
    def _fits_together(self) -> Family:
        compute, asked = self.compute, self.question.strip() and self.answer.strip()
        has_passages = self.passages or self.passages_of
        by_key = self.kind in ("multi-key", "multi-query", "conflicting")
        others = self.chain or self.graph or self.key or self.change or self.conversation
        kinds: dict[str, object] = {"story": self.story, "recall": self.conversation}
        kinds |= {"conflicting": self.older, "copy": self.repeated}
        faults: list[tuple[object, str]] = [
            (sum(bool(getattr(self, way)) for way in _WAYS) != 1, f"it has one of {', '.join(_WAYS)}."),
            (not (asked or self.riddles or self.story), "`question` and `answer` are missing."),
            (bool(self.element) == bool(self.story or self.conversation or self.repeated), _ELEMENT),
            (by_key and not self.key, f"a family of the kind {self.kind} asks by key. Name its slot: `key`."),
            (self.nested and not (self.needles and has_passages), "`nested` needs `needles`, `passages`."),
            (self.entries and not others, "`entries` are turns, or statements of other keys or `change`."),
            (self.conversation and self.entries == "prose", "the `entries` of a `conversation` are `lines`."),
            (compute and not (self.needles and self.kind == "aggregation"), _COMPUTE),
            (compute and (self.key or self.nested), _COMPUTE),
            (compute and bool(compute.by) != (compute.answer == "sums"), "`by` goes with `answer: sums`."),
            (self.chain and self.chain.steps and self.chain.value, "`steps` of a `chain` have no `value`."),
        ]
        own = [(kind, (self.kind == kind) != bool(part)) for kind, part in kinds.items()]
        faults += [(is_wrong, f"`kind: {kind}` has its own parts.") for kind, is_wrong in own]
        for is_wrong, problem in faults:
            if is_wrong:
                raise ValueError(problem)
        if compute and self.most < self.fewest:
            raise ValueError(f"`most` is {self.most}; `answer: {compute.answer}` needs {self.fewest}.")
        return self

    def named(self, name: str, salt: str) -> Family:
        """Itself, called so; families of one ``salt`` draw the same facts."""
        self._name, self._salt = name, salt
        return self

    @property
    def name(self) -> str:
        """As users call it: "boats-de"."""
        return self._name

    @property
    def salt(self) -> str:
        """What its draws depend on besides the seed: its name, without the wording of the question."""
        return self._salt

    @property
    def fewest(self) -> int:
        """The least K: with fewer needles a computed answer would be the same for every seed."""
        if self.story:
            return TASKS[self.story.task].fewest
        if self.compute is None:
            return 1
        if self.compute.answer == "sums":
            return 2 * SUMS
        return 4 if self.compute.is_count else 2

    @property
    def passage_slots(self) -> Slots:
        """The slots of its passages."""
        return self.passages.each if self.passages else {}

    def __hash__(self) -> int:
        return hash((self._name, self.description, self.question))
