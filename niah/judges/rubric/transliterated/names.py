"""Names that an answer writes in another script: "Осрин Танделл", "オスリン・タンデル" for Osrin Tandell.

Every word of a name has to sound like a word of the answer, in the same order, side by side, or all of
them together like one. What a language joins to a name, such as the ending of a case or a particle, is left
out. A name that two elements could mean is left out, and so is one whose words the needle set writes small:
what is no name is translated, not spelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from niah.judges.rubric.forms.inflection import LooseMatch
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.transliterated.alike import distance, may_be
from niah.judges.rubric.transliterated.sounds import LETTERS_OF, Script, sounds_of

_OTHER_SCRIPTS: tuple[Script, ...] = ("cyrillic", "katakana", "hangul", "arabic", "devanagari")
_BEYOND_LATIN = lazy_pattern("[\u0400-\ud7a3]")
_WORDS = {script: lazy_pattern(f"[{letters}]+") for script, letters in LETTERS_OF.items()}
_NAME = {
    script: lazy_pattern(f"[{letters}]+(?:[ '.・=]+[{letters}]+)*") for script, letters in LETTERS_OF.items()
}
_APART = re.compile("[ ・·=-]{0,2}")
_LOWER = re.compile("[^\\W\\d_]+")
_ENDINGS = {
    "latin": lazy_pattern(r"'?s\Z"),
    "cyrillic": lazy_pattern(r"(?:ами|ями|ого|ому|ом|ем|ой|ей|ым|ых|ам|ах|ов|ев)\Z"),
    "hangul": lazy_pattern(
        r"(?:(?:은|는|이|가|을|를|의|에게|에서|에|으로|로|와|과|도|만|씨|님|행|호|께서|한테|까지|부터|처럼|보다|하고|이랑|랑|이며|이고)+"
        r"|(?:이라|라|이란|란)(?:는|고|고도|는데)?|(?:씨)?(?:이)?(?:입니다|이에요|예요|였습니다|었습니다|이었다|였다|이다|다|요|네요|죠|인))\Z"
    ),
}
_PREFIX = re.compile("[وف]?(?:[بكل]?ال|لل|[بكل])|[وف]")
_LEAST_BEHIND_PREFIX = 3
_TITLES = frozenset(
    re.findall(
        r"\w+", "mr mrs ms miss dr doctor captain professor sir lady lord sister brother father saint st aunt"
    )
)
_LEAST, _LEAST_ALONE, _LEAST_OF_ANY_WORD = 3, 5, 7
"""Sounds of a name of several words, of one of a single word, and of a word that may be no name."""
_WITHOUT_CAPITALS: tuple[Script, ...] = ("hangul", "arabic", "devanagari")
_MOST_WORDS = 4
_LONGEST = 40
"""Letters of a word that may be a name: what a reader repeats without a space is none."""
_SURE = 0.1
_NEARER = 0.25
"""By how much a name has to be nearer than any other element's."""


def _fewest_sounds(script: Script, words: int) -> int:
    """Sounds that a name of so many words must have to be told in another script."""
    if script in _WITHOUT_CAPITALS:
        return _LEAST_OF_ANY_WORD
    return _LEAST_ALONE if words == 1 else _LEAST


class _Spelled(NamedTuple):
    """A name as the sounds of its words, and its element with whether it is right."""

    sounds: tuple[str, ...]
    element: tuple[str, bool]


class _Said(NamedTuple):
    """A word of a text: what it may sound like, and where it stands."""

    sounds: tuple[str, ...]
    start: int
    end: int


class TransliteratedNames:
    """Names by how they sound.

    Args:
        names: normalised ways to write, each with its element.
        told: every text of the needle set, as it is written.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]], told: Sequence[str]) -> None:
        self._names, self._told = tuple(names), told

    @cached_property
    def _spelled(self) -> dict[Script, list[_Spelled]]:
        """The names of each script."""
        small = {word for text in self._told for word in _LOWER.findall(text) if word.islower()}
        spelled: dict[Script, list[_Spelled]] = {}
        for written, element in self._names:
            script = next((each for each in LETTERS_OF if _NAME[each].fullmatch(written)), None)
            words = _WORDS[script].findall(written) if script else []
            if script is None or not 0 < len(words) <= _MOST_WORDS or not small.isdisjoint(words):
                continue
            words = words[1:] if len(words) > 1 and words[0] in _TITLES else words
            sounds = tuple(sounds_of(word, script) for word in words)
            if len("".join(sounds)) >= _fewest_sounds(script, len(sounds)):
                spelled.setdefault(script, []).append(_Spelled(sounds, element))
        return spelled

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text that writes a name in another script than the needle set does."""
        if not self._names or (text.isascii() and not self._has_others):
            return
        if _BEYOND_LATIN.search(text):
            for script in _OTHER_SCRIPTS:
                yield from _find(text, script, self._spelled.get("latin", ()), script)
        for script in _OTHER_SCRIPTS if self._has_others else ():
            yield from _find(text, "latin", self._spelled.get(script, ()), script)

    @cached_property
    def _has_others(self) -> bool:
        """Whether any name may be told in Latin letters."""
        has_letters = any(not written.isascii() for written, _ in self._names)
        return has_letters and any(script != "latin" for script in self._spelled)


def _find(text: str, said_in: Script, names: Sequence[_Spelled], script: Script) -> Iterator[LooseMatch]:
    """Where a text names any of the names in the letters of one script; ``script`` is the one not Latin."""
    words = _said(text, said_in) if names else ()
    for first in range(len(words)):
        found = list(_names_at(text, words, first, names, script))
        if element := _nearest(found):
            end = max(end for _, name, end in found if name == element)
            yield LooseMatch(element, words[first].start, end, 0)


def _nearest(found: Sequence[tuple[float, tuple[str, bool], int]]) -> tuple[str, bool] | None:
    """The element that sounds nearest, if no other one is about as near."""
    if not found:
        return None
    least, element, _ = min(found)
    others = (apart for apart, other, _ in found if other != element)
    return element if least + _NEARER <= min(others, default=least + 1) else None


def _names_at(
    text: str, words: Sequence[_Said], first: int, names: Sequence[_Spelled], script: Script
) -> Iterator[tuple[float, tuple[str, bool], int]]:
    """How far each name that may stand from one word on is from it, its element, and where it ends."""
    for name in names:
        count = len(name.sounds)
        last = first + count - 1
        if last < len(words) and _side_by_side(text, words[first : last + 1]):
            apart = [
                _apart(mine, said.sounds, script)
                for mine, said in zip(name.sounds, words[first : last + 1], strict=True)
            ]
            near = all(map(may_be, name.sounds, apart))
            if near and (count > 1 or _is_telling(name.sounds[0], apart[0])):
                yield sum(apart), name.element, words[last].end
                continue
        if count > 1:
            whole = "".join(name.sounds)
            apart_as_one = _apart(whole, words[first].sounds, script)
            if may_be(whole[: _LEAST_ALONE + 1], apart_as_one):
                yield apart_as_one, name.element, words[first].end


def _is_telling(sounds: str, apart: float) -> bool:
    return len(sounds) > _LEAST_ALONE or apart <= _SURE * len(sounds)


def _apart(name: str, ways: Sequence[str], script: Script) -> float:
    """How far the nearest way to hear a word is from a name; far where they begin otherwise."""
    return min(
        (distance(name, way, script) for way in ways if _may_begin_alike(name, way)), default=len(name) + 1.0
    )


_BROAD = {
    **dict.fromkeys("pbfvwu", "lip"),
    **dict.fromkeys("tdTszS", "tip"),
    **dict.fromkeys("kgh", "back"),
    **dict.fromkeys("lr", "liquid"),
    **dict.fromkeys("mn", "nose"),
}


def _may_begin_alike(name: str, way: str) -> bool:
    """Whether two words may sound alike, by their lengths and where in the mouth they begin: a cheap test."""
    if not name or not way or not len(way) <= 2 * len(name) + 1 or not len(name) <= 2 * len(way) + 1:
        return False
    mine, said = _BROAD.get(name[0]), _BROAD.get(way[0])
    return mine == said or mine is None or said is None or "back" in (mine, said)


def _side_by_side(text: str, words: Sequence[_Said]) -> bool:
    return all(_APART.fullmatch(text, one.end, other.start) for one, other in pairwise(words))


@lru_cache(maxsize=64)
def _said(text: str, script: Script) -> tuple[_Said, ...]:
    """The words that a text has of a script."""
    return tuple(
        _Said(
            tuple(dict.fromkeys(sounds_of(way, script) for way in _ways_to_hear(found[0], script))),
            *found.span(),
        )
        for found in _WORDS[script].finditer(text)
    )


def _ways_to_hear(word: str, script: Script) -> Iterator[str]:
    """A word, and without what its language may join to a name; of what is too long for one, itself."""
    yield word
    if len(word) > _LONGEST:
        return
    if script == "arabic":
        if (prefix := _PREFIX.match(word)) and len(word) - prefix.end() >= _LEAST_BEHIND_PREFIX:
            yield word[prefix.end() :]
        return
    if endings := _ENDINGS.get(script):
        for cut in range(2, len(word)):
            if endings.match(word, cut):
                yield word[:cut]
