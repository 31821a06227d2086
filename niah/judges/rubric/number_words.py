"""Numbers written out: "three hundred and forty-seven" is 347."""

from __future__ import annotations

import re

_UNITS = re.findall(
    r"\w+",
    """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen
        """,
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, start=2)
}
_WORD = rf"(?:{'|'.join((*_VALUES, 'hundred', 'thousand'))})\b"
_NUMBER = re.compile(
    rf"\b(?=\w+[ -](?:\w+[ -])?(?:hundred|thousand)\b){_WORD}(?:(?:[ -]|,[ ])(?:and[ ])?{_WORD})*"
)
_SPLIT = re.compile(r"\W+")


def digits_for_words(text: str) -> str:
    """``text``, casefolded, with digits for numbers in words from a hundred up.

    Smaller ones stand in names ("needle with two eyes") and in chatter, and stay.
    """
    return _NUMBER.sub(_in_digits, text) if "hundred" in text or "thousand" in text else text


def _in_digits(match: re.Match[str]) -> str:
    value = _value([word for word in _SPLIT.split(match[0]) if word != "and"])
    return match[0] if value is None else str(value)


def _value(words: list[str]) -> int | None:
    """The number; None where the words are no number in good order, such as "five two hundred"."""
    if "thousand" in words:
        split = words.index("thousand")
        high, low = _below_thousand(words[:split]), _below_thousand(words[split + 1 :])
        return None if not high or low is None else 1000 * high + low
    return _below_thousand(words)


def _below_thousand(words: list[str]) -> int | None:
    if "hundred" in words:
        split = words.index("hundred")
        high, low = _below_hundred(words[:split]), _below_hundred(words[split + 1 :])
        return None if not high or low is None else 100 * high + low
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    values = [_VALUES.get(word) for word in words]
    match values:
        case []:
            return 0
        case [int(one)]:
            return one
        case [int(tens), int(one)] if tens >= 20 and 0 < one < 10:
            return tens + one
    return None
