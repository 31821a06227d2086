"""Words for things in Chinese, Japanese, Korean, Arabic and Hindi, and where a text has them.

Chinese and Japanese have no spaces: the longest listed word counts at each place, and a sign of a
longer word is none ("水" of "水晶"). In the others a word is read without what its language joins to it:
Korean particles, the article and prepositions of Arabic, endings of Hindi.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.translated.dictionary import Meaning, things
from niah.text.writing import HAN, HIRAGANA, KATAKANA

EASTERN_LANGUAGES: tuple[Language, ...] = ("zh", "ja", "ko", "ar", "hi")
"""The languages that are read here, in the files' order."""
_FILES = ("things", "creatures_and_places", "qualities_and_nature")
_UNSPACED: tuple[Language, ...] = ("zh", "ja")
_WORD = {
    "ko": lazy_pattern("[\uac00-\ud7a3]+"),
    "ar": lazy_pattern("[\u0620-\u065f\u0670-\u06d3]+"),
    "hi": lazy_pattern("[\u0900-\u0963\u0970-\u097f]+"),
}
_PARTICLE = lazy_pattern(
    "(?:은|는|이|가|을|를|의|에게|에서|에|으로|로|와|과|도|만|까지|부터|처럼|하고|이랑|랑|이며|이고|으로는|에는|라는|이라는|이라고"
    "|입니다|이에요|예요|였습니다|이었습니다|이다|였다|이었다|요|이요|네요|이네요|등|뿐)\\Z"
)
_BEFORE_ARABIC = lazy_pattern("[وف]?(?:[بكل]?ال|لل)|[وفبكل]")
_HINDI_ENDING = lazy_pattern("(?:ों|ें|ियाँ|ियों|याँ|ाएँ|ओं)\\Z")
_AND_ARABIC = ("و", "ف")
_OF_KOREAN = "의"
_LINKS = {
    "zh": ("的", "之"),
    "ja": ("の",),
    "ko": ("의",),
    "ar": ("من", "ال"),
    "hi": ("का", "की", "के", "वाला", "वाली"),
}
_BETWEEN_ZH = frozenset("的和与及或是为了有在用从由把将给跟、以呢吧叫")
_SAME_WRITING = tuple(lazy_pattern(f"[{letters}]") for letters in (HAN, KATAKANA))
_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")


class EasternFile(FileModel):
    """Things by their first English words, each as its words in five languages."""

    sources: tuple[NonEmptyText, ...]
    words: tuple[NonEmptyText, ...]


class EasternWord(NamedTuple):
    """A word of a text: what it may mean, and where it stands.

    What means nothing links words of one name ("的") or, without ``links``, parts two names ("와").
    """

    meaning: Meaning
    start: int
    end: int
    links: bool = True


@lru_cache(maxsize=1)
def _listed() -> dict[Language, dict[str, Meaning]]:
    """Every listed word, normalised, with what it may mean."""
    places = {thing.words["en"][0]: place for place, thing in enumerate(things())}
    listed: dict[Language, dict[str, Meaning]] = {language: {} for language in EASTERN_LANGUAGES}
    for name in _FILES:
        file = load_yaml(Path(__file__).parent / "eastern" / f"{name}.yaml", EasternFile)
        for line in file.words:
            english, *columns = (column.strip() for column in line.split("|"))
            for language, column in zip(EASTERN_LANGUAGES, columns, strict=True):
                for way in map(normalise, column.split("/")):
                    known = listed[language].get(way, frozenset())
                    listed[language][way] = known | {places[normalise(english)]}
    return listed


@lru_cache(maxsize=8)
def _beginnings(language: Language) -> dict[str, list[str]]:
    """Listed words by their first sign, or, where words have spaces, phrases by their first word."""
    begun: dict[str, list[str]] = {}
    for way in sorted(_listed()[language], key=len, reverse=True):
        first = way[0] if language in _UNSPACED else way.split()[0]
        begun.setdefault(first, []).append(way)
    return begun


@lru_cache(maxsize=64)
def eastern_words(text: str, language: Language) -> tuple[EasternWord, ...]:
    """The listed words of a normalised text, and the links between them, in reading order."""
    words = tuple(_of_unspaced(text, language) if language in _UNSPACED else _of_spaced(text, language))
    return words if any(word.meaning for word in words) else ()


def _of_unspaced(text: str, language: Language) -> Iterator[EasternWord]:
    begun, listed, links = _beginnings(language), _listed()[language], _LINKS[language]
    found: list[EasternWord] = []
    place = 0
    while place < len(text):
        way = next((each for each in begun.get(text[place], ()) if text.startswith(each, place)), "")
        if way:
            found.append(EasternWord(listed[way], place, place + len(way)))
        elif text[place] in links:
            found.append(EasternWord(frozenset(), place, place + 1))
        place += len(way) or 1
    covered = {place for word in found for place in range(word.start, word.end)}
    for word in found:
        if not word.meaning or _stands_alone(text, word, covered):
            yield word


def _stands_alone(text: str, word: EasternWord, covered: set[int]) -> bool:
    """Whether a word of one sign, or in katakana, is no part of a longer one that is not listed."""
    said = text[word.start : word.end]
    if len(said) > 1 and not _KANA.search(said):
        return True
    for beside, own in ((word.start - 1, said[0]), (word.end, said[-1])):
        if not 0 <= beside < len(text) or beside in covered or text[beside] in _BETWEEN_ZH:
            continue
        if any(writing.match(own) and writing.match(text[beside]) for writing in _SAME_WRITING):
            return False
    return True


def _of_spaced(text: str, language: Language) -> Iterator[EasternWord]:
    begun, listed, links = _beginnings(language), _listed()[language], _LINKS[language]
    words = list(_WORD[language].finditer(text))
    place = 0
    while place < len(words):
        for bare in _ways_to_read(words[place][0], language):
            if phrase := _phrase(words, place, begun.get(bare, ()), language):
                first, last = words[place], words[place + phrase.count(" ")]
                if language == "ar" and first[0] != bare and first[0].startswith(_AND_ARABIC):
                    yield EasternWord(frozenset(), first.start(), first.start(), links=False)
                yield EasternWord(listed[phrase], first.start(), last.end())
                if language == "ko" and not last[0].endswith((phrase.split()[-1], _OF_KOREAN)):
                    yield EasternWord(frozenset(), last.end(), last.end(), links=False)
                place += phrase.count(" ")
                break
        else:
            said = words[place][0]
            if said in links:
                yield EasternWord(frozenset(), *words[place].span())
            elif language == "ko":
                yield from _of_two(words[place], listed)
        place += 1


def _phrase(words: list[re.Match[str]], place: int, ways: Sequence[str], language: Language) -> str:
    """The longest of the listed phrases that begin with a word; a particle within ends a Korean one."""
    for way in ways:
        parts = way.split()
        said = [word[0] for word in words[place : place + len(parts)]]
        if language == "ko" and said[:-1] != parts[:-1]:
            continue
        if len(said) == len(parts) and all(
            part in _ways_to_read(word, language) for part, word in zip(parts[1:], said[1:], strict=True)
        ):
            return way
    return ""


def _of_two(word: re.Match[str], listed: dict[str, Meaning]) -> Iterator[EasternWord]:
    """Two listed words in one: "구리문"."""
    for bare in _ways_to_read(word[0], "ko"):
        for cut in range(2, len(bare)):
            if bare[:cut] in listed and bare[cut:] in listed:
                middle = word.start() + cut
                yield EasternWord(listed[bare[:cut]], word.start(), middle)
                yield EasternWord(listed[bare[cut:]], middle, word.end())
                return


@lru_cache(maxsize=8192)
def _ways_to_read(word: str, language: Language) -> tuple[str, ...]:
    """A word as it stands, then without what its language joins to it."""
    ways = [word]
    if language == "ko":
        ways += [word[:cut] for cut in range(len(word) - 1, 0, -1) if _PARTICLE.match(word, cut)]
    elif language == "ar":
        prefix = _BEFORE_ARABIC.match(word)
        if prefix and len(word) > prefix.end() + 1:
            ways.append(word[prefix.end() :])
    elif ending := _HINDI_ENDING.search(word):
        stem = word[: ending.start()]
        ways += [stem, f"{stem}ा", f"{stem}ी"]
    return tuple(ways)
