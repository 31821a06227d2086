"""The plan of a context of sentences whose joints cost nothing, and that has no distractors."""

from __future__ import annotations

from bisect import bisect_right

from niah.cases.assembly.backgrounds.background import Background, Boundaries
from niah.cases.assembly.backgrounds.runs import LONGEST_BRIDGE, Runs
from niah.cases.assembly.lines.gaps import GapLayout, NoPlan


class SentenceLayout(GapLayout):
    """A context of plain sentences being laid out, from its first token on.

    Args:
        background: whose sentences are plain.
        haystack_tokens: H.
        boundaries: where it may stop for what is put in.
        opening: what its first sentence costs more where it stands than inside the haystack.
    """

    def __init__(
        self, background: Background, haystack_tokens: int, boundaries: Boundaries, opening: int
    ) -> None:
        super().__init__(background, haystack_tokens, boundaries.pieces, boundaries.tokens, opening)

    def close(self, tokens: int) -> None:
        """Lay sentences until the context has that many tokens. Raises NoPlan."""
        wanted, cursor = tokens - self._placed, self._cursor
        target, plain = self._laid + wanted, self._background.corpus.plain
        if wanted <= 0:
            raise NoPlan
        for at in range(bisect_right(self._stop_tokens, target) - 1, -2, -1):
            piece = max(self._stops[at], cursor) if at >= 0 else cursor
            rest = target - self._tokens[piece] if piece > cursor else wanted
            if rest > LONGEST_BRIDGE:
                break
            if rest:
                runs = self._background.runs_of(rest, is_end=True)
                if (run := next(self._unused(runs), None)) is not None:
                    return self._lay_last(piece, (run,))
            elif plain[piece - 1]:
                return self._lay_last(piece, ())
            if piece == cursor:
                break
        raise NoPlan

    def _runs_of(self, tokens: int) -> Runs:
        return self._background.runs_of(tokens, is_end=False)
