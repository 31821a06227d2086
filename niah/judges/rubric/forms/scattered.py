"""Names whose words stand apart: "the lentil that grows in marshes", "rye (the winter one)".

All words of a name have to stand in one item of the answer, in any order, with a few others between. A list's
"and", a denial or another name ends the item, as does a comma, unless nothing but the name's own words follow
("mutton, cold"). Names that the question itself repeats are not read so, and neither are those with digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from niah.judges.rubric.forms.inflection import name_words
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.forms.text_words import TextWords, split_words, words_as_in_names
from niah.judges.rubric.lazy_pattern import lazy_pattern

_REMEMBERED = 8192
"""Words whose classes are remembered: answers repeat each other's."""
_WINDOW = 8
"""Words from the first to the last of a name."""
_LEAST_ALIKE = 4
_ENDING = 3
_NO_ENDING = frozenset("bdfghjklmnpqrtvwxz")
"""Letters of which no two begin endings of one word, as t and c do in "fluent" and "fluency"."""
_LINKING = ("es", "en", "s", "n", "e", "er")
"""What German puts between the parts of a word."""
_LEAST_PART = 4
_HANGUL = lazy_pattern(r"[\uac00-\ud7a3]{3,}")
_HAN = lazy_pattern(r"[\u3400-\u9fff\u3005\u3040-\u30ff]{3,12}")
_KOREAN_BETWEEN = r"[\uac00-\ud7a3]{0,2}(?:\s+[\uac00-\ud7a3]{1,4}){0,2}\s*"
_EASTERN_BETWEEN = "(?:的|之|の|色の|色的|製の|制的|做的|で(?:作|でき)[っらたれ]{1,3})"

# They stand between the words of a name, or are part of one, and tell nothing.
_LIGHT = frozenset(
    re.findall(
        r"\w+",
        """
    the a an of from in on with for to made one ones which that who is are was were been being its his
    her their     der die das den dem des ein eine einen einem einer aus von vom mit zu zum war ist waren
    le la les l un une des du de d en au aux qui que était est étaient avait été à ce cet cette
    el los las una del que estaba era está hecho hecha color uno
    o os as um uma do da dos das que era estava feito feita cor
    il lo gli i di della dello dei delle che è stato fatto fatta ai al
    из от с в на у к для во
    """,
    )
)
_ENDS_AN_ITEM = frozenset(
    re.findall(
        r"\w+",
        """
    and or but not no never nor without than neither unlike while whereas instead except nearly almost hardly
    und oder aber nicht kein keine keinen ohne sondern weder noch als statt
    et ou mais pas sans ni non plutôt y pero sin sino e ma senza né bensì mas não sem nem
    и или но не без ни а
    """,
    )
)
_BETWEEN = lazy_pattern(r"['\u2019]?[\s\"']*(?:(?P<comma>,)|(?P<opens>[(\[])|(?P<closes>[)\]]))?[\s\"']*")
_ITEM_OVER = re.compile(r"\s*(?:[.;,)\n]|\Z)")


class ScatteredMatch(NamedTuple):
    """Where a name's words stand apart; ``name`` is the element's, with whether it is right."""

    name: tuple[str, bool]
    start: int
    end: int


class ScatteredNames:
    """Names of several words, and compounds, to be found where a text takes them apart.

    Args:
        names: normalised ways to write, each with its element.
        question: normalised; a name whose words it has, but not as a name, is not put together.
        class_of: the class of a word: all its forms, of all persons.
    """

    def __init__(
        self,
        names: Iterable[tuple[str, tuple[str, bool]]],
        question: str,
        class_of: Callable[[str], str],
    ) -> None:
        self._class_of = class_of
        asked = frozenset(words_as_in_names(question))
        known = frozenset(map(class_of, asked))
        meant: dict[frozenset[str], set[tuple[str, bool]]] = {}
        compounds: dict[str, tuple[str, bool]] = {}
        for written, element in names:
            words = frozenset(class_of(word) for word in name_words(written) if word not in _LIGHT)
            named = written in question
            if len(words) > 1 and (named or not words <= known) and words.isdisjoint(_ENDS_AN_ITEM):
                meant.setdefault(words, set()).add(element)
            elif " " not in written and written not in asked and len(written) > 2:
                compounds[written] = element
        self._names = [(words, next(iter(e))) for words, e in meant.items() if len(e) == 1]
        self._by_class: dict[str, list[int]] = {}
        self._by_beginning: dict[str, set[str]] = {}
        for place, (words, _) in enumerate(self._names):
            for word in words:
                self._by_class.setdefault(word, []).append(place)
                if len(word) >= _LEAST_ALIKE:
                    self._by_beginning.setdefault(word[:_LEAST_ALIKE], set()).add(word)
        self._classes_of = lru_cache(maxsize=_REMEMBERED)(self._classes)
        self._begun_by = lru_cache(maxsize=_REMEMBERED)(self._names_begun)
        self._ended_by = lru_cache(maxsize=_REMEMBERED)(self._compounds_ended)
        self._apart = [(p, e) for written, e in compounds.items() for p in _taken_apart(written)]
        self._compounds = [
            (written, element)
            for written, element in compounds.items()
            if len(written) >= 2 * _LEAST_PART and re.fullmatch("[a-z\u00df-\u00ff]+", written)
        ]

    def find(self, text: str, taken: Sequence[bool]) -> Iterator[ScatteredMatch]:
        """Every place of a normalised text where a name's words stand apart, outside of what is taken."""
        for pattern, element in self._apart:
            yield from (ScatteredMatch(element, *match.span()) for match in pattern.finditer(text))
        if not (self._names or self._compounds):
            return
        said = split_words(text)
        if self._compounds:
            yield from self._find_compounds(said)
        if not self._names:
            return

        def classes_at(place: int) -> frozenset[str]:
            is_taken = taken[said.spans[place][0]]
            return frozenset() if is_taken else self._classes_of(said.words[place])

        begun_by = self._begun_by
        begun = [
            (first, places)
            for first, word in enumerate(said.words)
            if (places := begun_by(word)) and not taken[said.spans[first][0]]
        ]
        for first, places in begun:
            for place in places:
                name_words, element = self._names[place]
                last = _last_word(text, said, classes_at, first, name_words)
                if last is not None:
                    yield ScatteredMatch(element, said.spans[first][0], said.spans[last][1])

    def _classes(self, word: str) -> frozenset[str]:
        """The names' words that a word may be another form of: itself, or "gold" of "golden"."""
        own = self._class_of(word.removesuffix("'s"))
        near = self._by_beginning.get(own[:_LEAST_ALIKE], ()) if len(own) >= _LEAST_ALIKE else ()
        if own in self._by_class or not near or number_of(word):  # "four" is no form of "fourth"
            return frozenset((own,))
        return frozenset((own, *(other for other in near if _alike(own, other))))

    def _names_begun(self, word: str) -> tuple[int, ...]:
        """The places of the names that have a word, in any form."""
        return tuple(
            sorted({place for own in self._classes_of(word) for place in self._by_class.get(own, ())})
        )

    def _compounds_ended(self, word: str) -> tuple[tuple[tuple[str, bool], list[str]], ...]:
        """The compounds that a word may be the end of, each with what may stand for its beginning."""
        if len(word) < _LEAST_PART:
            return ()
        tails = (
            (written, element, next((tail for tail in (word, word[:-1]) if written.endswith(tail)), ""))
            for written, element in self._compounds
        )
        return tuple(
            (element, _heads(written[: -len(tail)]))
            for written, element, tail in tails
            if _LEAST_PART <= len(tail) <= len(written) - _LEAST_PART
        )

    def _find_compounds(self, said: TextWords) -> Iterator[ScatteredMatch]:
        ended = [(place, found) for place, word in enumerate(said.words) if (found := self._ended_by(word))]
        for place, compounds in ended:
            for element, heads in compounds:
                window = takewhile(
                    lambda other: said.words[other] not in _ENDS_AN_ITEM,
                    range(place + 1, min(place + 5, len(said))),
                )
                for other in window:
                    if any(said.words[other].startswith(h) or said.words[other].endswith(h) for h in heads):
                        yield ScatteredMatch(element, said.spans[place][0], said.spans[other][1])
                        break


def _heads(head: str) -> list[str]:
    heads = [head, *(head.removesuffix(link) for link in _LINKING)]
    return [one for one in heads if len(one) >= _LEAST_PART]


def _taken_apart(written: str) -> Iterator[re.Pattern[str]]:
    """A Korean or Chinese compound with a particle or a few words between its parts."""
    if written.isascii():
        return
    if _HANGUL.fullmatch(written):
        for cut in range(2, len(written)):
            yield re.compile(
                rf"(?<![\uac00-\ud7a3]){written[:cut]}(?!{written[cut:]}){_KOREAN_BETWEEN}(?<=\s){written[cut:]}"
            )
    elif _HAN.fullmatch(written):
        for cut in range(1, len(written)):
            yield re.compile(f"{written[:cut]}{_EASTERN_BETWEEN}{written[cut:]}")


def _alike(word: str, other: str) -> bool:
    """Whether two words begin alike up to an ending: "stony" and "stone", not "whisk" and "whistle"."""
    shorter = min(len(word), len(other))
    alike = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), shorter)
    if alike < shorter and _NO_ENDING.issuperset(word[alike] + other[alike]):
        return False
    return alike >= max(_LEAST_ALIKE, shorter - 1) and max(len(word), len(other)) - alike <= _ENDING


def _last_word(
    text: str,
    said: TextWords,
    classes_at: Callable[[int], frozenset[str]],
    first: int,
    words: frozenset[str],
) -> int | None:
    """The place of the word with which all have been said; None where they are not."""
    left = words - classes_at(first)
    if len(left) == len(words):
        return None
    bracket, own_words_alone = False, False
    for place in range(first + 1, min(first + _WINDOW, len(said))):
        word, (start, end) = said.words[place], said.spans[place]
        gap = _BETWEEN.fullmatch(text, said.spans[place - 1][1], start)
        if gap is None or word in _ENDS_AN_ITEM or (gap["opens"] and bracket):
            return None
        bracket = (bracket or gap["opens"] is not None) and gap["closes"] is None
        own_words_alone = own_words_alone or (gap["comma"] is not None and not bracket)
        classes = classes_at(place)
        own = left & classes
        left -= own
        if not classes or (own_words_alone and not own and word not in _LIGHT):
            return None
        if not left:
            over = not own_words_alone or _ITEM_OVER.match(text, end)
            return place if over else None
    return None
