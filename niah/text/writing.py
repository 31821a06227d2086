"""How scripts write words. The constants, and ``marks()``, are insides of character classes."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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

_WITH_MARKS = (
    *(*range(0x0300, 0x2000), *range(0x3000, 0x3100), *range(0xA600, 0xAC00), *range(0xFB00, 0xFE00)),
    *(*range(0xFE10, 0xFF00), *range(0x10A00, 0x12000)),
)
"""Code points among which marks of letters are; variation selectors and what encloses a symbol are not."""


@lru_cache(maxsize=1)
def marks() -> str:
    """Vowel signs, tones, accents that no letter took in: ``\\w`` leaves them out; takes milliseconds."""
    return "".join(mark for mark in map(chr, _WITH_MARKS) if unicodedata.category(mark)[0] == "M")


def written_parts(word: str) -> list[str]:
    """What stands between two spaces, cut where scripts without spaces begin, go on and end.

    Each Chinese character, hiragana, or Thai, Lao, Khmer or Burmese letter with its signs is a part; so
    are a run of katakana and a run of anything else: "吊起2吨" is "吊", "起", "2", "吨".
    """
    return [word] if word.isascii() else _part_pattern().findall(word)


def is_unspaced(part: str) -> bool:
    """Whether a part is a character of a script without spaces (katakana is not: its runs are words)."""
    return not part.isascii() and re.match(f"[{UNSPACED}]", part) is not None


@lru_cache
def _part_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}][{marks()}]*|[{KATAKANA}]+|[^{UNSPACED}{KATAKANA}]+")


PARTICLES = (
    "은|는|이|가|을|를|의|도|만|에|에서|에게|에게서|한테|께|께서|와|과|랑|이랑|하고|로|으로|로서|으로서"
    "|로써|으로써|까지|부터|마저|조차|밖에|처럼|같이|보다|마다|나|이나|라도|이라도|란|이란|라는|이라는"
    "|라고|이라고|다|이다|이었다|였다|이며|며|이고|고|입니다|이에요|예요|들|님|씨"
)
"""Case particles and forms of the copula, as the inside of a group."""


def is_with_particles(word: str, name: str) -> bool:
    """Whether ``word`` is ``name`` with up to three particles behind it: "2톤입니다" of "2톤".

    A name of one syllable is never found so, since it begins other words ("사" and "사과"), and behind a
    digit "만" is ten thousand.
    """
    if word.isascii() or not word.startswith(name) or (len(name) == 1 and not name.isascii()):
        return False
    rest = word[len(name) :]
    if name[-1].isdigit() and rest.startswith("만"):
        return False
    return _particles().fullmatch(rest) is not None


@lru_cache
def _particles() -> re.Pattern[str]:
    return re.compile(f"(?:{PARTICLES}){{1,3}}")
