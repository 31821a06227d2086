"""Where tokens are in texts that share most of their words: a stretch that many have is tokenised once.

The cases of a suite share one haystack. Where a tokenizer is additive, their contexts are cut inside
sentences, at spaces between two words. Wherever sentences meet, and needles begin and end, it reads over the
joint.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from niah.text.tokenizer import Tokenizer, token_at

# Before a common word, where it is neither the first of its sentence nor the last: texts that have the same
# words are cut into the same stretches, wherever these are.
_CUT = re.compile(r" the (?<=[a-z] the )(?=[a-z])")
_MOST_CHARACTERS = 20_000_000
# A longer stretch is none that other texts have.
_LONGEST = 20_000


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
    counts = _counted(tokenizer, stretches)
    return TokenPlaces(tokenizer, stretches, [0, *accumulate(map(len, stretches))], [0, *accumulate(counts)])


@dataclass
class _Known:
    counts: dict[str, int] = field(default_factory=dict)
    characters: int = 0


@lru_cache(maxsize=4)
def _known(tokenizer: Tokenizer) -> _Known:
    return _Known()


def _counted(tokenizer: Tokenizer, stretches: Sequence[str]) -> list[int]:
    """Tokens of each stretch; those of short ones are remembered."""
    known = _known(tokenizer)
    new = [stretch for stretch in dict.fromkeys(stretches) if stretch not in known.counts]
    found = dict(zip(new, tokenizer.counts(new).tolist(), strict=True))
    counts = [found[each] if each in found else known.counts[each] for each in stretches]
    kept = {stretch: tokens for stretch, tokens in found.items() if len(stretch) <= _LONGEST}
    known.characters += sum(map(len, kept))
    if known.characters > _MOST_CHARACTERS:
        known.counts, known.characters = {}, sum(map(len, kept))
    known.counts |= kept
    return counts
