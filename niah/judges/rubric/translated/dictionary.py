"""What common things and places are called in eleven languages.

The files beside this module list them, a line a thing. Words are looked up as they are listed, else by their
stems, else, in German, Dutch and Swedish, as two words in one: "Ziegenkäse", "Saphirtropfen".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.languages.detect import Language, commonest_words
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.paraphrase.lexicon import plain_letters

_FILES = ("things", "creatures_and_places", "qualities_and_nature")
PLACES = "places"
"""The kind of what has names of its own."""
BORNE_BY_PEOPLE = frozenset(
    ("colours", "materials", "animals", "trees", "trades", "times", "qualities", "nature")
)
"""Kinds whose words are surnames too: "Ms Brown", "Baker"."""
_JOINING = frozenset(("de", "nl", "sv"))
_LINKS = ("", "n", "en", "s", "es", "e", "er")
"""What stands between two words in one."""
_LEAST_PART = 3
_LONGEST = 40
"""Letters of a word that may be listed, or two listed ones: what a reader repeats without a space is none."""
_LEAST_STEM = 3
_SHORT = 4
_ENDINGS: dict[Language, tuple[str, ...]] = {
    "de": ("e", "er", "en", "es", "em", "n", "s"),
    "nl": ("e", "en", "s"),
    "sv": ("en", "et", "s"),
}
"""What stands behind a listed word whose stem is another one's: "silberne"."""
_OTHER_SENSES: dict[Language, frozenset[str]] = {
    "de": frozenset(("weiss",)),
    "fr": frozenset(("or", "tour")),
    "es": frozenset(("este", "sur", "tarde")),
    "pt": frozenset(("este", "sul", "tarde")),
    "nl": frozenset(("meer", "hen", "den", "al", "vos", "weg", "nat")),
    "pl": frozenset(("lata", "para")),
    "ru": frozenset(("вид",)),
    "sv": frozenset(("får", "val", "kor")),
    "tr": frozenset(("al", "saat", "un", "at", "et", "ay")),
}
"""Words of one thing that are much more often other words: German "ich weiss"."""


_REMEMBERED = 16384
DICTIONARY_LANGUAGES: tuple[Language, ...] = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "tr",
    "ru",
    "sv",
)
"""The languages in which things are listed, in the files' order."""


class ThingFile(FileModel):
    """Things by their kinds, each as its words in all languages."""

    sources: tuple[NonEmptyText, ...]
    foods: tuple[NonEmptyText, ...] = ()
    colours: tuple[NonEmptyText, ...] = ()
    materials: tuple[NonEmptyText, ...] = ()
    forms: tuple[NonEmptyText, ...] = ()
    ailments: tuple[NonEmptyText, ...] = ()
    household: tuple[NonEmptyText, ...] = ()
    animals: tuple[NonEmptyText, ...] = ()
    trees: tuple[NonEmptyText, ...] = ()
    trades: tuple[NonEmptyText, ...] = ()
    times: tuple[NonEmptyText, ...] = ()
    directions: tuple[NonEmptyText, ...] = ()
    buildings: tuple[NonEmptyText, ...] = ()
    places: tuple[NonEmptyText, ...] = ()
    qualities: tuple[NonEmptyText, ...] = ()
    nature: tuple[NonEmptyText, ...] = ()
    instruments: tuple[NonEmptyText, ...] = ()
    subjects: tuple[NonEmptyText, ...] = ()


_KINDS = tuple(name for name in ThingFile.model_fields if name != "sources")


class Thing(NamedTuple):
    """One thing: its kind, and its words by language, normalised."""

    kind: str
    words: dict[Language, tuple[str, ...]]


Meaning = frozenset[int]
"""The places in ``things()`` of what a word may mean."""


@dataclass
class WordsOf:
    """The words of one language: ``exact`` as they are listed, ``stems`` by stems, ``phrases`` by words."""

    language: Language
    exact: dict[str, Meaning] = field(default_factory=dict)
    stems: dict[str, Meaning] = field(default_factory=dict)
    phrases: dict[str, list[tuple[tuple[str, ...], int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, thing in enumerate(things()):
            for way in thing.words.get(self.language, ()):
                self._learn(way.split(), place)
        for phrases in self.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        self.meanings = lru_cache(maxsize=_REMEMBERED)(self._look_up)

    def _learn(self, words: Sequence[str], place: int) -> None:
        if len(words) > 1:
            stems = tuple(map(self.stem, words))
            self.phrases.setdefault(stems[0], []).append((stems, place))
            return
        word = words[0]
        for way in {word, plain_letters(word), *((f"{word}s",) if len(word) < _SHORT else ())}:
            self.exact[way] = self.exact.get(way, frozenset()) | {place}
        if len(word) >= _SHORT:
            stem = self.stem(word)
            self.stems[stem] = self.stems.get(stem, frozenset()) | {place}

    def stem(self, word: str) -> str:
        """What the forms of a word have in common, without accents; of what is too long for one, itself."""
        if len(word) > _LONGEST:
            return word
        stem = plain_letters(word_stem(word, self.language))
        return stem if len(stem) >= _LEAST_STEM else plain_letters(word)

    def _look_up(self, word: str) -> tuple[Meaning, ...]:
        """What a word may mean; two meanings where it is two words in one; none where it is not known."""
        if len(word) > _LONGEST or word in commonest_words(self.language):
            return ()
        if word in _OTHER_SENSES.get(self.language, ()):
            return ()
        if found := self._of_one_word(word):
            return (found,)
        return self._of_two(word) if self.language in _JOINING else ()

    def _of_one_word(self, word: str) -> Meaning:
        if found := self.exact.get(word) or self.stems.get(self.stem(word)):
            return found
        bare = (word.removesuffix(end) for end in _ENDINGS.get(self.language, ()) if word.endswith(end))
        return next((self.exact[each] for each in bare if each in self.exact), frozenset())

    def _of_two(self, word: str) -> tuple[Meaning, ...]:
        for cut in range(len(word) - _LEAST_PART, _LEAST_PART - 1, -1):
            last = self._of_one_word(word[cut:])
            if not last:
                continue
            for link in _LINKS:
                first = (
                    self._of_one_word(word[:cut].removesuffix(link)) if word[:cut].endswith(link) else None
                )
                if first:
                    return (first, last)
        return ()

    def knows(self, words: Sequence[str]) -> bool:
        """Whether all that words name is listed."""
        stems = list(map(self.stem, words))
        place = 0
        while place < len(words):
            if phrase := self.phrase_at(stems, place):
                place += phrase[1]
            elif self.meanings(words[place]) or words[place] in commonest_words(self.language):
                place += 1
            else:
                return False
        return bool(words)

    def phrase_at(self, stems: Sequence[str], place: int) -> tuple[int, int] | None:
        """The thing that a phrase at a place of a text's stems names, and how many words it has."""
        for words, thing in self.phrases.get(stems[place], ()):
            if tuple(stems[place : place + len(words)]) == words:
                return thing, len(words)
        return None


@lru_cache(maxsize=1)
def things() -> tuple[Thing, ...]:
    """All things of all files."""
    return tuple(_listed())


def _listed() -> Iterator[Thing]:
    for name in _FILES:
        file = load_yaml(Path(__file__).with_name(f"{name}.yaml"), ThingFile)
        for kind in _KINDS:
            for line in getattr(file, kind):
                columns = [column.strip().split("/") for column in line.split("|")]
                said = zip(DICTIONARY_LANGUAGES, columns, strict=True)
                yield Thing(
                    kind, {language: tuple(normalise(way) for way in ways) for language, ways in said}
                )


@lru_cache(maxsize=16)
def thing_words(language: Language) -> WordsOf:
    """The words of one language."""
    return WordsOf(language)
