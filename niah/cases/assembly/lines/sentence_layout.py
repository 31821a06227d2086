"""The plan of a context of sentences whose joints cost nothing, and that has no distractors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from niah.cases.assembly.background import LONGEST_BRIDGE, Background, Boundaries, Runs, Stretch
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.layout import ContextSegment
from niah.cases.assembly.lines.gaps import GapLayout, NoPlan
from niah.cases.assembly.lines.line_costs import LineCosts
from niah.cases.assembly.room import TokenAllocation
from niah.text.tokenizer import Tokenizer


def has_plain_sentences(background: Background, tokenizer: Tokenizer) -> bool:
    """Whether a context may begin with the haystack, which stops and goes on without changing a count."""
    corpus = background.corpus
    plain = tokenizer.additive and tokenizer.cuts_at_spaces and not corpus.keeps_lines
    return plain and bool(corpus.neutral_start[0])


def lay_out_sentences(
    background: Background,
    boundaries: Boundaries,
    units: Sequence[Insert],
    room: TokenAllocation,
) -> list[ContextSegment] | None:
    """The segments of a context in exact mode; None where something has to be measured.

    Args:
        background: whose sentences are plain.
        boundaries: where it may stop for these units.
        units: what the insertion rule places, in the order of the text.
        room: how many tokens the haystack gets, and where the units stand.
    """
    layout = _SentenceLayout(background, room.haystack_tokens, boundaries.pieces, boundaries.tokens)
    starts, costs, before = list[int](), list[LineCosts](), 0
    for unit, position in zip(units, room.positions, strict=True):
        starts.append(position + before)
        own = unit.tokens if starts[-1] else unit.bare
        costs.append(LineCosts(own, 0, 0))
        before += own
    try:
        layout.insert(costs, starts)
        layout.close(room.haystack_tokens + before)
    except NoPlan:
        return None
    segments, cursor = list[ContextSegment](), 0
    for at, (piece, runs) in enumerate(layout.gaps):
        if piece > cursor:
            segments.append(Stretch(cursor, piece))
            cursor = piece
        segments += (Stretch(*run) for run in runs)
        segments += units[at : at + 1]
    return segments


class _SentenceLayout(GapLayout):
    """Of plain sentences."""

    def close(self, tokens: int) -> None:
        """Lay sentences until the context has that many tokens. Raises NoPlan."""
        wanted, cursor = tokens - self._placed, self._cursor
        target, plain = self._tokens[cursor] + wanted, self._background.corpus.plain
        if wanted <= 0:
            raise NoPlan
        for at in range(bisect_right(self._stop_tokens, target) - 1, -2, -1):
            piece = max(self._stops[at], cursor) if at >= 0 else cursor
            rest = target - self._tokens[piece]
            if rest > LONGEST_BRIDGE:
                break
            if rest:
                runs = self._background.runs_of(rest, is_end=True)
                if (run := next(self._unused(runs), None)) is not None:
                    return self._lay(piece, (run,))
            elif plain[piece - 1]:
                return self._lay(piece, ())
            if piece == cursor:
                break
        raise NoPlan

    def _runs_of(self, tokens: int) -> Runs:
        return self._background.runs_of(tokens, is_end=False)
