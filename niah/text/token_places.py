"""Where tokens are in texts that share most of their words: a stretch that many have is tokenised once.

The cases of a suite share one haystack. Where a tokenizer is additive, their contexts are cut inside
sentences, at spaces between two words; where sentences meet, and needles begin and end, it reads over the
joint.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from niah.text.tokenizer import Tokenizer, token_at

# Before a common word, where it is neither the first of its sentence nor the last: texts that have the same
# words are cut into the same stretches, wherever these are.
_CUT = re.compile(r" the (?<=[a-z] the )(?=[a-z])")
_LONGEST = 2_000
"""Characters of a stretch that other texts may have."""


@dataclass(frozen=True)
class TokenPlaces:
    """The tokens of one text, cut into stretches at borders of tokens.

    Attributes:
        tokenizer: that counts.
        stretches: of the text.
        starts: the character at which each stretch starts, and the text's end.
        before: the tokens before each stretch, and of the whole text.
    """

    tokenizer: Tokenizer
    stretches: Sequence[str]
    starts: Sequence[int]
    before: Sequence[int]

    @property
    def tokens(self) -> int:
        """Of the whole text."""
        return self.before[-1]

    def token_at(self, offset: int) -> int:
        """``niah.text.tokenizer.token_at`` of the text."""
        first = max(0, bisect_right(self.starts, offset - 1) - 1)
        near = "".join(self.stretches[first : bisect_right(self.starts, offset)])
        starts = self.tokenizer.starts(near).tolist()
        return self.before[first] + token_at(starts, near, offset - self.starts[first])


def token_places(tokenizer: Tokenizer, text: str) -> TokenPlaces:
    """The places of a text's tokens: those of ``Tokenizer.starts``."""
    first, *others = _CUT.split(text) if tokenizer.additive else [text]
    stretches = [first, *(f" the {other}" for other in others)]
    counts = [
        _count(tokenizer, stretch) if len(stretch) <= _LONGEST else len(tokenizer.encode(stretch))
        for stretch in stretches
    ]
    return TokenPlaces(tokenizer, stretches, [0, *accumulate(map(len, stretches))], [0, *accumulate(counts)])


@lru_cache(maxsize=200_000)
def _count(tokenizer: Tokenizer, stretch: str) -> int:
    return len(tokenizer.encode(stretch))
