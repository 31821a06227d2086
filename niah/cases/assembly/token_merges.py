"""Whether texts cost as much side by side, and next to the prompt, as each does among plain sentences.

Where a tokenizer is known to cut its text before every space (cl100k, o200k) nothing needs checking. For any
other, the words on both sides of each joint of a context are encoded again.
"""

from __future__ import annotations

from collections.abc import Callable

from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer, count

_WINDOW = 8
"""Words on each side of a joint that are encoded; far more than any token spans."""


class TokenMerges:
    """Checks the joints of one context.

    Args:
        tokenizer: whose tokens count.
        prompt_tokens: P of a context with that first and that last sentence.
        head, tail: the first and last sentence that P was reckoned with.
    """

    def __init__(
        self, tokenizer: Tokenizer, prompt_tokens: Callable[[str, str], int], head: str, tail: str
    ) -> None:
        self._tokenizer = tokenizer
        self._prompt_tokens = prompt_tokens
        self._head = head
        self._tail = tail
        self._expected = prompt_tokens(head, tail)
        self._before = count(tokenizer, BEFORE)
        self._after = count(tokenizer, BEFORE + AFTER) - self._before

    def fit(self, left: str, right: str) -> bool:
        """Whether ``left``, a space and ``right`` cost what they cost apart, with any text around them."""
        if not left:
            return True
        left, right = _last_words(left), " ".join(right.split()[:_WINDOW])
        return (
            self._count(f"{left} {right}")
            == self._inside(left) + self._count(f"{BEFORE} {right}") - self._before
        )

    def fit_start(self, first: str) -> bool:
        """Whether a context that begins with ``first`` has the P that was reckoned with."""
        return self._prompt_tokens(first, self._tail) == self._expected

    def fit_end(self, last: str) -> bool:
        """Whether a context that ends with ``last`` has the P and the count that were reckoned with."""
        alone = self._count(_last_words(last)) == self._inside(_last_words(last))
        return alone and self._prompt_tokens(self._head, last) == self._expected

    def _inside(self, text: str) -> int:
        return self._count(f"{text}{AFTER}") - self._after

    def _count(self, text: str) -> int:
        return count(self._tokenizer, text)


def _last_words(text: str) -> str:
    return " ".join(text.split()[-_WINDOW:])
