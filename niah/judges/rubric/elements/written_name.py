"""How a name may be written: its words, their plurals, stops and separators, its numbers in other forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from niah.judges.rubric.forms.borders import AFTER_ANY, ANYTHING, NUMERALS, after
from niah.judges.rubric.forms.bounds import other_bounds
from niah.judges.rubric.forms.names.abbreviated import abbreviated
from niah.judges.rubric.forms.names.numbered import other_numbered
from niah.judges.rubric.forms.numbers import number_of, other_numbers
from niah.judges.rubric.forms.quantities import other_quantities
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import looks_latin, normalise, spaced
from niah.needles.needle_set import Element

_SIBILANT = ("s", "x", "z", "ch", "sh")
_TRAILING = ".,;:!?"
_ARTICLES = ("a", "an", "the")
LEAST_TELLING = 13
"""The least number that a wrong element's words are looked for: "two" and "seven" stand in every text."""
# "Twenty seven", "treinta y siete" and "двадцать семь" are no seven, and nor is "seven hundred".
_NO_TENS_BEFORE = r"(?<!ty )(?<!ta y )(?<!ta e )(?<!vinte e )(?<!ante )(?<!vingt )(?<!дцать )(?<!десят )"
_NO_MORE_BEHIND = (
    r"(?! (?:hundred|thousand|million|point|and a half|cent|mil|mila|mille|tausend|тысяч|bin|yüz"
    r"|et (?:une?|onze)|[ye] (?:un[oa]?|uma?|dos|dois|duas|tr[eê]s|cuatro|quatro|cinco|seis)"
    r"|[ye] (?:siete|sete|ocho|oito|nueve|nove)"
    r"|один|одн[аоу]|два|две|три|четыре|пять|шесть|семь|восемь|девять"
    r"|jeden|dwa|dwie|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć"
    r"|bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz)\b)"
)
_THOUSANDS_END = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
_LETTER_RUN = re.compile(r"[a-z]+|[^\W\d_a-z]+|\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_HANGUL_ENDS = lazy_pattern("\\A[\uac00-\ud7a3]|[\uac00-\ud7a3]\\Z")
_LETTER_MEETS_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


@dataclass(frozen=True)
class WrittenName:
    """One way to write an element. ``exactly`` knows no plural and settles ties.

    Expressions are compiled where a text may have the name, since most names of a needle set stand in no
    answer. ``ends`` matches behind the name. ``first`` is the runs of letters or digits of which one stands
    where it is named; empty where anything may stand there. ``holds`` is a part of it that every text has
    which names it; "" where there is none. ``written`` is the name, normalised.
    """

    element: str
    right: bool
    expression: str
    exactly: str
    ends: re.Pattern[str]
    first: frozenset[str]
    holds: str = ""
    written: str = ""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    @cached_property
    def _pattern_to_its_end(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self.expression}){self.ends.pattern}")

    @cached_property
    def _exact(self) -> re.Pattern[str]:
        return re.compile(self.exactly)

    def at(self, text: str, start: int) -> re.Match[str] | None:
        """The name, if it stands at ``start``."""
        match = self._pattern.match(text, start)
        if match is None or self.ends.match(text, match.end()):
            return match
        return self._pattern_to_its_end.match(text, start)

    def anywhere(self, text: str) -> Iterator[re.Match[str]]:
        """The name wherever it stands."""
        start = 0
        if self.holds not in text:
            return
        while found := self._pattern.search(text, start):
            match = self.at(text, found.start())
            if match:
                yield match
            start = max(match.end() if match else 0, found.start() + 1)

    def is_exact(self, match: re.Match[str]) -> bool:
        """Whether a match spells the name to the letter."""
        return self._exact.fullmatch(match.string, *match.span()) is not None


def written_names(elements: Iterable[Element], *, right: bool) -> Iterator[WrittenName]:
    """Every way to write ``elements``, which all belong to the answer or (``right`` false) all do not."""
    for element in elements:
        for words in filter(None, (*_spellings(element), *_also_said(element))):
            yield WrittenName(
                element.name,
                right,
                expression=_expression(words, inflections(_bare(words[-1]))),
                exactly=_expression(words, (_bare(words[-1]),)),
                ends=after("".join(words)),
                first=_first_runs(words),
                holds=_beginning(words),
                written=" ".join(words),
            )


def _spellings(element: Element) -> Iterator[list[str]]:
    """The words of each name; of one whose Cyrillic or Greek letters all look Latin, in both alphabets."""
    for name in element.names:
        folded = _words(name)
        yield folded
        if not name.isascii():
            as_written = _without_article(
                spaced(unicodedata.normalize("NFKC", name).casefold().replace("ё", "е")).split()
            )
            if as_written != folded and looks_latin(name):
                yield as_written


# "Nope" and "yep" are no and yes.
_ALSO_SAID = {"yes": ("yep", "yeah", "yup"), "no": ("nope", "nah")}


def _also_said(element: Element) -> Iterator[list[str]]:
    return ([word] for word in _ALSO_SAID.get(normalise(element.name), ()))


def other_forms(name: WrittenName, languages: tuple[Language, ...]) -> Iterator[WrittenName]:
    """A name's number, date, measure or ordinal as these languages write it otherwise."""
    number = number_of(name.written, languages) or name.written
    if number.isdecimal() and int(number) < LEAST_TELLING and not name.right:
        return
    ways = other_numbers(number, languages)
    for way in ways if number == name.written else (number, *ways):
        words = way.split()
        if way in NUMERALS:
            yield _form(name, rf"(?<![{NUMERALS}第]){way}(?![{NUMERALS}月日])", holds=way)
        else:
            whole = _expression(words, words[-1:])
            expression = f"{_NO_TENS_BEFORE}(?:{whole}){_NO_MORE_BEHIND}"
            yield _form(name, expression, after("".join(words)), _first_runs(words), _beginning(words))
    for expression in chain(
        other_quantities(name.written, languages),
        other_numbered(name.written, languages),
        abbreviated(name.written),
        other_bounds(name.written),
    ):
        yield _form(name, f"(?:{expression})", AFTER_ANY)


def _form(
    name: WrittenName,
    expression: str,
    ends: re.Pattern[str] = ANYTHING,
    first: frozenset[str] = frozenset(),
    holds: str = "",
) -> WrittenName:
    return WrittenName(name.element, name.right, expression, expression, ends, first, holds)


@lru_cache(maxsize=8)
def letter_runs(text: str) -> tuple[tuple[str, int], ...]:
    """The runs of letters or digits of a text and where each begins; several ``Names`` look through them."""
    return tuple((run[0], run.start()) for run in _LETTER_RUN.finditer(text))


def _first_runs(words: Sequence[str]) -> frozenset[str]:
    """What a name of these words can begin with, as ``_LETTER_RUN`` cuts a text; empty where nobody can say.

    Nobody can where a script writes no borders, or where an apostrophe may be left out; "50317" may begin
    with "50".
    """
    forms = inflections(_bare(words[0])) if len(words) == 1 else (_bare(words[0]),)
    runs: set[str] = set()
    for form in forms:
        match = _LETTER_RUN.match(form)
        if match is None or "'" in form or not match[0].isascii():
            return frozenset()
        runs.add(match[0])
        if form.isdecimal():
            runs.update(form[:end] for end in range(len(form) - 3, 0, -3))
    return frozenset(runs)


def _beginning(words: Sequence[str]) -> str:
    """The letters with which a name of these words begins in any form, up to an apostrophe or a digit."""
    forms = inflections(_bare(words[0])) if len(words) == 1 else (_bare(words[0]),)
    shared = min(forms, key=len)
    while not all(form.startswith(shared) for form in forms):
        shared = shared[:-1]
    letters = _LETTERS.match(shared)
    return letters[0] if letters else ""


@lru_cache(maxsize=65536)
def inflections(word: str) -> tuple[str, ...]:
    """``word``, then its simple English plural and singular; words of under three letters have none."""
    if len(word) < 3 or not word.isalpha():
        return (word,)
    return tuple(dict.fromkeys((word, _plural(word), *_singulars(word))))


_VES = re.compile(r"(?:(kni|wi|li)fe|(shel|hal|wol|cal|lea|loa|thie|shea)f)\Z")
"""Words whose plural ends in "ves": knives, loaves."""


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if ves := _VES.search(word):
        return word[: ves.end(ves.lastindex or 0)] + "ves"
    return word + ("es" if word.endswith(_SIBILANT) else "s")


def _singulars(word: str) -> Sequence[str]:
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y", word[:-1])
    if word.endswith("ves") and (
        singular := next(filter(_VES.search, (word[:-3] + "fe", word[:-3] + "f")), "")
    ):
        return (singular, word[:-1])
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return ()
    if word.endswith("es") and word[:-2].endswith(_SIBILANT):
        return (word[:-1], word[:-2])
    return (word[:-1],)


def _words(name: str) -> list[str]:
    return _without_article(normalise(name).split())


def _without_article(words: list[str]) -> list[str]:
    """The words; the A of "A-17" and of "A 113" is no article."""
    is_article = len(words) > 1 and words[0] in _ARTICLES and not (words[0] == "a" and words[1][0].isdigit())
    return words[1:] if is_article else words


def _expression(words: Sequence[str], lasts: Iterable[str]) -> str:
    """The words in a row, the last in any form of ``lasts``; no number may run on after a decimal point."""
    heads = "".join(_escaped(_bare(word)) + _gap(word, after) for word, after in pairwise(words))
    forms = "|".join(sorted(map(_escaped, lasts), key=len, reverse=True))
    return rf"{heads}(?:{forms})"


def _bare(word: str) -> str:
    return word.rstrip(_TRAILING) or word


def _escaped(word: str) -> str:
    """The word. "AX4821", "AX-4821" and "AX 4821" are one, "O'Dell" and "ODell", "50317" and "50 317"."""
    if word.isdecimal() and len(word) > 3:
        return _THOUSANDS_END.sub(" ?", word)
    return _LETTER_MEETS_DIGIT.sub(r"\\s?", re.escape(word)).replace("'", "'?")


def _gap(word: str, after: str) -> str:
    """What stands between two words. An abbreviation's full stop, or the name's comma, may be left out."""
    short = len(word) <= 3 and not word.isdecimal()
    stop = rf"[{re.escape(_TRAILING)}]?" if _bare(word) != word or short else ""
    if _HANGUL_ENDS.search(word) and _HANGUL_ENDS.match(after):  # spacing is loose in Korean
        return stop + r"\s*"
    joined = _LETTER_MEETS_DIGIT.search(word[-1] + after[0]) is not None
    return stop + (r"\s*" if joined else r"\s+")
