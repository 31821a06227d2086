"""Where units stand in a context: all of them at once where each stands where it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import Any, NamedTuple, TypedDict

from niah.cases.assembly.inserts import Insert, Role
from niah.cases.context import Placed

_PLACED: Callable[[Iterable[Any]], Placed] = partial(tuple.__new__, Placed)
"""``Placed._make`` without a step of Python's for each needle."""


class UnitColumns(NamedTuple):
    """Units of one role, in the order of the text, by their attributes.

    Attributes:
        role: of all of them.
        ids, texts, elements, hardnesses: of ``Placed``.
        lengths: characters of each.
        units: themselves.
    """

    role: Role
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    elements: tuple[tuple[str, ...], ...]
    hardnesses: tuple[str, ...]
    lengths: tuple[int, ...]
    units: tuple[Insert, ...]


def unit_columns(units: Sequence[Insert]) -> UnitColumns:
    """The columns of units: all needles, all passages, or all distractors."""
    role = units[0].role
    return UnitColumns(
        role,
        tuple(unit.id for unit in units),
        tuple(unit.text for unit in units),
        tuple(unit.elements for unit in units),
        tuple(unit.hardness if role == "distractor" else "" for unit in units),
        tuple(len(unit.text) for unit in units),
        tuple(units),
    )


class PlacedUnits(TypedDict):
    """Where units stand, by the names of ``Context``."""

    needles: tuple[Placed, ...]
    distractors: tuple[Placed, ...]
    passages: tuple[Placed, ...]


def place_units(columns: UnitColumns, begins: Sequence[int], starts: Sequence[int]) -> PlacedUnits:
    """Units that each stand where they were asked for.

    Args:
        columns: of the units.
        begins: characters of the context before each.
        starts: tokens of the context before each.
    """
    role, ids, texts, elements, hardnesses, lengths, units = columns
    ends = map(add, begins, lengths)
    placed = tuple(
        map(_PLACED, zip(ids, texts, elements, begins, ends, starts, starts, hardnesses, strict=True))
    )
    if role == "needle":
        return PlacedUnits(needles=placed, distractors=(), passages=())
    if role == "distractor":
        return PlacedUnits(needles=(), distractors=placed, passages=())
    inside = [placed_inside(unit, item, not item.start) for unit, item in zip(units, placed, strict=True)]
    return PlacedUnits(needles=tuple(chain.from_iterable(inside)), distractors=(), passages=placed)


def placed_inside(item: Insert, passage: Placed, opens: bool) -> Iterator[Placed]:
    """The needles of a passage that stands there; ``opens`` says whether the context begins with it."""
    for needle in item.nested:
        tokens = needle.bare if opens else needle.tokens
        start = passage.start + needle.offset
        yield Placed(
            needle.id,
            needle.text,
            needle.elements,
            start,
            start + len(needle.text),
            passage.token_start + tokens,
            passage.asked_token + tokens,
        )
