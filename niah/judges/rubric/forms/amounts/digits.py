"""The numbers of a text put into digits, whatever language spells them: "two dozen", "千二百"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from niah.judges.rubric.forms.amounts.spelled.factors_and_shares import (
    of_a_factor,
    share_behind,
    with_factors,
)
from niah.judges.rubric.forms.amounts.spelled.korean import KOREAN_NUMERALS, korean_number
from niah.judges.rubric.forms.amounts.spelled.number_words import (
    ABBREVIATED_FACTORS,
    CLOCK_WORDS,
    EASTERN_DIGITS,
    ENGLISH_BEGINNINGS,
    FACTORS,
    HALVES,
    ONES,
    PARTS_OF_ONE,
    SHARES_ALONE,
    SPELLED_LANGUAGES,
    number_phrases,
)
from niah.judges.rubric.forms.amounts.spelled.plain_number import plain_number
from niah.judges.rubric.forms.amounts.units import unit_words
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

# Syllables of any word, but before what is counted: "만 이천 원", "1만 2천원".
_KOREAN_NUMBER = (
    rf"(?<![\uac00-\ud7a3])(?:[{KOREAN_NUMERALS}]+|(?<=\d)[천만억]+)(?=(?:\s?[\d{KOREAN_NUMERALS}]+)*\s?(?:원|명|개|년|분|초|시간|미터|킬로|그램|리터|톤"
    r"|권|마리|채|대|장|번|호|층|퍼센트|가마|상자|자루|섬|병|통|척|필|그루|리|보|냥|점|살|세|주|포기|[km%g]))"
)
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)?|[{EASTERN_DIGITS}]+|{_KOREAN_NUMBER}|[^\W\d_{EASTERN_DIGITS}]+|[^\w\s]"
)
_AS_IT_STANDS = re.compile(r"\d+\.\d{1,2}|0\d+")
_COUNTS = lazy_pattern("[点點時时月日号號分刻割成公米キ週周年天小個个里文枚人]")
"""What stands behind a single sign that is a number; elsewhere it is part of a word."""
_FIRST_WORDS = frozenset((*ONES, *FACTORS, *SHARES_ALONE, *HALVES))
"""With which a number may begin beside those below a thousand, in whichever language."""
_MONEY_SIGNS = frozenset("$€£¥₩₽₹")
_COMPOUNDING = frozenset(("de", "it", "nl", "sv", "tr"))
_LONG = 6
"""Letters of which a compound number has more: "tausendzwei", "dreieinhalb"."""


@dataclass(frozen=True)
class TextInDigits:
    """A text with its numbers in digits; ``edges`` are places in it, ``shifts`` where they stood before."""

    text: str
    edges: tuple[int, ...]
    shifts: tuple[int, ...]

    def place(self, offset: int, *, end: bool = False) -> int:
        """Where an offset stood before; with ``end``, one behind the last sign."""
        at = bisect_right(self.edges, offset - end) - 1
        if at % 2:  # inside of a number
            return self.shifts[at + 1] if end else self.shifts[at]
        return self.shifts[at] + offset - self.edges[at]


def in_digits(text: str, languages: tuple[Language, ...]) -> TextInDigits:
    """A normalised text with its numbers in digits."""
    tokens = list(_TOKEN.finditer(text))
    compounds = not _COMPOUNDING.isdisjoint(languages)
    pieces: list[str] = []
    edges, shifts = [0], [0]
    length, done, place = 0, 0, 0
    while place < len(tokens):
        word = tokens[place][0]
        may_be = (
            word[0].isdigit()
            or _begins_a_number(word, languages)
            or word[0] in EASTERN_DIGITS + KOREAN_NUMERALS
            or (compounds and len(word) > _LONG)
        )
        read = _number_at(tokens, place, languages) if may_be else None
        if read is None:
            place += 1
            continue
        amount, count = read
        start, end = tokens[place].start(), tokens[place + count - 1].end()
        as_it_stands = tokens[place][0] if count == 1 else ""
        written = as_it_stands if _AS_IT_STANDS.fullmatch(as_it_stands) else str(amount)
        pieces += [text[done:start], written]
        length += start - done
        edges += [length, length + len(written)]
        shifts += [start, end]
        length += len(written)
        done, place = end, place + count
    return TextInDigits("".join([*pieces, text[done:]]), tuple(edges), tuple(shifts))


def _begins_a_number(word: str, languages: tuple[Language, ...]) -> bool:
    """Whether a number may begin with a word.

    The thousand ways of English are put together for the first word that looks like one: they take a while.
    """
    if languages == ("en",) and not word.startswith(ENGLISH_BEGINNINGS):
        return word in _FIRST_WORDS
    return word in _first_words(languages)


@lru_cache(maxsize=64)
def _first_words(languages: tuple[Language, ...]) -> frozenset[str]:
    """With which words a number may begin; a compound of German or Italian may begin with others too."""
    spelled = (
        phrase[0]
        for language in languages
        if language in SPELLED_LANGUAGES
        for phrase in number_phrases(language)
    )
    return _FIRST_WORDS.union(spelled)


def _number_at(
    tokens: Sequence[re.Match[str]], place: int, languages: tuple[Language, ...]
) -> tuple[Fraction, int] | None:
    """The number that begins at a token, and how many tokens it takes."""
    words = [token[0] for token in tokens[place : place + 9]]
    if korean := korean_number(words):
        return korean
    if len(words[0]) == 1 and words[0] in EASTERN_DIGITS and not (len(words) > 1 and _COUNTS.match(words[1])):
        return None
    amount, count = plain_number(words, languages)
    if amount is not None and (factor := _glued_factor(tokens, place)):
        return amount * factor, 2
    if amount is None and words[0] in HALVES and len(words) > 1 and words[1] in _unit_tokens():
        return Fraction(1, 2), 1
    if amount is None:
        if words[0] in SHARES_ALONE and (len(words) < 2 or words[1] not in CLOCK_WORDS):
            amount, count = SHARES_ALONE[words[0]], 1
        elif words[0] in ONES and _is_one_of(words[1:], languages):
            amount, count = Fraction(1), 1
        elif words[0] in FACTORS and words[0] not in ABBREVIATED_FACTORS:
            amount, count = Fraction(1), 0
        else:
            return None
    after = words[count:]
    if after[:1] and after[0] in PARTS_OF_ONE and not (len(after) > 1 and after[1] in CLOCK_WORDS):
        amount, count = amount / PARTS_OF_ONE[after[0]], count + 1
    elif amount.denominator == 1:
        share, more = share_behind(after, languages)
        amount, count = amount + share, count + more
    if amount < 1:
        return of_a_factor(words, amount, count)
    return with_factors(words, amount, count, languages)


def _glued_factor(tokens: Sequence[re.Match[str]], place: int) -> int:
    """ "750k"; "£1.2m", but 1.2 m are metres."""
    if place + 1 >= len(tokens) or tokens[place + 1].start() != tokens[place].end():
        return 0
    sign = tokens[place + 1][0]
    of_money = place > 0 and tokens[place - 1][0] in _MONEY_SIGNS
    return 1000 if sign == "k" else 10**6 if sign == "m" and of_money else 0


def is_multiplied(text: str, start: int) -> bool:
    """Whether a number stands before a dozen, a thousand and the like: "a dozen eggs" are not two dozen."""
    word = _WORD.match(text, start)
    if word is None or word[0] not in FACTORS:
        return False
    before = _WORD_BEFORE.search(text[max(0, start - _REACH) : start])
    if before is None or before[1] in ONES:
        return False
    said = before[1]
    return said[0].isdigit() or any((said,) in number_phrases(language) for language in SPELLED_LANGUAGES)


_REACH = 60
_WORD = re.compile(r"[^\W\d_]{1,20}")  # no factor is longer, and some scripts write no borders
_WORD_BEFORE = re.compile(r"([^\W_]+)[^\S\n]\Z")


def _is_one_of(after: Sequence[str], languages: tuple[Language, ...]) -> bool:
    """Whether a "one" counts what follows: "one million", "a third", "one and a half"."""
    if after[:1] and (after[0] in FACTORS or after[0] in PARTS_OF_ONE):
        return True
    return share_behind(after, languages)[1] > 0


@lru_cache(maxsize=1)
def _unit_tokens() -> frozenset[str]:
    return frozenset(word for words in unit_words().values() for word in words)
