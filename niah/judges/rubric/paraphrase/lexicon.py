"""What words mean the same, contrary or nothing, in the languages of an answer.

A word means its own stem and every concept whose list has it or, with the words beside it, a phrase of it:
"gave up" is "stop", "for the rest of his life" is "life". Words that tell nothing are light.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.forms.text_words import TextWords, split_words
from niah.judges.rubric.languages.detect import Language

NOT = "not"
"""The concept of everything that denies: "never", "stay away from", "ban"."""
GUARD = "guard"
"""The concept of everything that makes a fact less than one: "almost", "planned"."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_SPACED = ("en", "de", "fr", "es", "pt", "it", "ru")
_BETWEEN = 2
"""Light words that may stand between two words of a phrase: "gave it up"."""
_REMEMBERED = 16384
"""Words whose meanings a lexicon remembers: answers repeat each other's."""
_STEM_SIGN = "="
"""Marks the meaning of a word that no list has: its stem."""
_LEAST_PREFIX = 4
_LONGEST_ENDING = 3
_SHORT_TAIL = 2
"""Letters that English joins to a word: "who'll"; what other languages join words to is short."""


class WordFile(FileModel):
    """One language's words.

    Attributes:
        language: its code.
        sources: where the words come from.
        light: words that tell nothing: articles, auxiliaries, "make", "give".
        concepts: by name, the ways to say one thing, parted by commas.
        contrary: names of concepts, or words, of which a fact can have only one: colours, kin, times of day.
        negating, guards: ways to deny a fact, and to make it less than one.
        forms: a word with those of its forms that its stem does not tell, parted by semicolons.
    """

    language: Language
    sources: tuple[NonEmptyText, ...]
    light: NonEmptyText
    concepts: dict[NonEmptyText, NonEmptyText]
    contrary: tuple[NonEmptyText, ...] = ()
    negating: NonEmptyText
    guards: str = ""
    forms: str = ""


class Unit(NamedTuple):
    """A word or phrase that tells something: all that it may mean, and where it stands."""

    meanings: frozenset[str]
    start: int
    end: int
    is_phrase: bool = False


@dataclass
class Lexicon:
    """The words of some languages together."""

    languages: tuple[Language, ...]
    light: frozenset[str] = frozenset()
    contrary: dict[str, frozenset[str]] = field(default_factory=dict)
    _listed: dict[str, frozenset[str]] = field(default_factory=dict)
    _stemmed: dict[str, frozenset[str]] = field(default_factory=dict)
    _phrases: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    _bases: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        files = [_word_file(language) for language in self.languages]
        for file in files:
            for base, *forms in (entry.split() for entry in file.forms.split(";") if entry.strip()):
                self._bases |= dict.fromkeys(forms, base)
        self.light = frozenset(word for file in files for word in file.light.split())
        groups: dict[str, set[str]] = {}
        for language, file in zip(self.languages, files, strict=True):
            for concept, words in _ways(language):
                self._learn(concept, words)
            for line in file.contrary:
                members = line.split()
                for word in members:
                    groups.setdefault(word, set()).update(members)
        self.contrary = {word: frozenset(others - {word}) for word, others in groups.items()}
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        self._known = lru_cache(maxsize=_REMEMBERED)(self._look_up)

    def _learn(self, concept: str, words: Sequence[str]) -> None:
        keys = [self._key(word) for word in words]
        if len(keys) == 1:
            for place, known in ((words[0], self._listed), (keys[0], self._stemmed)):
                known[place] = known.get(place, frozenset()) | {concept}
        elif keys:
            self._phrases.setdefault(keys[0], []).append((tuple(keys), concept))

    def _key(self, word: str) -> str:
        """The stem of a word in the first language that changes it, without accents."""
        base = self._bases.get(word, word)
        if base == word and (parted := _PREFIX.match(word)) and (rest := word[parted.end() :]) in self._bases:
            base = parted[0] + self._bases[rest]
        for language in reversed(self.languages):
            stem = word_stem(base, language)
            if stem != base:
                return plain_letters(stem)
        return plain_letters(base)

    def units(self, text: str, start: int = 0, end: int | None = None) -> list[Unit]:
        """What a part of a normalised text tells, in reading order."""
        said = split_words(text[start:end])
        known = list(map(self._known, said.words))
        keys = [key for key, _ in known]
        units: list[Unit] = []
        behind = 0
        for place, (key, meanings) in enumerate(known):
            if place < behind:
                continue
            if key in self._phrases:
                of_phrase, behind = self._phrase_at(said, keys, place)
                if of_phrase:
                    first, last = said.spans[place], said.spans[behind - 1]
                    units.append(Unit(of_phrase, first[0] + start, last[1] + start, is_phrase=True))
                    continue
            if meanings:
                begins, ends = said.spans[place]
                units.append(Unit(meanings, begins + start, ends + start))
        return units

    def begun_by(self, word: str) -> Iterator[frozenset[str]]:
        """What a word means by itself, and all phrases that it may begin."""
        key, meanings = self._known(word)
        yield meanings
        yield frozenset(concept for _, concept in self._phrases.get(key, ()))

    def _look_up(self, word: str) -> tuple[str, frozenset[str]]:
        """The key of a word, and what it means by itself."""
        key = self._key(_undone(word))
        return key, self._meanings_of(word, key)

    def _meanings_of(self, word: str, key: str) -> frozenset[str]:
        """What a word may mean: as it is listed, else by its stem; nothing where it is light."""
        if word.endswith("n't"):
            return frozenset((NOT,))
        bare = _undone(word)
        known = self._listed.get(bare) or self._stemmed.get(key) or self._of_the_root(key)
        if word in self.light or bare in self.light:
            return known & {NOT}
        return known or (frozenset((f"{_STEM_SIGN}{key}",)) if len(bare) > 1 else frozenset())

    def _of_the_root(self, key: str) -> frozenset[str]:
        """What a word means whose stem is a listed one with an ending more: "warmth", "drummer"."""
        roots = (key[:-cut] for cut in range(1, _LONGEST_ENDING + 1) if len(key) - cut >= _LEAST_PREFIX)
        return next((self._stemmed[root] for root in roots if root in self._stemmed), frozenset())

    def _phrase_at(self, said: TextWords, keys: Sequence[str], place: int) -> tuple[frozenset[str], int]:
        """What the longest phrase at a token means, and the place behind it."""
        for words, _ in self._phrases[keys[place]]:
            behind = self._follow(said, keys, place, words)
            if behind:
                same = (c for w, c in self._phrases[keys[place]] if w == words)
                return frozenset(same), behind
        return frozenset(), place

    def _follow(self, said: TextWords, keys: Sequence[str], place: int, words: Sequence[str]) -> int:
        """The place behind a phrase that begins at a token; 0 where another word comes in between."""
        for word in words[1:]:
            place += 1
            between = 0
            while place < len(said) and keys[place] != word:
                if between == _BETWEEN or said.words[place] not in self.light:
                    return 0
                place, between = place + 1, between + 1
            if place >= len(said):
                return 0
        return place + 1


_PREFIX = re.compile(r"(?:re|un|over|under|out|mis|fore|with)(?=\w{4})")
"""What stands before a verb with forms of its own: "rehung", "overheard"."""


@lru_cache(maxsize=32)
def lexicon_of(languages: tuple[Language, ...]) -> Lexicon:
    """The words of these languages, as far as spaces part them."""
    return Lexicon(tuple(language for language in languages if language in _SPACED))


@lru_cache(maxsize=65536)
def akin(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two units may mean the same: a concept in common, or stems that differ by an ending.

    Of a listed word all meanings are known: "irmã" is no "irmão".
    """
    if not one.isdisjoint(other):
        return True
    for stem in one:
        if len(stem) > _LEAST_PREFIX and stem[0] == _STEM_SIGN:
            for near in other:
                if (
                    len(near) > _LEAST_PREFIX
                    and abs(len(stem) - len(near)) <= _LONGEST_ENDING
                    and (stem.startswith(near) or near.startswith(stem))
                ):
                    return True
    return False


class TellingWords:
    """Which words may tell one of some meanings: a text with too few of them need not be read.

    Args:
        lexicon: in which words are read.
        meant: what is looked for.
    """

    def __init__(self, lexicon: Lexicon, meant: Iterable[frozenset[str]]) -> None:
        self._lexicon, self._meant = lexicon, tuple(set(meant))
        self._may_tell = lru_cache(maxsize=_REMEMBERED)(self._look_up)

    def are_in(self, words: Iterable[str], least: int) -> bool:
        """Whether so many of a text's words may: what a phrase of it means counts at its first word."""
        return sum(map(self._may_tell, words)) >= least

    def _look_up(self, word: str) -> bool:
        return any(akin(meant, other) for other in self._lexicon.begun_by(word) for meant in self._meant)


def _undone(word: str) -> str:
    """A word without what an apostrophe joins to it: "who" of "who'd", "eau" of "l'eau"."""
    if word.endswith("n't"):
        return word.replace("'", "")
    head, _, tail = word.partition("'")
    return tail if len(tail) > _SHORT_TAIL else head


@lru_cache(maxsize=8192)
def plain_letters(stem: str) -> str:
    """A stem or a word without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", stem) if not unicodedata.combining(c))


@lru_cache(maxsize=16)
def _ways(language: Language) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each way of a language to say something, as its words, behind the concept that it says."""
    file = _word_file(language)
    lists = {**file.concepts, NOT: file.negating, GUARD: file.guards}
    said = [(name, way) for name, ways in lists.items() for way in ways.split(",") if way.strip()]
    alone = (word for line in file.contrary for word in line.split() if word not in file.concepts)
    said += ((word, word) for word in alone)
    return tuple((name, tuple(_undone(word) for word in _WORD.findall(way))) for name, way in said)


@lru_cache(maxsize=16)
def _word_file(language: Language) -> WordFile:
    file = load_yaml(Path(__file__).parent / "words" / f"{language}.yaml", WordFile)
    lists = {name: _as_read(getattr(file, name)) for name in ("light", "negating", "guards", "forms")}
    concepts = {concept: _as_read(ways) for concept, ways in file.concepts.items()}
    return file.model_copy(update={**lists, "concepts": concepts})


def _as_read(words: str) -> str:
    """Words as a normalised text has them."""
    return words.casefold().replace("ё", "е")
