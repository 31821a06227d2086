"""What a piece of text costs inside a longer one.

A text's own token count is not always what it adds to a context: some tokenizers put a space in front of
whatever they read. So costs are differences, taken between two plain sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.text.tokenizer import Tokenizer, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEFORE, AFTER = "It ends here.", " The end."
_LONGEST_WORD = 4_000
"""Characters of a word that is counted as a whole."""


class Costs:
    """Token costs of texts at the start of a longer text and inside it."""

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
        """Shape (len(texts),): whether each costs as much behind a space as where a text begins.

        Only first words are looked at: what follows costs the same in both places. One of endless length (an
        image in base64) is taken for one that does not.
        """
        heads = [text.partition(" ")[0] for text in texts]
        words = [word for word in dict.fromkeys(heads) if len(word) <= _LONGEST_WORD]
        neutral = dict(zip(words, (self.inside(words) == self.at_start(words)).tolist(), strict=True))
        return np.array([neutral.get(head, False) for head in heads], dtype=bool)
