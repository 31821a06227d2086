"""Ways to write elements, found in a text by how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from niah.judges.rubric.elements.written_name import (
    LEAST_TELLING,
    WrittenName,
    letter_runs,
    other_forms,
    written_names,
)
from niah.judges.rubric.forms.amounts.named_value import NamedValue, value_of
from niah.judges.rubric.forms.amounts.pointed import counted_numbers, languages_of_points
from niah.judges.rubric.forms.amounts.values import values_in
from niah.judges.rubric.forms.codes.separators import SeparatedCodes
from niah.judges.rubric.forms.codes.shared_heads import SharedHeads
from niah.judges.rubric.forms.codes.spoken import SpokenDigits
from niah.judges.rubric.forms.inflection import LooseNames
from niah.judges.rubric.forms.names.accents import UnaccentedNames
from niah.judges.rubric.forms.names.eastern import EasternNames
from niah.judges.rubric.forms.names.joined import JoinedNames
from niah.judges.rubric.forms.names.other_writing import NamesInOtherWriting
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.forms.scattered import ScatteredNames
from niah.judges.rubric.forms.text_words import words_as_in_names
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.languages.of_numbers import languages_of_number_words
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.translated.names import TranslatedNames
from niah.judges.rubric.transliterated.names import TransliteratedNames
from niah.needles.needle_set import Element

_FEW = 64
"""Beginnings of names that a text is searched for by one expression."""
_MANY = 500
"""Names of a set whose numbers are looked for as they are listed alone: their words would be thousands."""
# Answers that are words of any sentence too. (A dash is three spaces here.)
BARE_ANSWERS = frozenset(
    re.findall(r"\w+", "yes no true false ja nein oui non si sí sì sim não да нет nee nej")
)
_SAID_REACH = 24
_LABEL = re.compile(r"([^\W\d_]{3,})\s*[:=,]\s*\Z")
_LEAST_LABEL = 3
_DIGIT = re.compile(r"\d")
_DIGITS_AND_SPACES = re.compile(r"[\d\s.,]+")


_WrittenLoosely = LooseNames | JoinedNames | UnaccentedNames | EasternNames | NamesInOtherWriting


class Names:
    """Ways to write elements, found by how they begin: a text is not searched for thousands of names.

    Args:
        names: as the needle set lists them.
        told: every text of the needle set, its question first; without them no name is read loosely or in
            another language.
        translated: whether names are looked for in other languages too.
    """

    def __init__(
        self, names: Iterable[WrittenName] = (), told: Sequence[str] = (), *, translated: bool = True
    ) -> None:
        self._names = tuple(names)
        self._told = tuple(told)
        self._are_translated = translated
        self._with_own: dict[tuple[Language, ...], tuple[Language, ...]] = {}
        self._other_forms: dict[tuple[Language, ...], Names] = {}
        self._values: dict[tuple[Language, ...], list[tuple[WrittenName, NamedValue]]] = {}
        self._anywhere = [place for place, name in enumerate(self._names) if not name.first]
        self._by_run: dict[str, list[int]] = {}
        for place, name in enumerate(self._names):
            for run in name.first:
                self._by_run.setdefault(run, []).append(place)

    def __iter__(self) -> Iterator[WrittenName]:
        return iter(self._names)

    def in_other_forms(self, text: str) -> Names:
        """Numbers, dates, times and measures among the names, as the languages of ``text`` may write them."""
        if not self._told or len(self._names) > _MANY:
            return _NO_NAMES
        languages = self._languages_in(text)
        if languages not in self._other_forms:
            self._other_forms[languages] = Names(
                form for name in self._names for form in other_forms(name, languages)
            )
        return self._other_forms[languages]

    def values(self, text: str) -> Iterator[tuple[WrittenName, int, int]]:
        """Where the text writes a name's value otherwise: its number, share, measure or time of day."""
        if not self._told or len(self._names) > _MANY:
            return
        languages = self._languages_in(text)
        if languages not in self._values:
            self._values[languages] = [
                (name, way)
                for name in self._names
                if (value := value_of(name.written, languages))
                for way in value.in_dollars_too(name.element)
                if not (not name.right and value.value.kind == "" and value.value.amount < LEAST_TELLING)
            ]
        if self._values[languages]:
            counted = {value.counted for _, value in self._values[languages] if value.counted}
            for said in values_in(text, languages):
                for name, value in self._values[languages]:
                    if end := value.is_said(said, text, counted):
                        yield name, said.start, end

    def is_in_the_field_of_another(self, name: WrittenName, text: str, start: int) -> bool:
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

    def _languages_in(self, text: str) -> tuple[Language, ...]:
        """The languages in which a text may write the names' numbers."""
        known = languages_of(text).known
        if self._counts:
            points = languages_of_points(text, self._counted_numbers)
            known = (*known, *languages_of_number_words(text), *points)
        return self._languages_beside(known)

    @cached_property
    def _counts(self) -> bool:
        """Whether any name has a number."""
        return any(_DIGIT.search(name.written) or number_of(name.written) for name in self._names)

    @cached_property
    def _counted_numbers(self) -> frozenset[str]:
        return counted_numbers((name.written for name in self._names), tuple(map(normalise, self._told)))

    def _languages_beside(self, known: tuple[Language, ...]) -> tuple[Language, ...]:
        """The languages of a text, and those of the needle set."""
        if known not in self._with_own:
            self._with_own[known] = tuple(dict.fromkeys((*known, *self._own_languages)))
        return self._with_own[known]

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
    def written_loosely(self) -> tuple[_WrittenLoosely, ...]:
        """Names in other forms, in one word or two, without accents, with an Eastern attribute elsewhere.

        And in the other way of a script, with an article of Arabic or without.

        Only those ways in which any of the names may be written.
        """
        written = self._written() if len(self._names) <= _MANY else []
        ways: tuple[_WrittenLoosely, ...] = (
            *(self.loose, JoinedNames(written), UnaccentedNames(written), EasternNames(written)),
            NamesInOtherWriting(written),
        )
        return tuple(way for way in ways if way.has_any)

    @cached_property
    def right(self) -> frozenset[tuple[str, bool]]:
        """The elements that belong to the answer."""
        return frozenset((name.element, True) for name in self._names if name.right)

    @cached_property
    def translated(self) -> TranslatedNames:
        """The names in other languages than the needle set's; none of sets with many."""
        written = self._written() if self._are_translated and len(self._names) <= _MANY else []
        return TranslatedNames(written, self._told, (*self._own_languages[1:], "en")[0])

    @cached_property
    def transliterated(self) -> TransliteratedNames:
        """The names in another script than the needle set's; none of sets with many."""
        written = self._written() if self._are_translated and len(self._names) <= _MANY else []
        return TransliteratedNames(written, self._told)

    @cached_property
    def codes(self) -> tuple[SharedHeads | SeparatedCodes | SpokenDigits, ...]:
        """Codes that share their beginning, have other separators, or are said digit by digit; if any are."""
        written = self._written()
        ways = (SharedHeads(written), SeparatedCodes(written), SpokenDigits(written))
        return tuple(way for way in ways if way.has_any)

    def _written(self) -> list[tuple[str, tuple[str, bool]]]:
        return [
            (name.written, (name.element, name.right))
            for name in self._names
            if self._told and name.written not in BARE_ANSWERS
        ]

    def matches(self, text: str) -> Iterator[tuple[WrittenName, re.Match[str]]]:
        """Where the text, normalised, may name them: those of one place in their own order."""
        for start, run in self._beginnings_in(text):
            for place in self._by_run[run]:
                match = self._names[place].at(text, start)
                if match:
                    yield self._names[place], match
        for place in self._anywhere:
            yield from ((self._names[place], match) for match in self._names[place].anywhere(text))

    def _beginnings_in(self, text: str) -> list[tuple[int, str]]:
        """Where the text has runs of letters or digits that names begin with, in reading order."""
        if len(self._by_run) > _FEW:
            return [(start, run) for run, start in letter_runs(text) if run in self._by_run]
        return [(found.start(), found[0]) for found in self._runs.finditer(text)] if self._by_run else []

    @cached_property
    def _runs(self) -> re.Pattern[str]:
        """Any run that names begin with, whole as ``letter_runs`` cuts it."""
        letters, digits = (
            "|".join(run for run in self._by_run if run.isdecimal() == are_digits)
            for are_digits in (False, True)
        )
        ways = ((letters, "[a-z]"), (digits, r"\d"))
        return re.compile("|".join(f"(?<!{sign})(?:{runs})(?!{sign})" for runs, sign in ways if runs))


_NO_NAMES = Names()


def ways_to_write(elements: Iterable[Element], *, right: bool) -> Names:
    """Every way to write ``elements``, which all belong to the answer or (``right`` false) all do not."""
    return Names(written_names(elements, right=right))


def _reading_of(told: Sequence[str]) -> tuple[Language, frozenset[str]]:
    """The main language of a needle set's texts, and all their words."""
    text = normalise("\n".join(told))
    languages = languages_of(text).known
    return languages[1] if len(languages) > 1 else languages[0], frozenset(words_as_in_names(text))
