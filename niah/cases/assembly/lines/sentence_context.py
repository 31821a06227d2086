"""A case whose context is sentences whose joints cost nothing: written without counting anything anew."""

from __future__ import annotations

from collections.abc import Sequence

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints.joins import (
    LINE_END,
    before_insert,
    before_piece,
    held_after,
    leading_space,
    trailing_break,
)
from niah.cases.assembly.lines.gaps import FilledGap, NoPlan, use_in_gaps
from niah.cases.assembly.lines.sentence_layout import SentenceLayout
from niah.cases.assembly.placing import place_units
from niah.cases.assembly.room import TokenAllocation
from niah.cases.assembly.series import CaseSeries
from niah.cases.context import Context


def sentence_layout(series: CaseSeries, background: Background, room: TokenAllocation) -> SentenceLayout:
    """What lays out a context of sentences in exact mode. Raises NoPlan where something has to be measured.

    Args:
        series: of the case.
        background: whose sentences are plain.
        room: how many tokens the haystack gets, and where the units stand.
    """
    opening: int | None = 0
    if not background.corpus.neutral_start[0]:
        opening = background.opening if room.positions[0] else _opening_behind(series.units[0], background)
    if opening is None:
        raise NoPlan
    boundaries = background.loose if series.inserts.break_neutral else background.strict
    return SentenceLayout(background, room.haystack_tokens, boundaries, opening)


def _opening_behind(unit: Insert, background: Background) -> int | None:
    """What the first sentence costs more behind a unit; None where no token border stands between them."""
    joint, left_out = before_piece(background.corpus, 0, "")
    following = joint + background.corpus.text[left_out : left_out + 2]
    if unit.text[-1:].isspace() or following[0] != " " or following[1:2].isspace():
        return None
    return background.joint_costs.extra(unit.text, joint, 0, left_out)


def write_sentences(
    series: CaseSeries,
    background: Background,
    gaps: Sequence[FilledGap],
    starts: Sequence[int],
    room: TokenAllocation,
) -> Context:
    """The context of sentences that was laid out so; the arguments are those of ``write_lines``.

    A paragraph's end before a needle is held back until the background goes on.
    """
    corpus, cursor, length, held, parts, begins = background.corpus, 0, 0, "", list[str](), list[int]()
    text, offsets, is_start, add = corpus.text, corpus.offsets, corpus.is_start, parts.append
    for (piece, runs), (insert, spaced) in zip(gaps, (*series.spaced_texts, ("", "")), strict=True):
        for first, last in ((cursor, piece), *runs) if piece > cursor else runs:
            begin, end = offsets[first], offsets[last]
            if not parts:
                begin += leading_space(corpus, first)
            elif is_start[first] or held == LINE_END or text[begin] != " ":  # most bring their own space
                joint, left_out = before_piece(corpus, first, held)
                add(joint)
                length += len(joint)
                begin += left_out
            if text[end - 1] == LINE_END or (held and is_start[first]) or held == LINE_END:
                own = trailing_break(text, end)
                end -= len(own)
                held = held_after(corpus, first, own, held)
            add(text[begin:end])
            length += end - begin
        cursor = piece
        if not parts:
            spaced = insert
        elif held == LINE_END:
            spaced = before_insert(corpus, held) + insert
        add(spaced)
        length += len(spaced)
        begins.append(length - len(insert))
    return Context(
        text="".join(parts[:-1]),
        tokens=room.tokens,
        prompt_tokens=room.prompt_tokens,
        **place_units(series.columns, begins[:-1], starts),
        **use_in_gaps(background, gaps),
    )
