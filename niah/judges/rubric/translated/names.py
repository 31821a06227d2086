"""Names that an answer translates: "higos" for figs, "Saphirtropfen" for sapphire drops, "Danubio".

Each word of a name has to be a listed one, or stand as it is, and the answer has to have them all side by
side in any order, with words like "of" between. Read only in languages that the answer may be in and the
needle set is not. Where nothing tells the answer's language, a word counts that is none of English and means
one thing in all languages that have it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from niah.judges.rubric.forms.inflection import LooseMatch
from niah.judges.rubric.forms.text_words import split_words
from niah.judges.rubric.languages.detect import Language, languages_of, reads_as_english
from niah.judges.rubric.translated.dictionary import (
    BORNE_BY_PEOPLE,
    DICTIONARY_LANGUAGES,
    PLACES,
    Meaning,
    thing_words,
    things,
)
from niah.judges.rubric.translated.eastern_words import EASTERN_LANGUAGES, eastern_words
from niah.judges.rubric.translated.english_too import ENGLISH_TOO

_LINKS = frozenset(
    re.findall(
        r"\w+",
        "of the a an von vom aus der die das den dem des de du d la le les l en el los las un una une del di"
        " da do dos das della dello dei degli delle al il lo i gli o os as van het een z ze из с",
    )
)
"""Words that may stand between those of a name."""
_MOST_LINKS = 3
_MOST_WORDS = 5
_APART = re.compile(r"[ '\t-]*")
_LETTERS = re.compile(r"[^\W\d_]+")
_KEPT = "="
"""Marks a word of a name that no list has, and that an answer has to write as it is."""

Wanted = Meaning | str


class _Unit(NamedTuple):
    """A word or phrase of a text: what it may mean, the word itself, and where it stands."""

    meaning: Meaning
    word: str
    start: int
    end: int


class _Word(NamedTuple):
    """A word of a text without an article that stands before it, its stem, and what it may mean."""

    bare: str
    stem: str
    meanings: tuple[Meaning, ...]


class TranslatedNames:
    """Names by what their words are called in other languages.

    Args:
        names: normalised ways to write, each with its element.
        told: every text of the needle set.
        own: the main language of the needle set.
    """

    def __init__(
        self, names: Iterable[tuple[str, tuple[str, bool]]], told: Sequence[str], own: Language
    ) -> None:
        self._own = own
        self._names, self._told = tuple(names), told

    @cached_property
    def _wanted(self) -> list[tuple[tuple[Wanted, ...], tuple[str, bool]]]:
        """What the words of each name that may be translated mean; a name may be read in two ways."""
        small = frozenset(word for text in self._told for word in _LETTERS.findall(text) if word.islower())
        return [
            (wanted, element)
            for written, element in self._names
            for wanted in dict.fromkeys(_wanted(written, self._own, phrases=whole) for whole in (True, False))
            if wanted and (self._own != "en" or _is_common(written, wanted, small, right=element[1]))
        ]

    def find(self, text: str, taken: Sequence[bool]) -> Iterator[LooseMatch]:
        """Every place where a name stands in another language, the longest first; some may be taken.

        Args:
            text: normalised.
            taken: which of its characters are known to name something, and so say nothing else.
        """
        found: dict[tuple[int, int], set[tuple[str, bool]]] = {}
        languages, certain = _languages_to_read(text, self._own) if self._names else ((), True)
        if not certain:
            listing = _languages_listing_a_word(text, taken)
            languages = tuple(language for language in languages if language in listing)
        for language in languages:
            units = _units(text, language, certain=certain)
            free = [unit for unit in units if not taken[unit.start]]
            said = frozenset[int]().union(*(unit.meaning for unit in free))
            words = {unit.word for unit in free}
            for wanted, element in self._wanted if said else ():
                if not all(_is_among(one, said, words) for one in wanted):
                    continue
                for span in _places(text, units, wanted):
                    found.setdefault(span, set()).add(element)
        for span, elements in sorted(found.items(), key=lambda one: one[0][0] - one[0][1]):
            if len(elements) == 1:
                yield LooseMatch(next(iter(elements)), *span, 0)


def _wanted(written: str, own: Language, *, phrases: bool) -> tuple[Wanted, ...]:
    """What the words of a name mean; nothing where none of them is listed, or it is no name of letters.

    Args:
        written: the name, normalised.
        own: its language.
        phrases: whether words that are listed together are read so.
    """
    if own in EASTERN_LANGUAGES:
        return _wanted_of_eastern(written, own)
    words = written.rstrip(".").split()
    if not 0 < len(words) <= _MOST_WORDS or not all(_LETTERS.fullmatch(word) for word in words):
        return ()
    listed, place = thing_words(own), 0
    wanted: list[Wanted] = []
    stems = [listed.stem(word) for word in words]
    known = False
    while place < len(words):
        if phrases and (phrase := listed.phrase_at(stems, place)):
            wanted.append(frozenset((phrase[0],)))
            place, known = place + phrase[1], True
            continue
        if meanings := listed.meanings(words[place]):
            wanted += meanings
            known = True
        elif words[place] not in _LINKS:
            wanted.append(_KEPT + words[place])
        place += 1
    return tuple(wanted) if known else ()


def _wanted_of_eastern(written: str, own: Language) -> tuple[Wanted, ...]:
    """The same for a name in an Eastern language: nothing where it has a word that is not listed."""
    words = eastern_words(written, own)
    told = sum(word.end - word.start for word in words)
    return (
        tuple(word.meaning for word in words if word.meaning) if told == len(written.replace(" ", "")) else ()
    )


def _is_common(written: str, wanted: tuple[Wanted, ...], small: frozenset[str], *, right: bool) -> bool:
    """Whether a name is none of a person: its words are written small, or are no surnames."""
    if small.issuperset(written.rstrip(".").split()):
        return True
    kinds = {things()[place].kind for one in wanted if not isinstance(one, str) for place in one}
    if kinds == {PLACES}:
        return True
    return right and len(wanted) == 1 and kinds.isdisjoint(BORNE_BY_PEOPLE)


@lru_cache(maxsize=64)
def _languages_to_read(text: str, own: Language) -> tuple[tuple[Language, ...], bool]:
    """The languages that a text may be in and the needle set is not, and whether anything tells them."""
    detected = languages_of(text)
    listed = DICTIONARY_LANGUAGES if own in (*DICTIONARY_LANGUAGES, *EASTERN_LANGUAGES) else ()
    likely = detected.main or detected.known[1:]
    likely = tuple(language for language in likely if language in listed)
    if not text.isascii() and listed:
        likely += tuple(language for language in detected.known if language in EASTERN_LANGUAGES)
    if likely:
        is_english_too = own != "en" and reads_as_english(text)
        others = tuple(language for language in likely if language != own)
        return (*others, "en") if is_english_too else others, True
    if detected.unknown:
        return (), True
    if reads_as_english(text):
        return (("en",) if own != "en" else ()), True
    return tuple(language for language in listed if language != own), False


def _languages_listing_a_word(text: str, taken: Sequence[bool]) -> frozenset[Language]:
    said = split_words(text)
    free = (word for word, (start, _) in zip(said.words, said.spans, strict=True) if not taken[start])
    return frozenset[Language]().union(*map(_languages_listing, free))


@lru_cache(maxsize=16384)
def _languages_listing(word: str) -> frozenset[Language]:
    """The languages that list a word, if it is none that English texts have too."""
    bare = _without_article(word)
    if bare in ENGLISH_TOO:
        return frozenset()
    return frozenset(
        language
        for language in DICTIONARY_LANGUAGES
        if (listed := thing_words(language)).meanings(bare) or listed.stem(bare) in listed.phrases
    )


@lru_cache(maxsize=64)
def _units(text: str, language: Language, *, certain: bool) -> tuple[_Unit, ...]:
    """The words of a text, those of one phrase together; none where no word of it is listed."""
    if language in EASTERN_LANGUAGES:
        return tuple(
            _Unit(word.meaning, "" if word.meaning or not word.links else "of", word.start, word.end)
            for word in eastern_words(text, language)
        )
    said, listed = split_words(text), thing_words(language)
    read = [_read_word(word, language, certain) for word in said.words]
    units: list[_Unit] = []
    place = 0
    while place < len(read):
        (start, end), count = said.spans[place], 1
        word = read[place]
        if word.stem in listed.phrases and (phrase := listed.phrase_at([one.stem for one in read], place)):
            thing, count = phrase
            units.append(_Unit(frozenset((thing,)), "", start, said.spans[place + count - 1][1]))
        else:
            units += [_Unit(meaning, word.bare, start, end) for meaning in word.meanings]
        place += count
    return tuple(units) if any(unit.meaning for unit in units) else ()


@lru_cache(maxsize=16384)
def _read_word(word: str, language: Language, certain: bool) -> _Word:
    """A word of a text as one of a language: what it means at least once, be it nothing."""
    bare, listed = _without_article(word), thing_words(language)
    meanings = listed.meanings(bare)
    if not certain and (bare in ENGLISH_TOO or not _is_of_one_meaning(bare, meanings)):
        meanings = ()
    return _Word(bare, listed.stem(bare), meanings or (frozenset(),))


def _without_article(word: str) -> str:
    """ "Eau" of "l'eau", "Mart" of "Mart'a"."""
    head, _, tail = word.partition("'")
    return tail if len(tail) > len(head) else head


@lru_cache(maxsize=8192)
def _is_of_one_meaning(word: str, meanings: tuple[Meaning, ...]) -> bool:
    """Whether a word means the same in all languages that have it."""
    others = (thing_words(language).meanings(word) for language in DICTIONARY_LANGUAGES)
    return all(any(not one.isdisjoint(same) for same in meanings) for other in others for one in other)


def _places(text: str, units: Sequence[_Unit], wanted: tuple[Wanted, ...]) -> Iterator[tuple[int, int]]:
    """Where the words of a name stand side by side, in any order."""
    for first, unit in enumerate(units):
        left = list(wanted)
        if not _take(unit, left):
            continue
        last, links = unit, 0
        for other in units[first + 1 :]:
            if not left or links > _MOST_LINKS or not _stands_beside(text, last, other):
                break
            if not _take(other, left):
                if other.meaning or other.word not in _LINKS:
                    break
                links += 1
            last = other
        if not left:
            yield unit.start, last.end


def _is_among(one: Wanted, said: Meaning, words: Collection[str]) -> bool:
    """Whether what a name wants is any of what is meant, or of the words themselves."""
    return one[1:] in words if isinstance(one, str) else not one.isdisjoint(said)


def _take(unit: _Unit, left: list[Wanted]) -> bool:
    """Take from what is left to be found what a unit says; False where it says none of it."""
    for place, one in enumerate(left):
        if _is_among(one, unit.meaning, (unit.word,)):
            del left[place]
            return True
    return False


def _stands_beside(text: str, one: _Unit, other: _Unit) -> bool:
    return other.start <= one.end or _APART.fullmatch(text, one.end, other.start) is not None
