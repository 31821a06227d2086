"""Needle sets, as a YAML file holds them and as everything else uses them; how options are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr

from niah.files import FileModel, WrittenText
from niah.text.mentions import NameIndex, mentions

_Facts = Literal["single", "multi-needle", "multi-value", "multi-key", "multi-query", "multi-hop", "latent"]
_Whole = Literal["unanswerable", "conflicting", "aggregation", "story", "recall", "copy", "recall-all"]
QuestionKind = Literal[_Facts, _Whole]
BY_POSITION = ("copy", "recall-all")  # kinds whose answers are compared word by word, place by place
IN_ORDER = ("story", "recall", "recall-all")  # kinds that depend on the order of the needles in the text
Hardness = Literal["easy", "medium", "hard"]

HARDNESS = "hard: a needle with one attribute changed (of `from`); medium: reworded; easy: same matter."
NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


OneLine = Annotated[WrittenText, AfterValidator(one_line)]
"""Prose; however it is wrapped in the file, it becomes one line."""

Name = Annotated[str, Field(pattern=NAME, description="Lower-case words joined by hyphens.")]


class _Part(FileModel):
    """Code may give the values in the order of the fields, and they are not checked."""

    def __init__(self, *values: Any, **named: Any) -> None:
        made = self.model_construct(**dict(zip(type(self).model_fields, values, strict=False)), **named)
        self.__setstate__(made.__getstate__())

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # files are checked all the same

    def __init_subclass__(cls, *, init: bool = False) -> None:
        """Without an ``__init__`` of its own, as type checkers are told by ``init=False``."""


class Element(_Part, init=False):
    """One atomic piece of the reference answer, with other names that it may go by."""

    name: WrittenText = Field(description="As the text has it.")
    aliases: tuple[WrittenText, ...] = Field(default=(), description="Other ways to write it.")
    key: Annotated[str, Field(pattern=r"\w"), AfterValidator(one_line)] = Field(
        default="", description="What it answers for, where the question asks for several things by name."
    )
    # What is asked is the same either way, so digests leave it out.
    derived: bool = Field(default=False, repr=False, description="It follows from needles: a count, a yes.")

    @property
    def names(self) -> tuple[str, ...]:
        """The name, then the aliases."""
        return (self.name, *self.aliases)


class Needle(_Part, init=False):
    """A text that carries elements of the answer, or only bears on it."""

    id: Name = Field(default="", description="Default: needle-1, needle-2 ...")
    text: OneLine = Field(description="What goes into the haystack.")
    elements: tuple[str, ...] = Field(default=(), description="Names it carries. Default: those in its text.")
    inside: str = Field(default="", description="Id of the passage that holds the text word for word.")


class Passage(_Part, init=False):
    """A long passage that goes in in one piece, with several nested needles, or one, or none."""

    id: Name
    text: OneLine = Field(description="What goes into the haystack, its needles included.")
    elements: tuple[Element, ...] = Field((), repr=False, description="Wrong ones, outside its needles.")


class Distractor(_Part, init=False):
    """Text that looks like a needle and answers another question: written, or made from a needle."""

    id: Name
    text: Annotated[str, AfterValidator(one_line)] = Field("", description="What goes into the haystack.")
    elements: tuple[Element, ...] = Field(default=(), description="Wrong answers that it would plant.")
    hardness: Hardness = Field(default="medium", description=HARDNESS)
    from_: str = Field(default="", alias="from", repr=False, description="Id of the needle it is made from.")
    change: dict[str, str] = Field(default={}, repr=False, description="Phrases, and what takes their place.")

    def __hash__(self) -> int:
        return hash((self.id, self.text, self.elements))


_DIGESTED = (
    *("question", "answer", "elements", "needles", "distractors"),
    *("answer_tokens", "kind", "passages", "traps"),
)


class NeedleSet(_Part, init=False):
    """Question, reference answer, and where the answer hides. The file's name is the set's name."""

    description: str = Field(default="", description="One line for people.")
    kind: QuestionKind = Field("multi-needle", description="Default: single where one needle answers.")
    question: OneLine = Field(description="Asked after the context.")
    answer: OneLine = Field(description="The reference answer, in full sentences.")
    answer_tokens: int = Field(default=256, ge=8, description="Room that an answer needs.")
    elements: tuple[Element, ...] = Field((), description="What an answer names. Default: the answer.")
    options: tuple[WrittenText, ...] = Field(default=(), description="Answers to choose from: ['yes', 'no'].")
    ordered: bool = Field(default=False, description="The elements are asked for in the order listed.")
    needles: tuple[Needle, ...] = Field(default=(), description="Where the elements stand.")
    passages: tuple[Passage, ...] = Field(default=(), description="What needles are nested in, if they are.")
    distractors: tuple[Distractor, ...] = Field(default=(), description="Texts that mislead; taken in order.")
    traps: tuple[Element, ...] = Field(default=(), description="Wrong elements that the needles mention.")
    _name: str = PrivateAttr(default="")
    _cast: tuple[str, ...] = PrivateAttr(default=())
    _offered: float = PrivateAttr(default=0.0)

    def named(self, name: str, cast: tuple[str, ...] = (), offered: float = 0.0) -> NeedleSet:
        """Itself, called so, with the names of a story's cast, and of how many answers a guesser has one."""
        self._name, self._cast, self._offered = name, cast, offered
        return self

    @property
    def name(self) -> str:
        """As users call it: "rainbow-potion", "chain@3"."""
        return self._name

    @property
    def cast(self) -> tuple[str, ...]:
        """Names that no sentence of a haystack may mention: the answer follows from what is said of them."""
        return self._cast

    @property
    def offered(self) -> float:
        """Of how many answers a guesser takes one; 0 where a seed draws none to choose from."""
        return self._offered

    @property
    def stated(self) -> tuple[Element, ...]:
        """The elements that stand in needles, and so in no other text; not those that are derived."""
        return tuple(element for element in self.elements if not element.derived)

    @property
    def answering(self) -> tuple[str, ...]:
        """What no sentence of a haystack may mention: names that needles state, and a story's cast."""
        return (*(name for element in self.stated for name in element.names), *self._cast)

    def __hash__(self) -> int:
        return hash((self._name, self.question, self.answer))

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """What a sample's digest depends on."""
        yield "name", self._name
        for field in _DIGESTED:
            yield field, getattr(self, field)


class ElementFinder:
    """Finds which elements a text mentions; of thousands as fast as of ten."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self._elements, self._places = tuple(elements), dict[str, list[int]]()
        for place, element in enumerate(self._elements):
            for name in element.names:
                self._places.setdefault(name, []).append(place)
        self._index = NameIndex(self._places)

    def __call__(self, text: str) -> tuple[str, ...]:
        """Names of the elements that ``text`` mentions by name or alias, in the elements' order."""
        found = {name for name, _ in self._index.mentions(text, text.casefold())}
        places = {place for name in found for place in self._places[name]}
        return tuple(self._elements[place].name for place in sorted(places))


_AROUND_LETTERS = re.compile(r"\\boxed|[*_`\"'()\[\]{}.:]+")
_BETWEEN_LETTERS = re.compile(r"[,;/&+、]|\b(?:both|and|und|et|y)\b", re.IGNORECASE)

_UNITS = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"  # noqa: SIM905
    " seventeen eighteen nineteen".split()
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number_words(number: int) -> tuple[str, ...]:
    """A whole number in English words, up to ninety-nine; none above."""
    tens, units = divmod(number, 10)
    if number < len(_UNITS):
        return (_UNITS[number],)
    return (f"{_TENS[tens - 2]}-{_UNITS[units]}" if units else _TENS[tens - 2],) if number < 100 else ()


def question_with_options(question: str, options: Sequence[str]) -> str:
    """The question, and after it what to choose from, unless it says so itself."""
    if all(mentions(question, [option]) for option in options):
        return question
    return f"{question} Answer with one of these: {', '.join(options)}."


def listed_options(text: str, count: int) -> frozenset[int]:
    """The places, from 0, of the ``count`` options that a text lists: "BD", "(b) and (d)", "[[2]] [[4]]"."""
    bare = _AROUND_LETTERS.sub(" ", unicodedata.normalize("NFKC", text))
    parts = _BETWEEN_LETTERS.sub(" ", bare).split()
    if len(parts) == 1 and parts[0].isalpha() and parts[0].isupper():
        parts = list(parts[0])
    places = [int(part) - 1 if part.isdecimal() else ascii_uppercase.find(part.upper()) for part in parts]
    are_short = all(part.isdecimal() or len(part) == 1 for part in parts)
    return frozenset(places) if are_short and all(0 <= place < count for place in places) else frozenset()
