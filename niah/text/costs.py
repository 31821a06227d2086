"""What a text costs inside a longer one, and where the tokens of a long text are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from niah.text.tokenizer import Tokenizer, count, token_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEFORE, AFTER = "It ends here.", " The end."
_LONGEST_WORD = 4_000  # characters of a word that is counted as a whole
_LONGEST = 2_000  # characters of a stretch that other texts may have
# Before a common word inside a sentence, where additive tokenizers begin a token.
_CUT = re.compile(r" the (?<=[a-z] the )(?=[a-z])")


class Costs:
    """Token costs of texts at the start of a longer text and inside it, as differences between two sentences.

    A text's own count is not always what it adds: some tokenizers put a space in front of all they read.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._before, self._both = count(tokenizer, BEFORE), count(tokenizer, BEFORE + AFTER)

    def inside(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): tokens that each text and the space before it add between two sentences."""
        return self._tokenizer.counts([f"{BEFORE} {text}{AFTER}" for text in texts]) - self._both

    def at_start(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): tokens that each text adds when a longer text begins with it."""
        return self._tokenizer.counts([f"{text}{AFTER}" for text in texts]) - (self._both - self._before)

    def start_neutral(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Shape (len(texts),): whether each, by its first word, costs as much behind a space as alone."""
        heads = [text.partition(" ")[0] for text in texts]
        words = [word for word in dict.fromkeys(heads) if len(word) <= _LONGEST_WORD]
        neutral = dict(zip(words, (self.inside(words) == self.at_start(words)).tolist(), strict=True))
        return np.array([neutral.get(head, False) for head in heads], dtype=bool)


class TokenPlaces:
    """Where the tokens of one text are; stretches inside sentences, which many share, are counted once."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        first, *others = _CUT.split(text) if tokenizer.additive else [text]
        stretches = [first, *(f" the {other}" for other in others)]
        self._tokenizer, self._text = tokenizer, text
        self._starts = [0, *accumulate(map(len, stretches))]
        counts = ((_counted if len(each) <= _LONGEST else count)(tokenizer, each) for each in stretches)
        self._before = [0, *accumulate(counts)]
        self.tokens = self._before[-1]

    def token_at(self, offset: int) -> int:
        """``niah.text.tokenizer.token_at`` of the text."""
        first = max(0, bisect_right(self._starts, offset - 1) - 1)
        start, behind = self._starts[first], bisect_right(self._starts, offset)
        near = self._text[start : self._starts[min(behind, len(self._starts) - 1)]]
        return self._before[first] + token_at(self._tokenizer.starts(near).tolist(), near, offset - start)


@lru_cache(maxsize=100_000)
def _counted(tokenizer: Tokenizer, stretch: str) -> int:
    return count(tokenizer, stretch)
