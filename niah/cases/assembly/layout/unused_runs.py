"""Runs of haystack text that a context has not used: they make its counts come out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from niah.cases.assembly.backgrounds.runs import Runs, Stretch
from niah.cases.assembly.layout.laid_text import LaidText
from niah.cases.assembly.layout.search_limits import MOST_RUNS


class UnusedRuns:
    """Runs from beyond what a context's background can reach.

    They are taken from the first piece on that the background, even unbroken, cannot come to, unless it
    repeats itself anyway.

    Args:
        text: as far as it is laid.
        haystack_tokens: H.
    """

    def __init__(self, text: LaidText, haystack_tokens: int) -> None:
        self._text = text
        self._reach = 0 if text.background.repeats else bisect_left(text.tokens, haystack_tokens)

    def anywhere(self, tokens: int) -> Iterator[Stretch]:
        """Some unused runs of that many tokens, begun and ended at any sentence."""
        if tokens > 0:
            yield from islice(self.among(self._text.background.runs_anywhere(tokens)), MOST_RUNS)

    def among(self, found: Runs) -> Iterator[Stretch]:
        """Those that this context has not used, the farthest first.

        Cases of one background, whatever their needles, depth and length, so share these few sentences.
        """
        used, reach = self._text.pieces_used, self._reach
        for first, last in found:
            if first < reach:
                return
            if used.isdisjoint(range(first, last)):
                yield Stretch(first, last)
