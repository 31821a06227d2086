"""What a needle set puts into a context, in which order, with its token counts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, Protocol, TypeVar

from niah.cases.case import NeedleOrder
from niah.errors import CaseError
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Distractor, Hardness, Needle, NeedleSet, Passage
from niah.text.costs import Costs
from niah.text.tokenizer import Tokenizer, get_tokenizer, token_at


class _Hard(Protocol):
    @property
    def hardness(self) -> Hardness: ...


_Unit = TypeVar("_Unit")
_Text = TypeVar("_Text", bound=_Hard)


def order_units(
    units: Sequence[_Unit], needle_set: NeedleSet, order: NeedleOrder, seed: int
) -> tuple[_Unit, ...]:
    """What the insertion rule places, in a case's order: as listed, or shuffled by its seed."""
    ordered = list(units)
    if order == "shuffled" and needle_set.keeps_order:
        problem = f"{needle_set.name} asks for what follows from the order of its needles."
        raise CaseError(problem, "Leave `order: shuffled` out of the suite.")
    if order == "shuffled":
        random.Random(f"{needle_set.name}|{seed}").shuffle(ordered)
    return tuple(ordered)


def nested_needles(passage: Passage, needle_set: NeedleSet) -> list[Needle]:
    """The needles inside a passage, in the order of its text."""
    inside = [needle for needle in needle_set.needles if needle.inside == passage.id]
    return sorted(inside, key=lambda needle: passage.text.index(needle.text))


def distractors_of_hardness(distractors: Sequence[_Text], hardness: Hardness | Literal["any"]) -> list[_Text]:
    """Those of that hardness, as listed; a case takes the first of them."""
    return [distractor for distractor in distractors if hardness in ("any", distractor.hardness)]


Role = Literal["needle", "passage", "distractor"]
_Item = TypeVar("_Item", Needle, Passage, Distractor)


@dataclass(frozen=True)
class NestedNeedle:
    """A needle inside a passage.

    Attributes:
        id, text, elements: as in the needle set.
        offset: characters of the passage before it.
        tokens: tokens of the passage before the one that holds its first character.
        bare: the same where the passage begins the context.
    """

    id: str
    text: str = field(repr=False)
    elements: tuple[str, ...]
    offset: int
    tokens: int
    bare: int


@dataclass(frozen=True)
class Insert:
    """A needle, a passage with needles, or a distractor, to be put into the background.

    Attributes:
        id, text, elements: as in the needle set.
        role: what it is.
        tokens: what it costs behind a space.
        bare: what it costs where a context begins with it.
        nested: the needles inside a passage.
        hardness: of a distractor.
    """

    id: str
    text: str = field(repr=False)
    elements: tuple[str, ...]
    role: Role
    tokens: int
    bare: int
    nested: tuple[NestedNeedle, ...] = ()
    hardness: Hardness = "medium"


@dataclass(frozen=True)
class Inserts:
    """A needle set, counted.

    Attributes:
        needle_set: as drawn by the seed.
        units: what the insertion rule places: the needles; the passages, where needles are nested; the
            distractors, where nothing answers the question.
        distractors: the other distractors.
        break_neutral: whether a blank line after any of them costs as much as a space.
        element_names: names and aliases of all elements that stand in needles, and those of a story's cast.
    """

    needle_set: NeedleSet
    units: tuple[Insert, ...]
    distractors: tuple[Insert, ...]
    break_neutral: bool
    element_names: tuple[str, ...]


@lru_cache(maxsize=256)
def count_inserts(name: str, seed: int, tokenizer_name: str) -> Inserts:
    """The needle set of that name as ``seed`` draws it. Raises UnknownName or ConfigError."""
    needle_set, tokenizer = load_needle_set(name, seed), get_tokenizer(tokenizer_name)
    costs = Costs(tokenizer)
    distractors = _distractors(needle_set, costs)
    if needle_set.passages:
        units = _passages(needle_set, costs, tokenizer)
    elif needle_set.needles:
        units = _needles(needle_set, costs)
    else:
        units, distractors = distractors, ()
    texts = [item.text for item in (*units, *distractors)]
    names = (*(name for element in needle_set.stated for name in element.names), *needle_set.cast)
    return Inserts(needle_set, units, distractors, bool(costs.break_neutral(texts).all()), names)


def choose_distractors(
    inserts: Inserts, number: int, hardness: Hardness | Literal["any"]
) -> tuple[Insert, ...]:
    """The first ``number`` distractors of that hardness, as listed. Raises CaseError.

    None where nothing answers the question: there all of them stand in the needles' places already.
    """
    if not inserts.needle_set.needles:
        return ()
    there = distractors_of_hardness(inserts.distractors, hardness)
    if number > len(there):
        which = "distractors" if hardness == "any" else f"{hardness} distractors"
        raise CaseError(
            f"asks for {number} {which}, and {inserts.needle_set.name} has {len(there)}.",
            "Ask for fewer, or write more.",
            "fewer distractors than asked for",
        )
    return tuple(there[:number])


def _needles(needle_set: NeedleSet, costs: Costs) -> tuple[Insert, ...]:
    return tuple(
        Insert(needle.id, needle.text, needle.elements, "needle", tokens, bare)
        for needle, tokens, bare in _with_counts(needle_set.needles, costs)
    )


def _distractors(needle_set: NeedleSet, costs: Costs) -> tuple[Insert, ...]:
    return tuple(
        Insert(item.id, item.text, _names(item), "distractor", tokens, bare, hardness=item.hardness)
        for item, tokens, bare in _with_counts(needle_set.distractors, costs)
    )


def _names(distractor: Distractor) -> tuple[str, ...]:
    return tuple(element.name for element in distractor.elements)


def _passages(needle_set: NeedleSet, costs: Costs, tokenizer: Tokenizer) -> tuple[Insert, ...]:
    return tuple(
        Insert(item.id, item.text, (), "passage", tokens, bare, nested=_nested(needle_set, item, tokenizer))
        for item, tokens, bare in _with_counts(needle_set.passages, costs)
    )


def _nested(needle_set: NeedleSet, passage: Passage, tokenizer: Tokenizer) -> tuple[NestedNeedle, ...]:
    text = passage.text
    spaced, bare = tokenizer.starts(f" {text}").tolist(), tokenizer.starts(text).tolist()
    return tuple(
        NestedNeedle(
            id=needle.id,
            text=needle.text,
            elements=needle.elements,
            offset=offset,
            tokens=token_at(spaced, f" {text}", offset + 1),
            bare=token_at(bare, text, offset),
        )
        for needle in nested_needles(passage, needle_set)
        for offset in (text.index(needle.text),)
    )


def _with_counts(items: Sequence[_Item], costs: Costs) -> Iterable[tuple[_Item, int, int]]:
    """Each with what it costs behind a space, and at a text's start."""
    texts = [item.text for item in items]
    return zip(items, costs.inside(texts).tolist(), costs.at_start(texts).tolist(), strict=True)
