"""A case whose context is nothing but lines: laid out and written without counting anything anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.lines.gaps import FilledGap, use_in_gaps
from niah.cases.assembly.lines.line_layout import LineLayout
from niah.cases.assembly.placing import place_units
from niah.cases.assembly.room import TokenAllocation
from niah.cases.assembly.series import CaseSeries
from niah.cases.context import Context
from niah.text.tokenizer import Tokenizer, count


def line_layout(
    series: CaseSeries, background: Background, room: TokenAllocation, *, two_runs: bool
) -> LineLayout:
    """What lays out a context of lines in exact mode.

    Args:
        series: of the case.
        background: where haystack lines come from.
        room: how many tokens the haystack gets, and where the units stand.
        two_runs: whether two runs may stand where one does not come out.
    """
    corpus, tokenizer = background.corpus, series.tokenizer

    def ending(piece: int) -> int | None:
        line = corpus.slice(piece - 1, piece).strip()
        if series.prompt_tokens(room.head, line) != room.prompt_tokens:
            return None
        return _tokens_of(tokenizer, line) - corpus.tokens[piece] + corpus.tokens[piece - 1]

    return LineLayout(background, room.haystack_tokens, ending, two_runs=two_runs)


@lru_cache(maxsize=8192)
def _tokens_of(tokenizer: Tokenizer, line: str) -> int:
    """Tokens of a line that nothing follows: they do not depend on the line before it."""
    return count(tokenizer, line)


def write_lines(
    series: CaseSeries,
    background: Background,
    gaps: Sequence[FilledGap],
    starts: Sequence[int],
    room: TokenAllocation,
) -> Context:
    """The context of lines that was laid out so.

    Args:
        series: of the case.
        background: where its haystack lines come from.
        gaps: what stands before each of its needles, and at the end.
        starts: tokens before each needle.
        room: that the haystack got.
    """
    cursor, length, parts, begins = 0, 0, list[str](), list[int]()
    text, offsets = background.corpus.text, background.corpus.offsets
    lines = series.lines.texts if series.lines else ()
    add = parts.append
    for (piece, runs), line in zip(gaps, (*lines, ""), strict=True):
        if piece > cursor:
            begin, end, cursor = offsets[cursor], offsets[piece], piece
            add(text[begin:end])
            length += end - begin
        for first, last in runs:
            begin, end = offsets[first], offsets[last]
            add(text[begin:end])
            length += end - begin
        begins.append(length)
        add(line)
        length += len(line)
    parts[-2:] = [parts[-2][:-1]]
    return Context(
        text="".join(parts),
        tokens=room.tokens,
        prompt_tokens=room.prompt_tokens,
        **place_units(series.columns, begins[:-1], starts),
        **use_in_gaps(background, gaps),
    )
