"""Where a name may begin and end, by the script it is written in.

Latin, Cyrillic and the like part words by spaces. Chinese, the kana of Japanese and Thai do not; a Latin
name or a number within them ends where the script changes. Korean adds particles to a word: 서울에서 is
"in 서울". Arabic puts "and" before a word: "وOrrin".
"""

from __future__ import annotations

import re

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.text.writing import HAN, HANGUL, KATAKANA, UNSPACED

_ALPHABETIC = rf"[^\W{UNSPACED}{HANGUL}{KATAKANA}]"
NUMERALS = "零〇一二三四五六七八九十百千万億亿萬两兩만억천"
# 국립국어원's list of case particles and of the copula's forms, those that follow names.
_PARTICLES = (
    "에다가|에다|이지만|이므로|이라서|이어서|인데요|인데|이니까|이든지|이구요|으로부터|에게서|에서는|에서도|으로는|이라는|이라고|입니다|이었다|이었습니다|였습니다|이에요|예요|이고|이며|이자|이란|이라|이다"
    "|에서|에게|한테|께서|으로|까지|부터|마다|밖에|조차|마저|처럼|보다|이나|이랑|하고|라는|라고|라며|였다|라|란|은|는|이|가|을|를"
    "|이었는데|였는데|라서|지만|이니까?|이면|이든|이랑|만이|만은|만을|뿐|로서|으로서|로써|으로써|대로|마저도"
    "|이자|이라며|이나마|이신|인|쯤|가량|정도|과|와|의|에|로|도|만|나|랑|야|며|고|씨|님|들"
    "|이요|요|네요|이네요|이죠|죠|이지|지요|이랍니다|랍니다|이구나|예요"
)
# A name of one sign is a part of every other word that has it: it must stand beside one of these, or apart.
_LOOSE_SIGNS = "的和与與及是了在有也或用为為及其は、がをのにでとも"
# "And", "so", "in", "to" and "like" are one letter of Arabic, written in one word with what follows.
_ARABIC_PREFIXES = frozenset("وفبلك")
_ARABIC_SIGN = lazy_pattern("[\u0620-\u064a]")
_LEAST_BEHIND_A_PREFIX = 4
"""Letters above which an Arabic name may follow such a letter; "ورد" is a rose, and no "and رد"."""
_UNSPACED_SIGN = lazy_pattern(f"[{UNSPACED}]")
_HANGUL_SIGN = lazy_pattern(f"[{HANGUL}]")
_KATAKANA_SIGN = re.compile(f"[{KATAKANA}]")
_ALPHABETIC_SIGN = lazy_pattern(_ALPHABETIC)
_SIGN_BORDER = lazy_pattern(rf"[{_LOOSE_SIGNS}]|[^{HAN}]")


ANYTHING = re.compile("")
_AFTER_ONE_SIGN = lazy_pattern(rf"(?![^{_LOOSE_SIGNS}\W]|[^\W{HAN}])")
_AFTER_HANGUL = lazy_pattern(rf"(?=(?:{_PARTICLES}){{0,2}}(?![{HANGUL}]))")
_AFTER_KATAKANA = re.compile(f"(?![{KATAKANA}])")
_AFTER_DIGITS = lazy_pattern(rf"(?!{_ALPHABETIC}|[{NUMERALS}]|\.\d)")
_AFTER_LETTERS = re.compile(rf"(?!{_ALPHABETIC}|\.\d)")
AFTER_ANY = lazy_pattern(rf"(?:(?<=[{UNSPACED}{HANGUL}{KATAKANA}])|(?!{_ALPHABETIC}|\.\d))")
"""Matches behind an expression whose last sign nobody knows."""


def after(name: str) -> re.Pattern[str]:
    """Matches behind a name, a normalised one, where the name ends there."""
    last = name[-1:]
    if last.isascii():
        return _AFTER_DIGITS if last.isdigit() else _AFTER_LETTERS
    if _UNSPACED_SIGN.match(last):
        return _AFTER_ONE_SIGN if len(name) == 1 else ANYTHING
    if _HANGUL_SIGN.match(last):
        return _AFTER_HANGUL
    if _KATAKANA_SIGN.match(last):
        return _AFTER_KATAKANA
    return _AFTER_DIGITS if last.isdigit() else _AFTER_LETTERS


def starts_a_name(text: str, start: int, end: int) -> bool:
    """Whether no word, and no number with a decimal point, runs into the name ``text[start:end]``."""
    if not start:
        return True
    before, first = text[start - 1], text[start]
    if before == "." and first.isdigit():
        return not text[start - 2 : start - 1].isdigit()
    if not (before.isalnum() or before == "_"):
        return True
    if text.isascii():
        return False
    if before in _ARABIC_PREFIXES and not text[start - 2 : start - 1].isalnum():
        return not _ARABIC_SIGN.match(first) or end - start > _LEAST_BEHIND_A_PREFIX
    if _UNSPACED_SIGN.match(first):
        return end - start > 1 or _SIGN_BORDER.match(before) is not None
    if _HANGUL_SIGN.match(first):
        return not _HANGUL_SIGN.match(before)
    if _KATAKANA_SIGN.match(first):
        return not _KATAKANA_SIGN.match(before)
    if first.isdigit() and before in NUMERALS:
        return False
    return not _ALPHABETIC_SIGN.match(before)
