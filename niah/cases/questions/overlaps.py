"""Whether one text holds the words of another."""

from __future__ import annotations

import re

from niah.text.words.unspaced import written_parts
from niah.text.writing import marks

_WORD = re.compile(rf"[\w{marks()}]+")


def lower_case_words(text: str) -> list[str]:
    """Words and numbers in lower case, without punctuation; each character where no spaces are written."""
    return [part for word in _WORD.findall(text.casefold()) for part in written_parts(word)]


def holds_words(text: str, phrase: str) -> bool:
    """Whether the words of ``phrase`` stand in ``text``, in a row; no words stand nowhere."""
    words = " ".join(lower_case_words(phrase))
    return bool(words) and f" {words} " in f" {' '.join(lower_case_words(text))} "
