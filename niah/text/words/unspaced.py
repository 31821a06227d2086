"""Words cut where their script leaves no space between them: characters, katakana and all else apart."""

from __future__ import annotations

import re
from functools import lru_cache

from niah.text.writing import KATAKANA, UNSPACED, marks


def written_parts(word: str) -> list[str]:
    """What stands between two spaces, cut where scripts without spaces begin, go on and end.

    Each Chinese character, hiragana, or Thai, Lao, Khmer or Burmese letter with its signs is a part; so
    are a run of katakana and a run of anything else: "吊起2吨" is "吊", "起", "2", "吨".
    """
    return [word] if word.isascii() else _part().findall(word)


def is_unspaced(part: str) -> bool:
    """Whether a part is a character of a script without spaces (katakana is not: its runs are words)."""
    return not part.isascii() and _character().match(part) is not None


@lru_cache
def _part() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}][{marks()}]*|[{KATAKANA}]+|[^{UNSPACED}{KATAKANA}]+")


@lru_cache
def _character() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]")
