"""Where a text names elements: whole words, plurals and aliases too, and the longest match wins.

And which of them stand out of their order, where elements are asked for in one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.forms.amounts.digits import is_multiplied
from niah.judges.rubric.forms.amounts.half_of_day import half_of_day
from niah.judges.rubric.forms.amounts.named_value import NamedValue, value_of
from niah.judges.rubric.forms.amounts.rows import is_another_amount
from niah.judges.rubric.forms.amounts.values import values_in
from niah.judges.rubric.forms.borders import AFTER_ANY, ANYTHING, NUMERALS, after, starts_a_name
from niah.judges.rubric.forms.codes.separators import SeparatedCodes
from niah.judges.rubric.forms.codes.shared_heads import SharedHeads
from niah.judges.rubric.forms.codes.spoken import SpokenDigits
from niah.judges.rubric.forms.inflection import LooseNames, words_as_in_names
from niah.judges.rubric.forms.names.accents import UnaccentedNames
from niah.judges.rubric.forms.names.eastern import EasternNames
from niah.judges.rubric.forms.names.joined import JoinedNames
from niah.judges.rubric.forms.names.numbered import other_numbered
from niah.judges.rubric.forms.numbers import number_of, other_numbers
from niah.judges.rubric.forms.quantities import other_quantities
from niah.judges.rubric.forms.scattered import ScatteredNames
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.normalise import looks_latin, normalise, spaced
from niah.needles.needle_set import Element

# Not ``niah.text.mentions``, on purpose. That one reads what we wrote ourselves: contexts of millions of
# characters, at offsets of the text as it stands, only the forms that a needle set lists. This one reads
# what a model wrote: it normalises first, forgives plurals, stops and separators, and the longest name wins.
# Were they one, whatever is forgiven here would move where needles may be planted, and with it every case.

_SIBILANT = ("s", "x", "z", "ch", "sh")
_TRAILING = ".,;:!?"
_ARTICLES = ("a", "an", "the")
_MANY = 500
"""Names of a set whose numbers are looked for as they are listed alone: their words would be thousands."""
_TELLING = 13
"""The least number that a wrong element's words are looked for: "two" and "seven" stand in every text."""
# "Twenty seven", "treinta y siete" and "двадцать семь" are no seven, and nor is "seven hundred".
_NO_TENS_BEFORE = r"(?<!ty )(?<!ta y )(?<!ta e )(?<!vinte e )(?<!ante )(?<!vingt )(?<!дцать )(?<!десят )"
_NO_MORE_BEHIND = r"(?! (?:hundred|thousand|million|point|and a half|cent|mil|mila|mille|tausend|тысяч)\b)"
_THOUSANDS_END = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
# Answers that are words of any sentence too. (A dash is three spaces here.)
_BARE_ANSWERS = frozenset(
    ("yes", "no", "true", "false", "ja", "nein", "oui", "non", "si", "sí", "sim", "não", "да", "нет")
)
_BEFORE_ALONE = re.compile(
    r"(?:\A|[.!?:;,(\n\"](?:[ \t]*and\b)?|[ ]{3}|(?<=\w)'s\b"
    r"|\b(?:is|are|was|be|answers?|say|so|but|then|thus|therefore"
    r"|hence|well|lautet|ist|est|es|donc|pues|quindi|portanto|значит)\b)[ \t]*(?:a[ \t]+)?\Z"
)
_AFTER_ALONE = re.compile(r"[ \t]*(?:\Z|[.,;:!?)}\n]|[ ]{3}|and[ \t]+no\b|,)")
_SAID_REACH = 24
_LABEL = re.compile(r"([^\W\d_]{3,})\s*[:=,]\s*\Z")
_LEAST_LABEL = 3
_DIGITS_AND_SPACES = re.compile(r"[\d\s.,]+")
_RUN = re.compile(r"[a-z]+|[^\W\d_a-z]+|\d+")
_LETTER_MEETS_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


@dataclass(frozen=True)
class Mention:
    """One place where a text names an element.

    Attributes:
        name: the element's name as the needle set spells it.
        right: whether it belongs to the answer; a distractor's element does not.
        start, end: character offsets in the normalised text, end exclusive.
    """

    name: str
    right: bool
    start: int
    end: int


@dataclass(frozen=True)
class _Name:
    """One way to write an element. ``exactly`` knows no plural and settles ties.

    Expressions are compiled where a text may have the name, since most names of a needle set stand in no
    answer. ``ends`` matches behind the name. ``first`` is the runs of letters or digits of which one stands
    where it is named; empty where anything may stand there. ``written`` is the name, normalised.
    """

    element: str
    right: bool
    expression: str
    exactly: str
    ends: re.Pattern[str]
    first: frozenset[str]
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
        while found := self._pattern.search(text, start):
            match = self.at(text, found.start())
            if match:
                yield match
            start = max(match.end() if match else 0, found.start() + 1)

    def is_exact(self, match: re.Match[str]) -> bool:
        """Whether a match spells the name to the letter."""
        return self._exact.fullmatch(match.string, *match.span()) is not None


class Names:
    """Ways to write elements, found by how they begin: a text is not searched for thousands of names.

    Args:
        names: as the needle set lists them.
        told: every text of the needle set, its question first; without them no name is read loosely or in
            another language.
    """

    def __init__(self, names: Iterable[_Name] = (), told: Sequence[str] = ()) -> None:
        self._names = tuple(names)
        self._told = tuple(told)
        self._other_forms: dict[tuple[Language, ...], Names] = {}
        self._values: dict[tuple[Language, ...], list[tuple[_Name, NamedValue]]] = {}
        self._anywhere = [place for place, name in enumerate(self._names) if not name.first]
        self._by_run: dict[str, list[int]] = {}
        for place, name in enumerate(self._names):
            for run in name.first:
                self._by_run.setdefault(run, []).append(place)

    def __iter__(self) -> Iterator[_Name]:
        return iter(self._names)

    def in_other_forms(self, text: str) -> Names:
        """Numbers, dates, times and measures among the names, as the languages of ``text`` may write them."""
        if not self._told or len(self._names) > _MANY:
            return _NO_NAMES
        languages = tuple(dict.fromkeys((*languages_of(text).known, *self._own_languages)))
        if languages not in self._other_forms:
            self._other_forms[languages] = Names(
                form for name in self._names for form in _other_forms(name, languages)
            )
        return self._other_forms[languages]

    def values(self, text: str) -> Iterator[tuple[_Name, int, int]]:
        """Where the text writes a name's value otherwise: its number, share, measure or time of day."""
        if not self._told or len(self._names) > _MANY:
            return
        languages = tuple(dict.fromkeys((*languages_of(text).known, *self._own_languages)))
        if languages not in self._values:
            self._values[languages] = [
                (name, value)
                for name in self._names
                if (value := value_of(name.written, languages))
                and not (not name.right and value.value.kind == "" and value.value.amount < _TELLING)
            ]
        if self._values[languages]:
            counted = {value.counted for _, value in self._values[languages] if value.counted}
            for said in values_in(text, languages):
                for name, value in self._values[languages]:
                    if end := value.is_said(said, text, counted):
                        yield name, said.start, end

    def is_in_the_field_of_another(self, name: _Name, text: str, start: int) -> bool:
        """Whether a bare number stands behind what another name counts: "stables: 6" is no "6 rooms"."""
        own = _DIGITS_AND_SPACES.sub("", normalise(name.element))
        label = _LABEL.search(text[max(0, start - _SAID_REACH) : start])
        if not own or label is None:
            return False
        begins = label[1][:_LEAST_LABEL]
        return not own.startswith(begins) and any(other.startswith(begins) for other in self._counted)

    @cached_property
    def _counted(self) -> frozenset[str]:
        """What the names count: "rooms" of "14 rooms"."""
        written = (name.written for name in self._names if name.written[:1].isdigit())
        return frozenset(filter(None, (_DIGITS_AND_SPACES.sub("", one) for one in written)))

    @cached_property
    def halves_of_day(self) -> dict[tuple[str, bool], bool]:
        """Of elements that are times of day, whether they are after noon, where one of their names tells."""
        if not self._told or len(self._names) > _MANY:
            return {}
        named = ((name, value_of(name.written, self._own_languages)) for name in self._names if name.written)
        return {
            (name.element, name.right): value.value.late
            for name, value in named
            if value and value.value.kind == "clock" and value.value.late is not None
        }

    @cached_property
    def _own_languages(self) -> tuple[Language, ...]:
        return languages_of(normalise("\n".join(self._told))).known

    @cached_property
    def loose(self) -> LooseNames:
        """The names word by word, in other inflections and with slips of the pen; a yes or no has neither."""
        return LooseNames(self._written(), *_reading_of(self._told))

    @cached_property
    def scattered(self) -> ScatteredNames:
        """The names whose words may stand apart; none of sets with many."""
        few = self._written() if len(self._names) <= _MANY else []
        few = [(written, element) for written, element in few if not value_of(written, self._own_languages)]
        question = normalise(self._told[0]) if self._told else ""
        return ScatteredNames(few, question, self.loose.class_of)

    @cached_property
    def shared_heads(self) -> SharedHeads:
        """Codes of which a list writes the shared beginning once."""
        return SharedHeads(self._written())

    @cached_property
    def written_otherwise(self) -> tuple[JoinedNames, UnaccentedNames, EasternNames]:
        """Names in one word or two, without their accents, with an Eastern attribute elsewhere."""
        written = self._written() if len(self._names) <= _MANY else []
        return JoinedNames(written), UnaccentedNames(written), EasternNames(written)

    @cached_property
    def separated_codes(self) -> SeparatedCodes:
        """Codes whose separators may be others."""
        return SeparatedCodes(self._written())

    @cached_property
    def spoken_digits(self) -> SpokenDigits:
        """Numbers and codes whose digits may be said one by one, or in pairs."""
        return SpokenDigits(self._written())

    def _written(self) -> list[tuple[str, tuple[str, bool]]]:
        return [
            (name.written, (name.element, name.right))
            for name in self._names
            if self._told and name.written not in _BARE_ANSWERS
        ]

    def matches(self, text: str) -> Iterator[tuple[_Name, re.Match[str]]]:
        """Where the text, normalised, may name them: those of one place in their own order."""
        for run in _RUN.finditer(text):
            for place in self._by_run.get(run[0], ()):
                match = self._names[place].at(text, run.start())
                if match:
                    yield self._names[place], match
        for place in self._anywhere:
            yield from ((self._names[place], match) for match in self._names[place].anywhere(text))


_NO_NAMES = Names()


def find_mentions(text: str, names: Names) -> list[Mention]:
    """Mentions in ``text`` that do not overlap, in reading order.

    Where two overlap the longer wins, so that "mist" is not found in a distractor's "silver mist"; of two
    that are equally long, the one spelled exactly wins, then the right one. Names whose words stand apart are
    looked for last, between the others.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        names: from ``names_of``.
    """
    taken = [False] * len(text)
    mentions = []
    for *_, mention in sorted(_candidates(text, names), key=_precedence):
        if not any(taken[mention.start : mention.end]):
            taken[mention.start : mention.end] = [True] * (mention.end - mention.start)
            mentions.append(mention)
    for match in names.scattered.find(text, taken):
        if not any(taken[match.start : match.end]):
            taken[match.start : match.end] = [True] * (match.end - match.start)
            mentions.append(Mention(*match.name, match.start, match.end))
    return sorted(mentions, key=lambda mention: mention.start)


@lru_cache(maxsize=256)
def names_of(key: AnswerKey) -> Names:
    """Every way to write the set's elements, and the wrong ones: its traps and what its distractors plant.

    A wrong element that is also an element, or that the question itself names, is not wrong; but the question
    names all its options.
    """
    right = ways_to_write(key.elements, right=True)
    question = normalise(key.question)
    wrong = ways_to_write(wrong_elements(key), right=False)
    spared = {name.exactly for name in right}
    options = {trap.name for trap in key.traps if trap.derived}
    exact = {name for name, match in wrong.matches(question) if name.is_exact(match)}
    asked = {name for name in exact if name.element not in options}
    return Names(
        (*right, *(name for name in wrong if name.exactly not in spared and name not in asked)),
        told_in(key),
    )


def told_in(key: AnswerKey) -> tuple[str, ...]:
    """Every text of the needle set, its question first, then the names of its elements."""
    names = (name for element in (*key.elements, *wrong_elements(key)) for name in element.names)
    told = (*(needle.text for needle in key.needles), *(distractor.text for distractor in key.distractors))
    return (key.question, *key.references, *told, *names)


def _reading_of(told: Sequence[str]) -> tuple[Language, frozenset[str]]:
    """The main language of a needle set's texts, and all their words."""
    text = normalise("\n".join(told))
    languages = languages_of(text).known
    return languages[1] if len(languages) > 1 else languages[0], frozenset(words_as_in_names(text))


def wrong_elements(key: AnswerKey) -> tuple[Element, ...]:
    """The elements that the distractors plant, then the traps in the needles themselves."""
    planted = (element for distractor in key.distractors for element in distractor.elements)
    return (*planted, *key.traps)


def ways_to_write(elements: Iterable[Element], *, right: bool) -> Names:
    """Every way to write ``elements``, which all belong to the answer or (``right`` false) all do not."""
    return Names(
        _Name(
            element.name,
            right,
            expression=_expression(words, inflections(_bare(words[-1]))),
            exactly=_expression(words, (_bare(words[-1]),)),
            ends=after("".join(words)),
            first=_first_runs(words),
            written=" ".join(words),
        )
        for element in elements
        for words in (*_spellings(element), *_also_said(element))
        if words
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


def _other_forms(name: _Name, languages: tuple[Language, ...]) -> Iterator[_Name]:
    number = number_of(name.written, languages) or name.written
    if number.isdecimal() and int(number) < _TELLING and not name.right:
        return
    ways = other_numbers(number, languages)
    for way in ways if number == name.written else (number, *ways):
        words = way.split()
        if way in NUMERALS:
            yield _form(name, rf"(?<![{NUMERALS}第]){way}(?![{NUMERALS}月日])")
        else:
            whole = _expression(words, words[-1:])
            behind, runs = after("".join(words)), _first_runs(words)
            yield _form(name, f"{_NO_TENS_BEFORE}(?:{whole}){_NO_MORE_BEHIND}", behind, runs)
    for expression in chain(
        other_quantities(name.written, languages), other_numbered(name.written, languages)
    ):
        yield _form(name, f"(?:{expression})", AFTER_ANY)


def _form(
    name: _Name, expression: str, ends: re.Pattern[str] = ANYTHING, first: frozenset[str] = frozenset()
) -> _Name:
    return _Name(name.element, name.right, expression, expression, ends, first)


def _first_runs(words: Sequence[str]) -> frozenset[str]:
    """What a name of these words can begin with, as ``_RUN`` cuts a text; empty where nobody can say.

    Nobody can where a script writes no borders, or where an apostrophe may be left out; "50317" may begin
    with "50".
    """
    forms = inflections(_bare(words[0])) if len(words) == 1 else (_bare(words[0]),)
    runs: set[str] = set()
    for form in forms:
        match = _RUN.match(form)
        if match is None or "'" in form or not match[0].isascii():
            return frozenset()
        runs.add(match[0])
        if form.isdecimal():
            runs.update(form[:end] for end in range(len(form) - 3, 0, -3))
    return frozenset(runs)


def inflections(word: str) -> tuple[str, ...]:
    """``word``, then its simple English plural and singular; words of under three letters have none."""
    if len(word) < 3 or not word.isalpha():
        return (word,)
    return tuple(dict.fromkeys((word, _plural(word), *_singulars(word))))


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(_SIBILANT) else "s")


def _singulars(word: str) -> Sequence[str]:
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y", word[:-1])
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
    joined = _LETTER_MEETS_DIGIT.search(word[-1] + after[0]) is not None
    return stop + (r"\s*" if joined else r"\s+")


def _candidates(text: str, names: Names) -> Iterator[tuple[bool, int, Mention]]:
    """Mentions, each with whether it is spelled exactly, and its slips of the pen.

    A time of day that is said to be in the other half of the day is none.
    """
    halves = names.halves_of_day
    for candidate in _spelled(text, names):
        *_, mention = candidate
        if is_multiplied(text, mention.start):
            continue
        late = halves.get((mention.name, mention.right)) if halves else None
        if late is None or half_of_day(text, mention.start, mention.end) in (None, late):
            yield candidate


def _spelled(text: str, names: Names) -> Iterator[tuple[bool, int, Mention]]:
    for name, match in chain(names.matches(text), names.in_other_forms(text).matches(text)):
        if (
            (starts_a_name(text, *match.span()) or match[0] in NUMERALS)
            and (match[0] not in _BARE_ANSWERS or _is_said_alone(text, match))
            and not is_another_amount(text, *match.span())
            and not (match[0].isdecimal() and names.is_in_the_field_of_another(name, text, match.start()))
        ):
            yield name.is_exact(match), 0, Mention(name.element, name.right, *match.span())
    values = list(names.values(text))
    are_several = len({name.element for name, *_ in values}) > 1
    for name, start, end in values:
        if are_several or not is_another_amount(text, start, end):
            yield False, 0, Mention(name.element, name.right, start, end)
    for code in chain(
        names.shared_heads.find(text), names.separated_codes.find(text), names.spoken_digits.find(text)
    ):
        if not is_another_amount(text, code.start, code.end):
            yield False, 0, Mention(*code.element, code.start, code.end)
    for loose in chain(names.loose.find(text), *(way.find(text) for way in names.written_otherwise)):
        element, right = loose.name
        yield False, loose.slips, Mention(element, right, loose.start, loose.end)


def _is_said_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a yes or no is the answer, and no part of a sentence: not the "no" of "no information"."""
    before = text[max(0, match.start() - _SAID_REACH) : match.start()]
    return _BEFORE_ALONE.search(before) is not None and _AFTER_ALONE.match(text, match.end()) is not None


def _precedence(candidate: tuple[bool, int, Mention]) -> tuple[int, bool, int, bool, int]:
    exact, slips, mention = candidate
    return (mention.start - mention.end, not exact, slips, not mention.right, mention.start)


def misplaced_elements(
    mentions: Sequence[Mention], out: Collection[Mention], key: AnswerKey
) -> frozenset[str]:
    """Names of right elements that the answer gives out of their order; none where order is free.

    An answer may name elements on its way, and again where it quotes. What counts is the longest list that
    names none twice, of several such lists the closest set; and of that list as many elements as can be left
    standing in order. All others that the answer names are misplaced.

    Args:
        mentions: every mention in the answer, in reading order.
        out: those that the text rules out.
        key: what was asked.
    """
    if not key.ordered:
        return frozenset()
    named = [mention for mention in mentions if mention.right and mention not in out]
    given = max(_lists(named), key=lambda one: (len(one), one[0].start - one[-1].end), default=[])
    ranks = {element.name: rank for rank, element in enumerate(key.elements)}
    in_order = {given[at].name for at in longest_rise([ranks[mention.name] for mention in given])}
    return frozenset(mention.name for mention in named) - in_order


def _lists(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions in lists; one of an element that the list has already begins another."""
    lists: list[list[Mention]] = []
    seen: set[str] = set()
    for mention in mentions:
        if mention.name in seen or not lists:
            lists.append([])
            seen = set()
        lists[-1].append(mention)
        seen.add(mention.name)
    return lists


def longest_rise(ranks: Sequence[int]) -> list[int]:
    """Places of a longest rising subsequence of ``ranks``, all different, ascending (patience sorting)."""
    tops: list[int] = []  # the least rank that ends a rise of each length, as a place
    before: list[int] = []
    for place, rank in enumerate(ranks):
        length = bisect_left(tops, rank, key=lambda at: ranks[at])
        before.append(tops[length - 1] if length else -1)
        tops[length : length + 1] = [place]
    rise: list[int] = []
    place = tops[-1] if tops else -1
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]
