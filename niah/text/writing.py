"""How scripts write words: which of them leave no space between words, and which marks belong to a letter.

The constants, and ``marks()``, are insides of character classes (``f"[{UNSPACED}]"``).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff" + (
    "\uf900-\ufaff\U00020000-\U0003fffd"
)
HIRAGANA = "\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
BOPOMOFO = "\u3105-\u312f\u31a0-\u31bf"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Thai, Lao, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham, Balinese and Javanese, without digits.
SOUTH_EAST_ASIAN = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7c\u1b00-\u1b4c\ua980-\ua9c0"
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"
)
# Katakana is left out: it writes names and foreign words, and they end where another script begins.
UNSPACED = HAN + HIRAGANA + BOPOMOFO + SOUTH_EAST_ASIAN


def _ranges(characters: Iterable[str]) -> str:
    """The characters, ascending, as the inside of a class."""
    inside = ""
    for _, run in groupby(enumerate(map(ord, characters)), key=lambda pair: pair[1] - pair[0]):
        points = [point for _, point in run]
        inside += chr(points[0]) if len(points) == 1 else f"{chr(points[0])}-{chr(points[-1])}"
    return inside


def _is_mark(character: str) -> bool:
    """Whether it is a combining mark of letters: no variation selector, nothing that encloses a symbol."""
    return unicodedata.category(character)[0] == "M" and not "\ufe00" <= character <= "\ufe0f"


_WITH_MARKS = (
    *(*range(0x0300, 0x2000), *range(0x3000, 0x3100), *range(0xA600, 0xAC00), *range(0xFB00, 0xFF00)),
    *range(0x10A00, 0x12000),
)


@lru_cache(maxsize=1)
def marks() -> str:
    """Vowel signs, tones, accents that no letter has taken in: ``\\w`` leaves them out.

    As the constants above; it takes milliseconds, and English needs none.
    """
    return _ranges(filter(_is_mark, map(chr, _WITH_MARKS)))


EAST_ASIAN = frozenset({"Chinese", "Japanese", "Korean"})

_SCRIPT_NAMES = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
# Of Japanese text, at least so much is kana; the rest are Chinese characters.
_LEAST_KANA = 0.1


def main_script(text: str) -> str | None:
    """The script of most letters ("Latin", "Thai", "Japanese"); None where there are none.

    Chinese, Japanese and Korean text is called by its language, every other by the script's name in Unicode.
    """
    counts = Counter(_script_of(character) for character in text if character.isalpha())
    if not counts:
        return None
    if counts["Japanese"] > _LEAST_KANA * (counts["Chinese"] + counts["Japanese"]):
        counts["Japanese"] += counts.pop("Chinese", 0)
    return max(counts, key=lambda script: (counts[script], script))


@lru_cache(maxsize=16384)
def _script_of(letter: str) -> str:
    first = unicodedata.name(letter, "OTHER").split()[0].partition("-")[0]
    return _SCRIPT_NAMES.get(first, first.title())
