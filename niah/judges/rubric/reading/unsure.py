"""What the rules cannot decide about an answer: it may be read in more than one way.

Every answer gets a score, but what that rests on may be thin. In this order:

* Nothing was found, in a language whose refusals and denials are not read.
* Names were not found, and the answer is in another language or script than they are: it may translate them.
* An element was not found, and most of its words are there, apart or in another form: a paraphrase, or
  something else. Of a number with its unit, another number may stand in its place: something wrong.
* Everything was found, and something wrong stands in other parts of the answer, or in a long one beside it,
  neither added nor set apart: two answers, or one and what it was weighed against.
* Yes or no was asked for, and neither is said in so many words.
* The answer is long and in the question's words, and nothing of it was recognised.

Nothing here changes a score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import Literal

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.languages.cues import cues_of
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.paraphrase.lexicon import GUARD, NOT, akin, lexicon_of
from niah.judges.rubric.reading.layout import read_layout
from niah.judges.rubric.reading.spans import mentions_inside
from niah.judges.rubric.reading.statements import asked_words
from niah.needles.needle_set import Element

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]+(?=[\s)\]\"]|\Z)|[\u3002\uff01\uff1f;\uff1b]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SHARE = 0.5
"""Of the words of a name: so many must be there for a paraphrase of it."""
_MANY = 100
"""Missing elements up to which slips of the pen are looked for."""
_ALIKE = 0.8
_SHORTEST_ALIKE = 5
_LONGEST_ALIKE = 40
_ENDING = 2
_LEAST_MEANT = 2
_PLACE = 3
"""Words between a unit and the number that stands in an element's place."""
_LONG = 25
_ON_TOPIC = 0.4
_FEWEST = 4
_SMALL_WORDS = frozenset(
    _WORD.findall(
        "a an the had has have did does do would of in on at to for from by with and or is are was were be"
        " been not no it its his her their my"
        " your our this that these those as into le la les du des de d l un une et au aux der die das dem den"
        " ein eine einen einem einer und im am zu von el los las y al lo gli il della del dei delle degli con"
        " o os as do da dos das em na e i в на и с по из"
    )
)
_BARE = frozenset(("yes", "no", "true", "false", "ja", "nein", "oui", "non", "si", "sí", "sim", "não"))


@dataclass(frozen=True)
class OpenReading:
    """Why an answer can be read in more than one way, and what the best and the worst reading count.

    Attributes:
        reason: for people.
        best, worst: how many elements are found and missing, and how many wrong ones named.
    """

    reason: str
    best: tuple[int, int, int]
    worst: tuple[int, int, int]


@dataclass(frozen=True)
class CountedAnswer:
    """An answer once its elements are counted.

    Attributes:
        spoken: as the reader gave it, without reasoning.
        text: the same, tidied.
        named: every mention, in reading order.
        claimed: of them, those that the answer neither rules out nor only shows on the way.
        found, missing, wrong: names, as in the verdict.
        refused: whether it says that it cannot tell, or takes back what it says.
    """

    spoken: str
    text: str
    named: Sequence[Mention]
    claimed: Sequence[Mention]
    found: Sequence[str]
    missing: Sequence[str]
    wrong: Sequence[str]
    refused: bool


def open_reading(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    """What the rules cannot decide about an answer; None where they can.

    A refusal is clear, unless it comes near to what was asked for, and so is an answer with everything right
    and nothing wrong.
    """
    if answer.refused and not answer.found:
        return _paraphrased(answer, key)
    if not (answer.missing or answer.wrong or not key.elements):
        return None
    ways = (_in_unread_language, _translated, _paraphrased, _two_answers, _without_the_word, _unrecognised)
    return next((found for way in ways if (found := way(answer, key)) is not None), None)


def _counts(answer: CountedAnswer) -> tuple[int, int, int]:
    return len(answer.found), len(answer.missing), len(answer.wrong)


def _right_or_wrong(reason: str, answer: CountedAnswer) -> OpenReading:
    """Everything may be right, and nothing."""
    every = len(answer.found) + len(answer.missing) or 1
    return OpenReading(reason, (every, 0, 0), (0, every, 0))


def _in_unread_language(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    unknown = languages_of(answer.text).unknown
    if answer.found or answer.wrong or not unknown:
        return None
    return _right_or_wrong(f"nothing found in {' and '.join(unknown)}, which is not read", answer)


def _translated(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    """Words that are no names and no numbers are translated; names only into another script."""
    if len(_WORD.findall(answer.text)) < _FEWEST and not _UNSPACED.search(answer.text):
        return None
    own, said = _texts_of(key).languages, set(languages_of(answer.text).known[1:])
    foreign = bool(said) and said.isdisjoint(own)
    scripts = _scripts(answer.text)
    translated = [
        element.name
        for element in key.elements
        if element.name in answer.missing
        and (
            (foreign and all(name.islower() and name.replace(" ", "").isalpha() for name in element.names))
            or not any(_scripts(name) <= scripts for name in element.names)
        )
    ]
    if not translated:
        return None
    return _may_be_found(f"in another language or script than {_listed(translated)}", translated, answer)


def _may_be_found(reason: str, names: Sequence[str], answer: CountedAnswer) -> OpenReading:
    found, missing, wrong = _counts(answer)
    best = (found + len(names), missing - len(names), wrong)
    return OpenReading(reason, best, (found, missing, wrong))


def _is_replaced(element: Element, answer: CountedAnswer) -> bool:
    """Whether a wrong value with a word of the element's is counted in its place: "83 metres"."""
    named = {mention.name for mention in answer.named}
    words = frozenset(_WORD.findall(normalise(element.name)))
    return any(
        any(sign.isdigit() for sign in wrong) and not words.isdisjoint(_WORD.findall(wrong))
        for wrong in answer.wrong
        if wrong not in named
    )


def _paraphrased(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if not answer.missing:
        return None
    said = _Said(_words_beside(answer.text, answer.named), _texts_of(key), len(answer.missing) <= _MANY)
    near: list[str] = []
    displaced: list[str] = []
    for element in key.elements:
        if element.name in answer.missing and not _is_bare(element) and not _is_replaced(element, answer):
            how = {said.nearness(name) for name in element.names}
            if "other number" in how:
                displaced.append(element.name)
            elif "near" in how:
                near.append(element.name)
    if not (near or displaced):
        return None
    found, missing, wrong = _counts(answer)
    reason = f"something like {_listed([*near, *displaced])} stands there"
    return OpenReading(
        reason, (found + len(near), missing - len(near), wrong), (found, missing, wrong + len(displaced))
    )


class _Said:
    """The words of an answer, told apart from those of a name by their stems, or with a slip of the pen.

    Args:
        words: in reading order.
        texts: of the key.
        slips: whether slips of the pen are looked for.
    """

    def __init__(self, words: Sequence[str], texts: _Texts, slips: bool) -> None:
        self._words, self._texts, self._slips = words, texts, slips
        self._places: dict[str, list[int]] = {}
        self._units: list[frozenset[str]] | None = None
        self._hangul = [word for word in set(words) if _HANGUL.search(word)]
        self._by_first: dict[str, set[str]] = {}
        for place, word in enumerate(words):
            self._places.setdefault(texts.stem(word), []).append(place)
            if _SHORTEST_ALIKE <= len(word) <= _LONGEST_ALIKE:
                self._by_first.setdefault(word[0], set()).add(word)

    def nearness(self, name: str) -> Literal["near", "other number", "far"]:
        """Whether most words of a name are said that the question has not, or all but its number."""
        words = [word for word in _words_of_name(name) if self._texts.stem(word) not in self._texts.asked]
        places = {word: said for word in words if (said := self._places_of(word))}
        if not places or sum(word in places for word in words) < _SHARE * len(words):
            return "near" if self._is_meant(name) else "far"
        if not any(word[0].isdigit() for word in words):
            return "near"
        if any(word[0].isdigit() for word in places):
            return "other number"
        around = (
            self._words[max(0, place - _PLACE) : place + _PLACE + 1] for at in places.values() for place in at
        )
        return "other number" if any(word[0].isdigit() for near in around for word in near) else "near"

    def _is_meant(self, name: str) -> bool:
        """Whether two or more of a name's words, and half of them, are said by words that mean the same."""
        meant = _meant_by(name, self._texts.spoken)
        if len(meant) < _LEAST_MEANT:
            return False
        if self._units is None:
            self._units = [
                unit.meanings for unit in lexicon_of(self._texts.spoken).units(" ".join(self._words))
            ]
        said = sum(any(akin(one, other) for other in self._units) for one in meant)
        return said >= max(_LEAST_MEANT, _SHARE * len(meant))

    def _places_of(self, word: str) -> list[int]:
        """Where a word of a name may stand, in another form or with a slip of the pen."""
        own = self._places.get(self._texts.stem(word), [])
        if own or word[0].isdigit() or _UNSPACED.search(word):
            return own
        if _HANGUL.search(word):
            near = [other for other in self._hangul if len(word) > 1 and other.startswith(word)]
        else:
            near = [other for other in self._by_first.get(word[0], ()) if self._slips and _alike(word, other)]
        return [place for other in near for place in self._places[self._texts.stem(other)]]


def _alike(word: str, other: str) -> bool:
    if not _SHORTEST_ALIKE <= len(word) <= _LONGEST_ALIKE or abs(len(word) - len(other)) > _ENDING:
        return False
    return SequenceMatcher(None, word, other).ratio() >= _ALIKE


def _words_beside(text: str, mentions: Sequence[Mention]) -> list[str]:
    """The words of an answer that stand outside of what it names."""
    rest, at = [], 0
    for mention in mentions:
        rest.append(text[at : mention.start])
        at = max(at, mention.end)
    return _words(" ".join((*rest, text[at:])))


def _words(text: str) -> list[str]:
    """What is more than grammar; of scripts without spaces, every pair of neighbouring signs."""
    found: list[str] = []
    for word in _WORD.findall(normalise(text)):
        if _UNSPACED.search(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        elif word not in _SMALL_WORDS:
            found.append(word)
    return found


def _two_answers(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    wrong = [mention for mention in answer.claimed if not mention.right]
    if answer.missing or {mention.name for mention in wrong} != set(answer.wrong):
        return None
    addition, right_before = cues_of(answer.text).addition, False
    short = len(_WORD.findall(answer.text)) < _LONG
    for start, end, listed in _parts(answer):
        named = mentions_inside(answer.claimed, (start, end))
        if len({mention.right for mention in named}) > 1:
            if listed or short:
                return None
            continue
        wrong_part = bool(named) and not named[0].right
        if wrong_part and right_before and addition.search(answer.text, start, named[0].start):
            return None
        right_before = right_before or (bool(named) and not wrong_part)
    found = len(answer.found)
    worst = (0, found, 1) if found == 1 else _counts(answer)
    return OpenReading(f"complete, with {_listed(answer.wrong)} beside it", (found, 0, 0), worst)


def _parts(answer: CountedAnswer) -> Iterator[tuple[int, int, bool]]:
    """Each sentence; and as a whole, with True, each list, table, or run of lines without a full stop."""
    text, layout = answer.text, read_layout(answer.spoken, answer.text)
    first: int | None = None
    end = 0
    for line in layout.lines:
        stops = list(_SENTENCE_END.finditer(text, line.start, line.end))
        if line.kind in ("bullet", "row", "rule") or (line.kind == "text" and not stops):
            first, end = line.start if first is None else first, line.end
            continue
        if first is not None and line.kind != "blank":
            yield first, end, True
            first = None
        start = line.start
        for stop in stops:
            yield start, stop.end(), False
            start = stop.end()
        if start < line.end:
            yield start, line.end, False
    if first is not None:
        yield first, end, True


def _without_the_word(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if answer.found or answer.wrong or len(key.elements) != 1 or not _is_bare(key.elements[0]):
        return None
    if len(_WORD.findall(answer.text)) < _FEWEST:
        return None
    return _right_or_wrong("no plain yes or no", answer)


def _is_bare(element: Element) -> bool:
    return normalise(element.name) in _BARE


def _unrecognised(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if answer.named or not key.elements:
        return None
    words = _WORD.findall(answer.text)
    asked = asked_words(key)
    if len(words) < _LONG or len(asked & set(words)) < _ON_TOPIC * len(asked):
        return None
    return _right_or_wrong("long and to the question, and nothing of it recognised", answer)


@dataclass(frozen=True)
class _Texts:
    """Of a key: its main language, its languages but English, and the question's words without options."""

    main: Language
    languages: frozenset[Language]
    asked: frozenset[str]

    @cached_property
    def spoken(self) -> tuple[Language, ...]:
        """The key's languages, English first."""
        return ("en", *sorted(self.languages))

    def stem(self, word: str) -> str:
        """What the forms of a word have in common."""
        return word_stem(word, self.main)


@lru_cache(maxsize=256)
def _texts_of(key: AnswerKey) -> _Texts:
    told = normalise("\n".join((key.question, *key.references, *(needle.text for needle in key.needles))))
    foreign = languages_of(told).known[1:]
    main = foreign[0] if foreign else "en"
    options = (each.names for each in (*key.elements, *key.traps) if any(trap.derived for trap in key.traps))
    offered = {word_stem(word, main) for names in options for name in names for word in _words(name)}
    asked = {word_stem(word, main) for word in _words(key.question)}
    return _Texts(main, frozenset(foreign), frozenset(asked - offered))


def _scripts(text: str) -> set[str]:
    """The scripts of its letters, as Unicode calls them; digits are of any."""
    return {_script_of(letter) for letter in set(text) if letter.isalpha()}


@lru_cache(maxsize=8192)
def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


@lru_cache(maxsize=8192)
def _meant_by(name: str, languages: tuple[Language, ...]) -> tuple[frozenset[str], ...]:
    """What the words of a name mean, denials left out."""
    units = lexicon_of(languages).units(normalise(name))
    return tuple(unit.meanings for unit in units if unit.meanings.isdisjoint((NOT, GUARD)))


@lru_cache(maxsize=8192)
def _words_of_name(name: str) -> tuple[str, ...]:
    return tuple(_words(name))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:3]) + (" and more" if len(names) > 3 else "")
