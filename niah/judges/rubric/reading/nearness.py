"""Whether an answer has most words of a name, apart, in another form, or others that mean the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import Literal

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.forms.text_words import words_as_in_names
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise, spaced
from niah.judges.rubric.paraphrase.lexicon import GUARD, NOT, TellingWords, akin, lexicon_of

WORD_OR_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*")
UNSPACED_SIGN = lazy_pattern("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_HANGUL = lazy_pattern("[\uac00-\ud7a3]")
_SHARE = 0.5
"""Of the words of a name: so many must be there for a paraphrase of it."""
_ALIKE = 0.8
_SHORTEST_ALIKE = 5
_LONGEST_ALIKE = 40
_ENDING = 2
_LEAST_MEANT = 2
_REMEMBERED = 8192
_PLACE = 3
"""Words between a unit and the number that stands in an element's place."""
_SMALL_WORDS = frozenset(
    WORD_OR_NUMBER.findall(
        "a an the had has have did does do would of in on at to for from by with and or is are was were be"
        " been not no it its his her their my"
        " your our this that these those as into le la les du des de d l un une et au aux der die das dem den"
        " ein eine einen einem einer und im am zu von el los las y al lo gli il della del dei delle degli con"
        " o os as do da dos das em na e i в на и с по из"
    )
)


@dataclass(frozen=True, eq=False)
class KeyTexts:
    """What a key's texts tell; there is one of each key, so that no two need be compared.

    Attributes:
        main: its main language.
        languages: its languages but English.
        asked: the question's words without options.
        names: of its elements.
    """

    main: Language
    languages: frozenset[Language]
    asked: frozenset[str]
    names: tuple[str, ...]

    @cached_property
    def spoken(self) -> tuple[Language, ...]:
        """The key's languages, English first."""
        return ("en", *sorted(self.languages))

    @cached_property
    def telling(self) -> TellingWords:
        """The words with which a name may be said by others that mean the same."""
        meant = (each for name in self.names for each in _meant_by(name, self.spoken))
        return TellingWords(lexicon_of(self.spoken), meant)

    @cached_property
    def may_tell(self) -> Callable[[str], bool]:
        """Whether a word may be one of those of a name that the question has not."""
        return lru_cache(maxsize=_REMEMBERED)(self._may_tell)

    def stem(self, word: str) -> str:
        """What the forms of a word have in common."""
        return word_stem(word, self.main)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The words of the names that the question has not."""
        return frozenset(word for name in self.names for word in _telling_words(name, self))

    @cached_property
    def _stems_told(self) -> frozenset[str]:
        return frozenset(map(self.stem, self._told))

    def _may_tell(self, word: str) -> bool:
        if self.stem(word) in self._stems_told:
            return True
        is_hangul = not word.isascii() and _HANGUL.search(word) is not None
        return any(
            (other[0] == word[0] and _alike(other, word)) or (is_hangul and word.startswith(other))
            for other in self._told
        )


@lru_cache(maxsize=256)
def key_texts(key: AnswerKey) -> KeyTexts:
    """What a key's texts tell of the words that answers to it have."""
    told = normalise("\n".join((key.question, *key.references, *(needle.text for needle in key.needles))))
    foreign = languages_of(told).known[1:]
    main = foreign[0] if foreign else "en"
    options = (each.names for each in (*key.elements, *key.traps) if any(trap.derived for trap in key.traps))
    offered = {
        word_stem(word, main) for names in options for name in names for word in _words(normalise(name))
    }
    asked = {word_stem(word, main) for word in _words(normalise(key.question))}
    names = tuple(name for element in key.elements for name in element.names)
    return KeyTexts(main, frozenset(foreign), frozenset(asked - offered), names)


def may_be_near(words: Sequence[str], texts: KeyTexts) -> bool:
    """Whether any word of an answer may be one of a name's, or mean the same: most answers have none."""
    if any(map(texts.may_tell, words)):
        return True
    return texts.telling.are_in(words_as_in_names(" ".join(words)), 1)


class SaidWords:
    """The words of an answer, told apart from those of a name by their stems, or with a slip of the pen.

    Args:
        words: in reading order.
        texts: of the key.
        slips: whether slips of the pen are looked for.
    """

    def __init__(self, words: Sequence[str], texts: KeyTexts, slips: bool) -> None:
        self._words, self._texts, self._slips = words, texts, slips
        self._places: dict[str, list[int]] = {}
        self._hangul = [word for word in set(words) if not word.isascii() and _HANGUL.search(word)]
        self._by_first: dict[str, set[str]] = {}
        for place, word in enumerate(words):
            self._places.setdefault(texts.stem(word), []).append(place)
            if _SHORTEST_ALIKE <= len(word) <= _LONGEST_ALIKE:
                self._by_first.setdefault(word[0], set()).add(word)

    def nearness(self, name: str) -> Literal["near", "other number", "far"]:
        """Whether most words of a name are said that the question has not, or all but its number."""
        words = _telling_words(name, self._texts)
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
        said = sum(any(akin(one, other) for other in self._units) for one in meant)
        return said >= max(_LEAST_MEANT, _SHARE * len(meant))

    @cached_property
    def _units(self) -> list[frozenset[str]]:
        """What the words mean; nothing where none of them may say a name."""
        text = " ".join(self._words)
        if not self._texts.telling.are_in(words_as_in_names(text), 1):
            return []
        return [unit.meanings for unit in lexicon_of(self._texts.spoken).units(text)]

    def _places_of(self, word: str) -> list[int]:
        """Where a word of a name may stand, in another form or with a slip of the pen."""
        own = self._places.get(self._texts.stem(word), [])
        if own or word[0].isdigit() or (not word.isascii() and UNSPACED_SIGN.search(word)):
            return own
        if not word.isascii() and _HANGUL.search(word):
            near = [other for other in self._hangul if len(word) > 1 and other.startswith(word)]
        else:
            near = [other for other in self._by_first.get(word[0], ()) if self._slips and _alike(word, other)]
        return [place for other in near for place in self._places[self._texts.stem(other)]]


@lru_cache(maxsize=8192)
def _alike(word: str, other: str) -> bool:
    if not _SHORTEST_ALIKE <= len(word) <= _LONGEST_ALIKE or abs(len(word) - len(other)) > _ENDING:
        return False
    return SequenceMatcher(None, word, other).ratio() >= _ALIKE


def words_beside(text: str, mentions: Sequence[Mention]) -> list[str]:
    """The words of an answer that stand outside of what it names."""
    rest, at = [], 0
    for mention in mentions:
        rest.append(text[at : mention.start])
        at = max(at, mention.end)
    return _words(spaced(" ".join((*rest, text[at:]))))


def _words(said: str) -> list[str]:
    """What is more than grammar in a normalised text; of unspaced scripts, every two neighbouring signs."""
    if said.isascii() or not UNSPACED_SIGN.search(said):
        return [word for word in WORD_OR_NUMBER.findall(said) if word not in _SMALL_WORDS]
    found: list[str] = []
    for word in WORD_OR_NUMBER.findall(said):
        if UNSPACED_SIGN.search(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        elif word not in _SMALL_WORDS:
            found.append(word)
    return found


@lru_cache(maxsize=8192)
def _meant_by(name: str, languages: tuple[Language, ...]) -> tuple[frozenset[str], ...]:
    """What the words of a name mean, denials left out."""
    units = lexicon_of(languages).units(normalise(name))
    return tuple(unit.meanings for unit in units if unit.meanings.isdisjoint((NOT, GUARD)))


@lru_cache(maxsize=8192)
def _telling_words(name: str, texts: KeyTexts) -> tuple[str, ...]:
    """The words of a name that the question has not."""
    return tuple(word for word in _words(normalise(name)) if texts.stem(word) not in texts.asked)
