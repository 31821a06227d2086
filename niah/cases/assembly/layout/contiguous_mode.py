"""Contiguous mode: one unbroken passage, every stop at the last boundary before its position."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from niah.cases.assembly.backgrounds.runs import LONGEST_RUN, Stretch
from niah.cases.assembly.insertion_points import InsertionPoint, no_room_for_distractors
from niah.cases.assembly.layout.context_layout import ContextLayout
from niah.cases.assembly.layout.laid_text import ContextSegment
from niah.errors import CaseError
from niah.haystacks.corpus import Corpus


def lay_out_contiguously(layout: ContextLayout, stops: Sequence[InsertionPoint]) -> list[ContextSegment]:
    """Every stop at the last boundary before its position, one unbroken passage, never over.

    A distractor that would push a needle behind its position stands before it in full, or behind it.

    Raises CaseError, also where one sentence is so long that most of what the haystack gets stays empty.
    """
    for stop in _clear_of_units(stops, layout.haystack_tokens):
        layout.go_closest(stop.position, stop)
        layout.insert(stop)
    if layout.text.placed > layout.haystack_tokens:
        raise no_room_for_distractors()
    layout.go_closest(layout.haystack_tokens)
    layout.joints.check_edges()
    short = layout.haystack_tokens - layout.text.placed
    if short > max(LONGEST_RUN, layout.haystack_tokens // 2):
        raise CaseError(
            f"the next sentence of the haystack is too long for the {short:,} tokens that are left of "
            f"{layout.haystack_tokens:,}.",
            f"Use a greater context length or another haystack. {layout.describe_pieces()}",
            "no whole sentence fits",
        )
    return layout.text.segments


def _clear_of_units(stops: Sequence[InsertionPoint], haystack_tokens: int) -> list[InsertionPoint]:
    """The stops by position, distractors moved forward so that none pushes a unit, or the end, back.

    Distractors are part of the haystack: one of n tokens at p pushes what is asked at p + 1 to p + n.
    Raises CaseError where there is no room for all.
    """
    moved = [stop for stop in stops if stop.unit is not None]
    edges = [0, *sorted(stop.position for stop in moved), haystack_tokens]
    limit = haystack_tokens
    for stop in sorted((stop for stop in stops if stop.unit is None), key=_position, reverse=True):
        tokens, at = sum(item.tokens for item in stop.inserts), stop.position
        while True:  # until it fits between two units
            behind = bisect_right(edges, at, hi=len(edges) - 1)
            limit = min(limit, edges[behind])
            at = min(at, limit - tokens)
            if at >= edges[behind - 1]:
                break
            at = edges[behind - 1] - tokens
            if at < 0:
                raise no_room_for_distractors()
        moved.append(stop._replace(position=at))
        limit -= tokens
    return sorted(moved, key=_position)


def _position(stop: InsertionPoint) -> int:
    return stop.position


def last_sentence(corpus: Corpus, segments: Sequence[ContextSegment]) -> str:
    """What a context ends with."""
    last = segments[-1]
    return corpus.slice(last.last - 1, last.last).strip() if isinstance(last, Stretch) else last.text


def pieces_before_inserts(segments: Sequence[ContextSegment]) -> list[int]:
    """How many pieces stand before each insert of an unbroken layout, and in all."""
    pieces, reached = list[int](), 0
    for segment in segments:
        if isinstance(segment, Stretch):
            reached = segment.last
        else:
            pieces.append(reached)
    return [*pieces, reached]
