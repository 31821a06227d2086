"""What texts cost side by side, next to what each costs where it was counted.

Pieces of a haystack are counted where they stand in it, inserts between two plain sentences. Where other text
comes next to them, tokens may merge, or a paragraph's end may go: the text around is encoded again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.cases.assembly.joints.joins import LINE_END, leading_space, trailing_break
from niah.haystacks.corpus import Corpus
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 200
"""Characters on each side of a joint whose tokens are counted anew; far more than any token spans."""

_KEPT = 65_536
"""Joints of a haystack whose costs are kept: cases of it have many in common."""

_FURTHER = 100
"""Characters beyond them that are encoded too, so that what is counted does not begin or end the text."""


@lru_cache(maxsize=32_768)
def tokens_within(tokenizer: Tokenizer, before: str, near: str, after: str) -> int:
    """Tokens that begin in ``near``, between two other texts.

    Cases of one background ask for the same few texts over and over.
    """
    starts = tokenizer.starts(before + near + after)
    first, last = np.searchsorted(starts, [len(before), len(before) + len(near)])
    return int(last - first)


class _Side(NamedTuple):
    """Text on one side of a joint, as it stood where it was counted.

    Attributes:
        further: text on its far side.
        near: the text.
        counted: what stood before it, itself and what stood behind; of an insert behind a joint with the
            space before it.
    """

    further: str
    near: str
    counted: tuple[str, str, str]


class JointCosts:
    """Counts joints with the pieces of one haystack.

    Args:
        tokenizer: whose tokens count.
        corpus: the haystack that pieces are of.
    """

    def __init__(self, tokenizer: Tokenizer, corpus: Corpus) -> None:
        self._tokenizer = tokenizer
        self._corpus = corpus
        self._left = lru_cache(maxsize=_KEPT)(self._left_side)
        self._right = lru_cache(maxsize=_KEPT)(self._right_side)
        self.extra = lru_cache(maxsize=_KEPT)(self._extra)
        self.end = lru_cache(maxsize=_KEPT)(self._end)

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
        following = after.near[left_out:]
        if self._is_cut(near, joint, following):
            return self._ending_cost(left, near, joint) + self._beginning_cost(right, joint, following)
        text = f"{before.further}{near}{joint}{following}"
        end = len(before.further) + len(near)
        border = len(text) - len(text[end:].lstrip())
        starts = self._tokenizer.starts(text + after.further)
        if not self._between(starts, end, border + 1):
            return None
        tokens = self._between(starts, len(before.further), len(text))
        return tokens - self._tokens(before) - self._tokens(after)

    def _is_cut(self, near: str, joint: str, following: str) -> bool:
        """Whether a token border stands at the joint whatever its sides are: each can be counted alone.

        Either one space stands between two words, or one line end before a letter or digit.
        """
        if not near or near[-1].isspace() or not following:
            return False
        if joint == LINE_END:
            return self._tokenizer.cuts_at_lines and following[0].isalnum()
        spaced = joint + following
        return self._tokenizer.cuts_at_spaces and spaced[0] == " " and not spaced[1:2].isspace()

    def _ending_cost(self, left: int | str, near: str, joint: str) -> int:
        """What such a joint adds to its left side; nothing where the haystack has the same there."""
        lines = joint.strip(" ")
        if isinstance(left, int):
            text, at = self._corpus.text, self._corpus.offsets[left]
            goes_on = self._is_cut(near, "", text[at : at + 2]) if not lines else text[at : at + 1].isalnum()
            if goes_on and trailing_break(text, at) == lines:
                return 0
        side, following = self._left(left), AFTER.lstrip() if lines else AFTER
        return tokens_within(self._tokenizer, side.further, near + lines, following) - self._tokens(side)

    def _beginning_cost(self, right: int | str, joint: str, following: str) -> int:
        """What it adds to its right side, in the same way."""
        lines = joint.strip(" ")
        if isinstance(right, int):
            text, at = self._corpus.text, self._corpus.offsets[right]
            before = text[at - 1 : at] if at else ""
            begins_so = before == LINE_END if lines else not joint and before and not before.isspace()
            if begins_so and text.startswith(following[:2], at):
                return 0
        side, spaced = self._right(right), joint.removeprefix(lines) + following
        return tokens_within(self._tokenizer, BEFORE + lines, spaced, side.further) - self._tokens(side)

    def start(self, piece: int) -> int:
        """Tokens that a piece of the haystack costs more where the context begins with it."""
        side = self._right(piece)
        near = side.near[leading_space(self._corpus, piece) :]
        return tokens_within(self._tokenizer, "", near, side.further) - self._tokens(side)

    def _end(self, left: int | str) -> int:
        """Tokens that a piece or insert costs more where the context ends with it."""
        side = self._left(left)
        near = side.near.rstrip(LINE_END) if isinstance(left, int) else side.near
        return tokens_within(self._tokenizer, side.further, near, "") - self._tokens(side)

    def _left_side(self, left: int | str) -> _Side:
        if isinstance(left, str):
            return _Side(BEFORE, f" {left}", (BEFORE, f" {left}", AFTER))
        text, at = self._corpus.text, self._corpus.offsets[left]
        middle, start = max(0, at - NEAR), max(0, at - NEAR - _FURTHER)
        after = text[at : at + _FURTHER] or text[:_FURTHER]  # counted with the beginning behind it
        further, near = text[start:middle], text[middle:at]
        return _Side(further, near, (further, near, after))

    def _right_side(self, right: int | str) -> _Side:
        if isinstance(right, str):
            return _Side(AFTER, right, (BEFORE, f" {right}", AFTER))
        text, at = self._corpus.text, self._corpus.offsets[right]
        middle = at + NEAR
        before = text[max(0, at - _FURTHER) : at] or text[-_FURTHER:]
        near, further = text[at:middle], text[middle : middle + _FURTHER]
        return _Side(further, near, (before, near, further))

    def _tokens(self, side: _Side) -> int:
        """Tokens that begin in it where it stood; behind an insert's joint, in the space before it too."""
        return tokens_within(self._tokenizer, *side.counted)

    @staticmethod
    def _between(starts: NDArray[np.int64], first: int, last: int) -> int:
        return int(np.searchsorted(starts, last) - np.searchsorted(starts, first))


class TokenMerges:
    """Counts the joints of one context, and those of its edges with the prompt.

    Args:
        joints: of its haystack.
        prompt_tokens: P of a context with that first and that last sentence.
        head, tail: the first and last sentence that P was reckoned with.
    """

    def __init__(
        self, joints: JointCosts, prompt_tokens: Callable[[str, str], int], head: str, tail: str
    ) -> None:
        self.extra, self.start, self.end = joints.extra, joints.start, joints.end
        self._prompt_tokens = prompt_tokens
        self.head = head
        self._tail = tail
        self._expected = prompt_tokens(head, tail)

    def fits_start(self, first: str) -> bool:
        """Whether a context that begins with ``first`` has the P that was reckoned with."""
        return self._prompt_tokens(first, self._tail) == self._expected

    def fits_end(self, last: str) -> bool:
        """Whether a context that ends with ``last`` has the P that was reckoned with."""
        return self._prompt_tokens(self.head, last) == self._expected

    def closing(self, last: str) -> int:
        """Tokens that P has more where the context ends with ``last``."""
        return self._prompt_tokens(self.head, last) - self._expected
