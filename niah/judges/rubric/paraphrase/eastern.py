"""Facts in Chinese, Japanese and Korean in other words: "三个月的工资他拿不到" for "拿不到三个月的工钱".

No spaces part the words of Chinese and Japanese, so a fact is read sign by sign: it is stated where one
sentence has all of its telling signs close together, in any order, with words that mean the same for one
another, no more and no fewer denials, and whose it is left out ("my grandmother's", "your grandmother's").
Korean facts are read word by word, without particles and endings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from niah.cases.sample import AnswerKey
from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.borders import NUMERALS
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.text.writing import HAN, HANGUL, HIRAGANA, KATAKANA

_EASTERN = lazy_pattern(f"[{HAN}{HIRAGANA}{KATAKANA}{HANGUL}]")
_NAME = lazy_pattern(rf"[{HAN}{HIRAGANA}{KATAKANA}{HANGUL}ー、, ]+")
_KANA = re.compile(f"[{HIRAGANA}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_SIGN = lazy_pattern(f"[{HAN}{HIRAGANA}{KATAKANA}ー]")
_SENTENCE = re.compile(r"[^。.!?;\n]+")
_NUMBER = re.compile(f"[{NUMERALS}]+")
_KOREAN_WORD = lazy_pattern(f"[{HANGUL}]+")
_ENDINGS = lazy_pattern(
    "(?:에서는|에서도|에게서|으로부터|이라고|라고|입니다|이었다|였다|이에요|예요|인데|이며|이고|에서|에게|한테|께서|으로|까지|부터|마다|처럼"
    "|보다|이나|하고|에다|은|는|이|가|을|를|과|와|의|에|로|도|만|들|님|려고|으려고|려는|으려는|기|고자|려|던|해서|하여|한|했던|했다|하는"
    "|합니다|했습니다|았다|었다|았습니다|었습니다|습니다|아서|어서|고|며|으며|지|다|ㄴ|게)$"
)
_LEAST = 3
"""Telling signs from which on a fact may have them in any order; fewer stand in their own."""
_IN_ORDER = 0.5
"""Share of neighbouring signs that stay neighbours."""
_SPARE = 4
_MOST = 24
"""Signs of a fact; a longer name is a passage."""
_REACH = 3
"""Signs beside a fact in which a denial is looked for."""


class EasternWords(FileModel):
    """One language's words.

    Attributes:
        language: its code.
        sources: where the words come from.
        whose: ways to say whose a thing is.
        light: what tells nothing.
        denying: what denies.
        same: a line for each thing, with the ways to say it.
    """

    language: Language
    sources: tuple[NonEmptyText, ...]
    whose: NonEmptyText
    light: str
    denying: NonEmptyText
    same: NonEmptyText


@dataclass(frozen=True)
class _Sign:
    """A telling sign, word or thing, and where it stands."""

    meaning: str
    start: int
    end: int


@dataclass(frozen=True)
class _EasternFact:
    """One way to state an element: its telling signs in their order."""

    element: str
    right: bool
    signs: tuple[str, ...]
    denied: bool


class _EasternLexicon:
    """The words of one language, found in a text."""

    def __init__(self, words: EasternWords) -> None:
        self.is_korean = words.language == "ko"
        self._whose = frozenset(words.whose.split())
        self._light = frozenset(words.light.split())
        self._denying = tuple(words.denying.split())
        self._same = {
            way: line.split()[0] for line in words.same.splitlines() for way in line.split() if line.strip()
        }
        known = sorted((*self._whose, *self._light, *self._same), key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known)))

    def denies(self, text: str) -> bool:
        """Whether a text has a word that denies."""
        return any(denial in text for denial in self._denying)

    def signs(self, text: str, start: int, end: int) -> list[_Sign]:
        """What a part of a text tells, in reading order."""
        return list(self._words(text, start, end) if self.is_korean else self._signs(text, start, end))

    def _signs(self, text: str, start: int, end: int) -> Iterator[_Sign]:
        place = start
        while place < end:
            known = self._known.match(text, place, end)
            if known:
                word = known[0]
                if word not in self._whose and word not in self._light:
                    yield _Sign(self._same[word], place, known.end())
                place = known.end()
                continue
            if number := _NUMBER.match(text, place, end):
                yield _Sign(number[0], place, number.end())
                place = number.end()
                continue
            sign = text[place]
            if _SIGN.match(sign) and not _KANA.match(sign):
                yield _Sign(sign, place, place + 1)
            place += 1

    def _words(self, text: str, start: int, end: int) -> Iterator[_Sign]:
        for match in _KOREAN_WORD.finditer(text, start, end):
            word = match[0]
            if word in self._whose or word in self._light:
                continue
            stem = _korean_stem(word)
            if stem in self._whose or stem in self._light:
                continue
            meaning = self._same.get(stem) or next(
                (self._same[way] for way in self._same if len(way) > 1 and stem.startswith(way)), stem
            )
            yield _Sign(meaning, match.start(), match.end())


def stated_eastern_facts(text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """Where a text states elements in other words that it does not name; none overlap.

    Args:
        text: normalised.
        mentions: what it names.
        key: what was asked.
    """
    if text.isascii() or not _EASTERN.search(text):
        return []
    named = {mention.name for mention in mentions}
    facts = [fact for fact in _facts(key) if fact.element not in named]
    if not facts:
        return []
    lexicon = _lexicon_of_key(key)
    found: list[Mention] = []
    for sentence in _SENTENCE.finditer(text):
        signs = lexicon.signs(text, *sentence.span())
        for fact in facts:
            span = _stated_in(text, sentence.span(), signs, fact, lexicon)
            if span and all(span[1] <= other.start or other.end <= span[0] for other in (*mentions, *found)):
                found.append(Mention(fact.element, fact.right, *span))
    return found


def _stated_in(
    text: str, sentence: tuple[int, int], signs: Sequence[_Sign], fact: _EasternFact, lexicon: _EasternLexicon
) -> tuple[int, int] | None:
    """The span in which a sentence states a fact."""
    wanted = set(fact.signs)
    if not wanted.issubset(sign.meaning for sign in signs):
        return None
    most = len(fact.signs) if len(fact.signs) < _LEAST else len(fact.signs) + len(fact.signs) // 2 + _SPARE
    for first, sign in enumerate(signs):
        if sign.meaning not in wanted:
            continue
        left = set(wanted)
        for last in range(first, min(first + most, len(signs))):
            left.discard(signs[last].meaning)
            if not left:
                break
        if left:
            continue
        window = [one.meaning for one in signs[first : last + 1]]
        pairs = set(pairwise(fact.signs))
        kept = len(pairs & set(pairwise(window)))
        if kept < (len(pairs) if len(fact.signs) < _LEAST else _IN_ORDER * len(pairs)):
            continue
        start, end = signs[first].start, signs[last].end
        around = text[max(sentence[0], start - _REACH) : min(sentence[1], end + 2 * _REACH)]
        if lexicon.denies(around) == fact.denied:
            return start, end
    return None


@lru_cache(maxsize=256)
def _facts(key: AnswerKey) -> tuple[_EasternFact, ...]:
    """Every way to state an element, right or wrong; none that two elements share."""
    lexicon = _lexicon_of_key(key)
    facts = [
        _EasternFact(element.name, right, signs, lexicon.denies(written))
        for right, elements in ((True, key.elements), (False, wrong_elements(key)))
        for element in elements
        for written in map(normalise, element.names)
        if _NAME.fullmatch(written)
        and _EASTERN.search(written)
        and len(signs := tuple(sign.meaning for sign in lexicon.signs(written, 0, len(written)))) <= _MOST
        and sum(map(len, signs)) > 1
        and (len(signs) > 1 or len(written) > len(signs[0]) + 1)
    ]
    owners: dict[frozenset[str], set[str]] = {}
    for fact in facts:
        owners.setdefault(frozenset(fact.signs), set()).add(fact.element)
    return tuple(fact for fact in facts if len(owners[frozenset(fact.signs)]) == 1)


def _korean_stem(word: str) -> str:
    """A word without particles and endings."""
    while len(word) > 1 and (ending := _ENDINGS.search(word)) and ending.start():
        word = word[: ending.start()]
    return word


@lru_cache(maxsize=256)
def _lexicon_of_key(key: AnswerKey) -> _EasternLexicon:
    """The words of the language in which a set names its elements."""
    written = "".join(_names(key))
    if _HANGUL.search(written):
        return _lexicon("ko")
    return _lexicon("ja" if _KANA.search("".join((written, key.question))) else "zh")


def _names(key: AnswerKey) -> Iterable[str]:
    return (name for element in key.elements for name in element.names)


@lru_cache(maxsize=4)
def _lexicon(language: Language) -> _EasternLexicon:
    return _EasternLexicon(
        load_yaml(Path(__file__).parent / "words" / "eastern" / f"{language}.yaml", EasternWords)
    )
