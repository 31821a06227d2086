"""Exact mode: every unit exactly at its position, and distractors near theirs."""

from __future__ import annotations

from collections.abc import Sequence

from niah.cases.assembly.backgrounds.runs import LONGEST_RUN
from niah.cases.assembly.insertion_points import LEAST_GAP, InsertionPoint, no_room_for_distractors
from niah.cases.assembly.layout.context_layout import ContextLayout
from niah.cases.assembly.layout.laid_text import ContextSegment
from niah.errors import CaseError


def lay_out_exactly(layout: ContextLayout, stops: Sequence[InsertionPoint]) -> list[ContextSegment]:
    """Every unit exactly at its position, and exactly ``haystack_tokens`` in all. Raises CaseError."""
    waiting = [stop for stop in stops if stop.unit is None]
    for stop in stops:
        if stop.unit is None:
            break
        if waiting:
            waiting = _place_before(layout, waiting, stop.position)
        layout.go_to(stop.position, stop)
        layout.insert(stop)
    if waiting and _place_before(layout, waiting, layout.haystack_tokens, left=LEAST_GAP):
        raise no_room_for_distractors()
    layout.go_to(layout.haystack_tokens)
    return layout.text.segments


def _place_before(
    layout: ContextLayout, waiting: list[InsertionPoint], position: int, left: int = 0
) -> list[InsertionPoint]:
    """Put in the distractors that are due before ``position``; returns those that wait until after it.

    ``left`` haystack tokens at least come between the last of them and ``position``.
    """
    due = [stop for stop in waiting if stop.position < position]
    tokens = [sum(item.tokens for item in stop.inserts) for stop in due]
    late = [
        stop
        for number, stop in enumerate(due)
        if not _place(layout, stop, position - left - sum(tokens[number:]))
    ]
    return late + waiting[len(due) :]


def _place(layout: ContextLayout, stop: InsertionPoint, latest: int) -> bool:
    """Put a distractor near where it is asked, or at ``latest``, from where what follows can be reached."""
    if layout.text.placed <= stop.position <= latest - LONGEST_RUN // 2:
        layout.go_near(stop.position, stop)
    else:
        try:
            layout.go_to(latest, stop)
        except CaseError:
            return False
    layout.insert(stop)
    return True
