"""Texts as retrieval by words compares them: variants of writing made one, words where no spaces tell them.

Latin text is left as it is. In other scripts:

* case: also "ς" and "σ", "İ" and "i";
* accents that are often left out: Greek, Arabic, Hebrew, stress and "ё" of Russian, the nukta of Devanagari,
  whose nasals before a consonant of their class ("हिन्दी") become the dot ("हिंदी");
* letters that keyboards mix: Arabic alefs, yehs, kafs and hehs; digits of any script are ASCII's;
* letters and their marks are composed; full-width letters and digits, half-width kana and Arabic presentation
  forms become the usual ones;
* runs of Chinese, Japanese and Korean become pairs of neighbours ("紫色鸽子": 紫色, 色鸽, 鸽子); so do Thai,
  Lao, Khmer, Burmese and a few more, each letter with its marks. Pairs need no dictionary, so that invented
  names are found, too, and most pairs of a Korean word do not touch its particle.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from operator import add

from niah.text.writing import BOPOMOFO, HAN, HANGUL, HIRAGANA, KATAKANA, SOUTH_EAST_ASIAN, marks

# What may change a text: all but Latin (with İ), symbols, emoji, private use and halves of surrogate pairs.
FOLDS = (
    "[^\0-\u012f\u0131-\u02ff\u1d00-\u1dbf\u1e00-\u1eff\u2000-\u2e7f\ua700-\ua7ff\uab30-\uab6f"
    "\ud800-\uf8ff\ufb00-\ufb06\ufe00-\ufe0f\ufeff\ufff0-\uffff\U0001d400-\U0001d7ff\U0001f000-\U0001fbff"
    "\U00040000-\U0010ffff]"
)

_COMPATIBLE = re.compile(
    "[\u0e33\u0eb3\u0edc\u0edd\u2e80-\u2fdf\ufb1d-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
    "\uff66-\uffdc]+"
)
_STRESS = re.compile("(?<=[\u0400-\u052f])[\u0300\u0301]+")
_JOINER = re.compile("(?<=[\u0900-\u109f\u1780-\u17ff])[\u200b-\u200d\u2060]+")
_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")

# Points of Hebrew, vowel signs and stretching of Arabic, the nukta.
_ACCENTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c"
)
# What is written for one another.
_SAME = {
    **{"σ": "ς", "е": "ёѐ", "и": "ѝ"},
    **{"ا": "أإآٱ", "ي": "ىیېے", "ك": "ک", "ه": "ةۀہ", ".": "٫", ",": "٬"},
    **{"न": "ऩ", "र": "ऱ", "ळ": "ऴ", "ं": "ँ"},
}

_WITHOUT_SPACES = re.compile(f"([{HAN}{HIRAGANA}{KATAKANA}{BOPOMOFO}{HANGUL}]+)|[{SOUTH_EAST_ASIAN}]+")
_LETTER = re.compile(f"[^{marks()}][{marks()}]*")

_BORDER = "\0"


def folds(text: str) -> bool:
    """Whether ``folded`` may change more of a text than its case."""
    return not text.isascii() and re.search(FOLDS, text) is not None


def folded(texts: Sequence[str]) -> Sequence[str]:
    """The texts in lower case and folded, or as they are where all are Latin.

    A Latin word becomes its lower case whatever stands beside it, so one list of texts compares with another.
    """
    if not any(map(folds, texts)):
        return texts
    together = _folded(_BORDER.join(text.replace(_BORDER, " ") for text in texts))
    return together.split(_BORDER)


def _folded(text: str) -> str:
    text = _COMPATIBLE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    text = unicodedata.normalize("NFC", text).replace("İ", "i").lower()
    text = _JOINER.sub("", _STRESS.sub("", text)).translate(_letters())
    return _WITHOUT_SPACES.sub(_pairs, _NASAL.sub("ं", text))


def _pairs(run: re.Match[str]) -> str:
    letters = run[1] or _LETTER.findall(run[0])
    pairs = map(add, letters, letters[1:]) if len(letters) > 1 else letters
    return f" {' '.join(pairs)} "


@lru_cache
def _letters() -> dict[int, str | None]:
    """What stands for a letter, accent or digit of composed text in lower case; None where nothing does."""
    table = dict[int, str | None]()
    for accent in re.finditer(f"[{_ACCENTS}]", "".join(map(chr, range(0x1000)))):
        table[ord(accent[0])] = None
    table |= {ord(other): letter for letter, others in _SAME.items() for other in others}
    for character in map(chr, (*range(0x370, 0x400), *range(0x1F00, 0x2000))):
        base = unicodedata.normalize("NFD", character)[0]
        if base != character and base.isalpha():
            table[ord(character)] = base
    for point in (*range(0x660, 0x1D000), *range(0x1E000, 0x1F000)):
        digit = unicodedata.decimal(chr(point), None)
        if digit is not None:
            table[point] = str(digit)
    return table
