"""Where a context stops its background to put something in: each unit, each distractor, by its rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from niah.cases.assembly.inserts import Insert
from niah.cases.case import DistractorDepth
from niah.errors import CaseError

NO_ROOM_FOR_DISTRACTORS = "no room for the distractors"

LEAST_GAP = 48
"""Haystack tokens that must be left between a group and the next, so that whole sentences can fill them."""


def no_room_for_distractors() -> CaseError:
    """That some of them find no place in the text."""
    remedy = "Ask for fewer, or for a greater context length."
    return CaseError("no room for all distractors.", remedy, NO_ROOM_FOR_DISTRACTORS)


class InsertionPoint(NamedTuple):
    """Inserts that stand side by side.

    Attributes:
        position: haystack tokens before the first of them.
        inserts: in the order of the text.
        unit: which of them the insertion rule places, by its place in ``inserts``; None for distractors
            alone, which go to a sentence boundary nearby.
    """

    position: int
    inserts: tuple[Insert, ...]
    unit: int | None = None


def spread_evenly(first: int, last: int, items: int) -> list[int]:
    """Positions of ``items`` distractors, evenly between two positions and none at either."""
    return [first + (2 * i + 1) * (last - first) // (2 * items) for i in range(items)]


def insertion_points(
    units: Sequence[Insert],
    positions: Sequence[int],
    distractors: Sequence[Insert],
    rule: DistractorDepth,
    haystack_tokens: int,
) -> list[InsertionPoint]:
    """Every stop, units first, each kind in the order of the text.

    Distractors stand evenly spread over the whole context, or over what comes before the first unit or after
    the last, or right next to the units in turn. Raises CaseError where there is no room for that.

    Args:
        units: needles or passages.
        positions: haystack tokens before each unit.
        distractors: those the case asks for.
        rule: "spread", "near", "before" or "after".
        haystack_tokens: H.
    """
    if rule == "near" and distractors:
        return _next_to_units(units, positions, distractors, haystack_tokens)
    stops = [InsertionPoint(at, (unit,), 0) for at, unit in zip(positions, units, strict=True)]
    if not distractors:
        return stops
    first = positions[-1] if rule == "after" else 0
    last = positions[0] if rule == "before" else haystack_tokens
    if sum(item.tokens for item in distractors) > last - first:
        where = {"before": "before the first needle", "after": "after the last needle"}.get(rule, "in all")
        raise CaseError(
            f"no room for its distractors {where}: {last - first} haystack tokens.",
            "Ask for fewer, for another depth, or for a greater context length.",
            NO_ROOM_FOR_DISTRACTORS,
        )
    places = spread_evenly(first, last, len(distractors))
    return stops + [InsertionPoint(at, (item,)) for at, item in zip(places, distractors, strict=True)]


def _next_to_units(
    units: Sequence[Insert], positions: Sequence[int], distractors: Sequence[Insert], haystack_tokens: int
) -> list[InsertionPoint]:
    """One stop a unit. The first round of distractors comes right after units, the second right before."""
    k = len(units)
    edges = [0, *positions, haystack_tokens]
    gaps = [after - before for before, after in pairwise(edges)]
    sides: list[tuple[list[Insert], list[Insert]]] = [([], []) for _ in units]
    for number, item in enumerate(distractors):
        rounds = (1, 0) if number // k % 2 == 0 else (0, 1)
        choices = [((number + step) % k, side) for side in rounds for step in range(k)]
        unit, side = next(
            ((unit, side) for unit, side in choices if gaps[unit + side] - item.tokens >= LEAST_GAP), (0, -1)
        )
        if side < 0:
            raise CaseError(
                f"no room next to the needles for distractor {item.id}.",
                "Ask for fewer, for another depth, or for a greater context length.",
                NO_ROOM_FOR_DISTRACTORS,
            )
        gaps[unit + side] -= item.tokens
        sides[unit][side].append(item)
    return [
        InsertionPoint(at - sum(item.tokens for item in before), (*before, unit, *after), len(before))
        for at, unit, (before, after) in zip(positions, units, sides, strict=True)
    ]
