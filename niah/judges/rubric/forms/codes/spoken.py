"""Numbers and codes said digit by digit or in pairs: "four-oh-seven", "double eight", "zwo null sieben"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from niah.judges.rubric.forms.codes.separators import SeparatedCodes, WrittenCode
from niah.judges.rubric.forms.text_words import TextWords, split_words
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

_LANGUAGES: tuple[Language, ...] = ("en", "de", "fr", "es", "pt", "it", "ru")
_ALSO = {
    **dict.fromkeys(("oh", "o", "nought", "naught", "zéro", "cero", "ноль", "нуль"), "0"),
    **{"eins": "1", "один": "1", "uno": "1", "um": "1", "une": "1", "zwo": "2", "duas": "2", "meia": "6"},
}
_REPEATED = {"double": 2, "doppel": 2, "triple": 3, "treble": 3}
_EASTERN = {
    **dict(zip("零〇一二三四五六七八九", "00123456789", strict=True)),
    **dict(zip("공영일이삼사오육칠팔구", "00123456789", strict=True)),
    "幺": "1",
}
_EASTERN_RUN = lazy_pattern(rf"[{''.join(_EASTERN)}](?: ?[{''.join(_EASTERN)}]){{2,}}")
_APART = re.compile(r"[ \t]*,?[ \t]*")
_DASH = re.compile(
    r"[ \t]*,?[ \t]*(?:dash|hyphen|strich|bindestrich|tiret|trait[ \t]d'union|guion|guión|traço"
    r"|hífen|trattino|тире|дефис)[ \t]*,?[ \t]*"
)
"""The sign between two groups of a code, said in a word."""
_LARGER = frozenset(
    """hundred thousand million billion point half cent mille mil mila mille tausend hundert тысяч тысячи сто
    o'clock past percent""".split()  # noqa: SIM905
)
"""Words of which one beside a digit makes another number of it."""
_MOST_WORDS = 3
"""Words of a number under a hundred: "treinta y siete"."""
_LEAST_GROUPS = 2


class SpokenDigits:
    """Numbers and codes, to be found where a text says their digits.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        known = [(written, element) for written, element in names if re.search(r"\d\D*\d", written)]
        self._known = bool(known)
        self._numbers = {written: element for written, element in known if written.isdecimal()}
        self._codes = SeparatedCodes(known)

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return self._known

    def find(self, text: str) -> Iterator[WrittenCode]:
        """Every number or code of which a normalised text says at least two digits."""
        runs = list(_spoken(text))
        if not runs:
            return
        for digits, start, end in runs:
            if digits in self._numbers:
                yield WrittenCode(self._numbers[digits], start, end)
        yield from self._in_digits(text, runs)

    def _in_digits(self, text: str, runs: Sequence[tuple[str, int, int]]) -> Iterator[WrittenCode]:
        """Codes of the text with digits for words: "kx, four eight two one" is "kx, 4821"."""
        pieces, edges, shifts, length, done = [], [0], [0], 0, 0
        for digits, start, end in runs:
            pieces += [text[done:start], digits]
            length += start - done
            edges += [length, length + len(digits)]
            shifts += [start, end]
            length, done = length + len(digits), end
        for code in self._codes.find("".join((*pieces, text[done:]))):
            first, last = (bisect_right(edges, place) - 1 for place in (code.start, code.end - 1))
            start = shifts[first] + (0 if first % 2 else code.start - edges[first])
            end = shifts[last + 1] if last % 2 else shifts[last] + code.end - edges[last]
            if any(start < run_end and run_start < end for _, run_start, run_end in runs):
                yield WrittenCode(code.element, start, end)


def _spoken(text: str) -> Iterator[tuple[str, int, int]]:
    """Runs of digits that a text says: the digits, and where they stand."""
    for match in _EASTERN_RUN.finditer(text):
        yield "".join(_EASTERN[sign] for sign in match[0] if sign != " "), *match.span()
    words = _words()
    said = split_words(text)
    place = 0
    while place < len(said):
        word = said.words[place]
        if (word not in words and word not in _REPEATED) or word == "o":  # an article of Portuguese too
            place += 1
            continue
        groups, behind = _groups(text, said, place)
        before = place - 1 if place and said.words[place - 1] != "and" else place - 2
        alone = said.words[before] if before >= 0 else ""
        follows = said.words[behind] if behind < len(said) else ""
        if len(groups) >= _LEAST_GROUPS and alone not in _LARGER and follows not in _LARGER:
            yield "".join(groups), said.spans[place][0], said.spans[behind - 1][1]
        elif behind == place + _LEAST_GROUPS and len(groups) == 1 and len(groups[0]) > 1:
            yield groups[0], said.spans[place][0], said.spans[behind - 1][1]
        place = max(behind, place + 1)


def _groups(text: str, said: TextWords, place: int) -> tuple[list[str], int]:
    """The digits of each group of words from a place on, and the place behind the last."""
    groups: list[str] = []
    while place < len(said):
        if groups and (dash := _DASH.match(text, said.spans[place - 1][1])):
            while place < len(said) and said.spans[place][0] < dash.end():
                place += 1
            if place == len(said):
                break
        elif groups and not _APART.fullmatch(text, said.spans[place - 1][1], said.spans[place][0]):
            break
        times = _REPEATED.get(said.words[place], 1)
        at = place + (times > 1)
        found = _number_at(said, at)
        if found is None or (times > 1 and len(found[0]) > 1):
            break
        groups.append(found[0] * times)
        place = found[1]
    return groups, place


def _number_at(said: TextWords, place: int) -> tuple[str, int] | None:
    for count in range(min(_MOST_WORDS, len(said) - place), 0, -1):
        words, spans = said.words[place : place + count], said.spans[place : place + count]
        if spans[-1][1] - spans[0][0] == sum(map(len, words)) + count - 1:
            digits = _phrases().get(" ".join(words))
            if digits is not None:
                return digits, place + count
    return None


@lru_cache(maxsize=1)
def _phrases() -> dict[str, str]:
    """The digits of every number under a hundred in words."""
    from num2words import num2words

    from niah.judges.rubric.normalise import normalise

    phrases: dict[str, str] = {}
    for language in _LANGUAGES:
        for value in range(100):
            said = str(num2words(value, lang=language))
            phrases.setdefault(said.casefold() if language == "ru" else normalise(said), str(value))
    return phrases | _ALSO


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words that such numbers begin with."""
    return frozenset(phrase.partition(" ")[0] for phrase in _phrases())
