"""What texts cost side by side, next to what each costs where it was counted.

Pieces of a haystack are counted where they stand in it, inserts between two plain sentences. Where other text
comes next to them, tokens may merge, or a paragraph's end may go: the text around is encoded again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.cases.assembly.joins import LINE_END, leading_space
from niah.haystacks.corpus import Corpus
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 200
"""Characters on each side of a joint whose tokens are counted anew; far more than any token spans."""

_FURTHER = 100
"""Characters beyond them that are encoded too, so that what is counted does not begin or end the text."""


@dataclass(frozen=True)
class _Side:
    """Text on one side of a joint, as it stood where it was counted.

    Attributes:
        further: text on its far side.
        near: the text.
        tokens: those that begin in ``near`` there; behind an insert's joint, in the space before it too.
    """

    further: str
    near: str
    tokens: int


class TokenMerges:
    """Counts the joints of one context; ``head`` is the first sentence that P was reckoned with.

    Args:
        tokenizer: whose tokens count.
        corpus: the haystack that pieces are of.
        prompt_tokens: P of a context with that first and that last sentence.
        head, tail: the first and last sentence that P was reckoned with.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        corpus: Corpus,
        prompt_tokens: Callable[[str, str], int],
        head: str,
        tail: str,
    ) -> None:
        self._tokenizer = tokenizer
        self._corpus = corpus
        self._prompt_tokens = prompt_tokens
        self.head = head
        self._tail = tail
        self._expected = prompt_tokens(head, tail)
        self._left = lru_cache(maxsize=None)(self._left_side)
        self._right = lru_cache(maxsize=None)(self._right_side)
        self.extra = lru_cache(maxsize=None)(self._extra)

    def _extra(self, left: int | str, joint: str, right: int | str, left_out: int = 0) -> int | None:
        """Tokens that the joint adds to what its sides cost apart; None where one reaches over all of it.

        Args:
            left: what comes before: an insert's text, or the number of the piece behind the haystack text's
                last. The paragraph's end that it may have is left out.
            joint: what stands in between.
            right: what follows: an insert's text, or the number of a piece.
            left_out: characters of it that are left out.
        """
        before, after = self._left(left), self._right(right)
        near = before.near.rstrip(LINE_END) if isinstance(left, int) else before.near
        text = f"{before.further}{near}{joint}{after.near[left_out:]}"
        end = len(before.further) + len(near)
        border = len(text) - len(text[end:].lstrip())
        starts = self._tokenizer.starts(text + after.further)
        if not self._between(starts, end, border + 1):
            return None
        return self._between(starts, len(before.further), len(text)) - before.tokens - after.tokens

    def start(self, piece: int) -> int:
        """Tokens that a piece of the haystack costs more where the context begins with it."""
        side = self._right(piece)
        near = side.near[leading_space(self._corpus, piece) :]
        return self._between(self._tokenizer.starts(near + side.further), 0, len(near)) - side.tokens

    def end(self, left: int | str) -> int:
        """Tokens that a piece or insert costs more where the context ends with it."""
        side = self._left(left)
        near = side.near.rstrip(LINE_END) if isinstance(left, int) else side.near
        starts = self._tokenizer.starts(side.further + near)
        return self._between(starts, len(side.further), len(side.further) + len(near)) - side.tokens

    def fits_start(self, first: str) -> bool:
        """Whether a context that begins with ``first`` has the P that was reckoned with."""
        return self._prompt_tokens(first, self._tail) == self._expected

    def fits_end(self, last: str) -> bool:
        """Whether a context that ends with ``last`` has the P that was reckoned with."""
        return self._prompt_tokens(self.head, last) == self._expected

    def closing(self, last: str) -> int:
        """Tokens that P has more where the context ends with ``last``."""
        return self._prompt_tokens(self.head, last) - self._expected

    def _left_side(self, left: int | str) -> _Side:
        if isinstance(left, str):
            return self._side(BEFORE, f" {left}", AFTER, is_left=True)
        text, at = self._corpus.text, self._corpus.offsets[left]
        middle, start = max(0, at - NEAR), max(0, at - NEAR - _FURTHER)
        after = text[at : at + _FURTHER] or text[:_FURTHER]  # counted with the beginning behind it
        return self._side(text[start:middle], text[middle:at], after, is_left=True)

    def _right_side(self, right: int | str) -> _Side:
        if isinstance(right, str):
            spaced = self._side(BEFORE, f" {right}", AFTER, is_left=False)
            return replace(spaced, near=right)
        text, at = self._corpus.text, self._corpus.offsets[right]
        middle = at + NEAR
        before = text[max(0, at - _FURTHER) : at] or text[-_FURTHER:]
        return self._side(before, text[at:middle], text[middle : middle + _FURTHER], is_left=False)

    def _side(self, before: str, near: str, after: str, *, is_left: bool) -> _Side:
        starts = self._tokenizer.starts(before + near + after)
        tokens = self._between(starts, len(before), len(before) + len(near))
        return _Side(before if is_left else after, near, tokens)

    @staticmethod
    def _between(starts: NDArray[np.int64], first: int, last: int) -> int:
        return int(np.searchsorted(starts, last) - np.searchsorted(starts, first))
