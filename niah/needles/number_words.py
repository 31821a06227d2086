"""Whole numbers in English words."""

from __future__ import annotations

_UNITS = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"  # noqa: SIM905
    " seventeen eighteen nineteen".split()
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number_words(number: int) -> tuple[str, ...]:
    """The number in words, up to ninety-nine; none above."""
    if number < len(_UNITS):
        return (_UNITS[number],)
    if number >= 100:
        return ()
    tens, units = _TENS[number // 10 - 2], number % 10
    return (f"{tens}-{_UNITS[units]}" if units else tens,)
