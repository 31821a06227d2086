"""Where needles go: the insertion rule of the u-niah paper, section 3.1.1, in whole tokens."""

from __future__ import annotations

from fractions import Fraction
from math import floor


def needle_positions(haystack_tokens: int, needles: int, depth: float) -> list[int]:
    """Haystack tokens that stand before each needle.

    d_1 = alpha H;  d_i = d_1 + floor((i - 1)(H - d_1) / k) for i = 2..k.  With alpha = 1 all stand at H.

    Args:
        haystack_tokens: H.
        needles: k, at least 1.
        depth: 100 alpha, from 0 to 100.
    """
    # Fraction(str()) keeps 12.3 % of 1000 at 123; floats would put it at 122.
    first = floor(Fraction(str(depth)) * haystack_tokens / 100)
    return [first + i * (haystack_tokens - first) // needles for i in range(needles)]


def distractor_positions(haystack_tokens: int, distractors: int) -> list[int]:
    """Haystack tokens before each distractor: spread evenly, none at the edges."""
    return [(2 * i + 1) * haystack_tokens // (2 * distractors) for i in range(distractors)]
