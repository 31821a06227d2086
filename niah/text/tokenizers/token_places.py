"""Where tokens stand in texts that share most of their words: a stretch that many have is tokenised once.

The cases of a suite lie in one haystack. Where a tokenizer is additive, their contexts are cut inside
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
# words are cut into the same stretches, wherever these stand.
_CUT = re.compile(r" the (?<=[a-z] the )(?=[a-z])")
# Characters of stretches that are remembered, with each tokenizer.
_KEPT = 20_000_000
# A longer stretch is none that other texts have.
_LONGEST = 20_000


@dataclass(frozen=True)
class TokenPlaces:
    """The tokens of one text.

    Attributes:
        tokenizer: that counts.
        stretches: the text, cut at borders of tokens.
        starts: the character at which each stretch starts, and the text's end.
        before: the tokens before each stretch, and of the whole text.
    """

    tokenizer: Tokenizer
    stretches: Sequence[str]
    starts: Sequence[int]
    before: Sequence[int]
    _read: dict[str, list[int]] = field(default_factory=dict, repr=False)

    @property
    def tokens(self) -> int:
        """Of the whole text."""
        return self.before[-1]

    def token_at(self, offset: int) -> int:
        """``niah.text.tokenizer.token_at`` of the text."""
        first = max(0, bisect_right(self.starts, offset - 1) - 1)
        last = bisect_right(self.starts, offset)
        near = "".join(self.stretches[first:last])
        if near not in self._read:
            self._read[near] = self.tokenizer.starts(near).tolist()
        return self.before[first] + token_at(self._read[near], near, offset - self.starts[first])


def token_places(tokenizer: Tokenizer, text: str) -> TokenPlaces:
    """The places of a text's tokens: those that ``Tokenizer.starts`` says."""
    if not tokenizer.additive:
        starts = tokenizer.starts(text).tolist()
        return TokenPlaces(tokenizer, [text], [0, len(text)], [0, len(starts)], {text: starts})
    first, *others = _CUT.split(text)
    stretches = [first, *(f" the {other}" for other in others)]
    return TokenPlaces(
        tokenizer,
        stretches,
        [0, *accumulate(map(len, stretches))],
        [0, *accumulate(_counts_of(tokenizer).counts(stretches))],
    )


class _Counts:
    """How many tokens stretches have."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, int] = {}
        self._characters = 0

    def counts(self, stretches: Sequence[str]) -> list[int]:
        """Of each."""
        new = [stretch for stretch in set(stretches) if stretch not in self._known]
        found = dict(zip(new, self._tokenizer.counts(new).tolist(), strict=True))
        counts = [found[each] if each in found else self._known[each] for each in stretches]
        self._keep({stretch: tokens for stretch, tokens in found.items() if len(stretch) <= _LONGEST})
        return counts

    def _keep(self, found: dict[str, int]) -> None:
        self._characters += sum(map(len, found))
        if self._characters > _KEPT:
            self._known.clear()
            self._characters = sum(map(len, found))
        self._known |= found


@lru_cache(maxsize=4)
def _counts_of(tokenizer: Tokenizer) -> _Counts:
    return _Counts(tokenizer)
