"""Where needles go: the insertion rule of the u-niah paper, section 3.1.1, in whole tokens."""

from __future__ import annotations

from fractions import Fraction


def needle_positions(haystack_tokens: int, needles: int, depth: float) -> list[int]:
    """Haystack tokens that stand before each needle.

    d_1 = alpha H;  d_i = d_1 + floor((i - 1)(H - d_1) / k) for i = 2..k.  With alpha = 1 all stand at H.

    Args:
        haystack_tokens: H.
        needles: k, at least 1.
        depth: 100 alpha, from 0 to 100.
    """
    # Fraction(str()) keeps 12.3 % of 1000 at 123; floats would put it at 122.
    share = int(depth) if depth == int(depth) else Fraction(str(depth))
    first = int(share * haystack_tokens // 100)
    return [first + i * (haystack_tokens - first) // needles for i in range(needles)]


def spread_evenly(first: int, last: int, items: int) -> list[int]:
    """Positions of ``items`` distractors, evenly between two positions and none at either."""
    return [first + (2 * i + 1) * (last - first) // (2 * items) for i in range(items)]
