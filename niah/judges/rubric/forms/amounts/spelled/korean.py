"""Korean numerals of Chinese origin: "만 이천", "1만 2천"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile

KOREAN_NUMERALS = "영공일이삼사오육칠팔구십백천만억"
_KOREAN_DIGITS = "영일이삼사오육칠팔구"
_KOREAN_TENS = "십백천"
_KOREAN_LARGE = {"만": 10**4, "억": 10**8}


def korean_number(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """Sino-Korean numerals, digits among them or not, that say a number of more than one sign."""
    said = list(takewhile(lambda word: word.isdecimal() or not word.strip(KOREAN_NUMERALS), words))
    # Zero has two names.
    signs = "".join(said).replace("공", "영")
    if len(signs) < 2 or all(word.isdecimal() for word in said):
        return None
    total = below = 0
    digit: int | None = None
    for part in re.findall(r"\d+|\D", signs):
        if part.isdecimal() or part in _KOREAN_DIGITS:
            if digit is not None:
                return None
            digit = int(part) if part.isdecimal() else _KOREAN_DIGITS.index(part)
        elif part in _KOREAN_LARGE:
            total += (below + (digit or 0) or 1) * _KOREAN_LARGE[part]
            below, digit = 0, None
        else:
            below += (1 if digit is None else digit) * 10 ** (_KOREAN_TENS.index(part) + 1)
            digit = None
    return Fraction(total + below + (digit or 0)), len(said)
