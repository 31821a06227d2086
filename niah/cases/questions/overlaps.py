"""Whether one text holds the words of another."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")


def lower_case_words(text: str) -> list[str]:
    """Words and numbers in lower case, without punctuation."""
    return _WORD.findall(text.casefold())


def holds_words(text: str, phrase: str) -> bool:
    """Whether the words of ``phrase`` stand in ``text``, in a row; no words stand nowhere."""
    words = " ".join(lower_case_words(phrase))
    return bool(words) and f" {words} " in f" {' '.join(lower_case_words(text))} "
