"""A number whose noun is its label, in a line or in a table: "Devices per user: 5" for "5 devices"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.layout import AnswerLine, Layout, read_layout
from niah.judges.rubric.reading.spans import TextRange

_COUNTED = re.compile(
    r"(?P<number>\d{1,6})\s(?P<noun>[^\W\d_]{4,})|(?P<label>[^\W\d_]{4,})\s(?P<place>\d{1,6})"
)
_OTHERS = r"(?:not?|other|previous|old|former)"
_BEGINS = rf"(?:\A|[\n;,({{]|[.!?]\s)[^\S\n]*(?:(?!{_OTHERS}\b)[^\W\d_]+[^\S\n]+){{0,2}}?"
_GOES_ON = r"(?:[^\S\n]+(?:per|for|of|allowed|on|in|each|a|the|an|max(?:imum)?|[^\W\d_]{3,})){0,3}?"
_AT_MOST = r"(?:(?:up\s+to|at\s+most|max(?:imum)?\.?|exactly)[^\S\n]+)?"
_ENDS = r"(?![\w%]|[.,:/]\d)(?=[^\S\n]*(?:[.,;)}\n]|\Z|\())"
_CELL = re.compile(rf"\s*{_AT_MOST}(\d{{1,6}})\s*(?:\([^()]*\)\s*)?")
_OTHER = re.compile(rf"\b{_OTHERS}\b")


class _Counted(NamedTuple):
    """An element of a number and a noun: the number, the noun in its forms, and what labels it in a line."""

    name: str
    right: bool
    number: str
    noun: re.Pattern[str]
    labelled: re.Pattern[str]


def labelled_numbers(
    text: str, mentions: Sequence[Mention], key: AnswerKey, spoken: str = ""
) -> list[Mention]:
    """The elements that a text names by a label with their noun and the number behind it or below it.

    Args:
        text: normalised.
        mentions: what it names.
        key: what was asked.
        spoken: the text as the reader wrote it; without it no table is read.
    """
    in_lines, in_tables = ":" in text or "=" in text, "|" in spoken
    if not (in_lines or in_tables):
        return []
    named = {mention.name for mention in mentions}
    missing = [one for one in _counted(key) if one.name not in named]
    found = []
    for one in missing if in_lines else ():
        if match := one.labelled.search(text):
            found.append(Mention(one.name, one.right, match.start("noun"), match.end()))
    if in_tables and missing:
        layout = read_layout(spoken, text)
        found += [mention for one in missing for mention in _in_tables(text, layout, one)]
    taken = {place for mention in mentions for place in range(mention.start, mention.end)}
    return [
        mention for mention in dict.fromkeys(found) if taken.isdisjoint(range(mention.start, mention.end))
    ]


def _in_tables(text: str, layout: Layout, counted: _Counted) -> Iterator[Mention]:
    for table in layout.tables():
        for head, cell in _labelled_cells(table):
            label, number = text[slice(*head)], _CELL.fullmatch(text, *cell)
            is_it = number is not None and number[1] == counted.number
            if is_it and number and counted.noun.search(label) and not _OTHER.search(label):
                yield Mention(counted.name, counted.right, *number.span(1))


def _labelled_cells(table: Sequence[AnswerLine]) -> Iterator[tuple[TextRange, TextRange]]:
    """Labels, each with a cell that it heads: a row's first cell and its second, a column's head."""
    for place, row in enumerate(table):
        if len(row.cells) > 1:
            yield row.cells[0], row.cells[1]
        if place:
            yield from zip(table[0].cells, row.cells, strict=False)


@lru_cache(maxsize=256)
def _counted(key: AnswerKey) -> tuple[_Counted, ...]:
    """The elements of a number and a noun, right and wrong."""
    elements = [(True, each) for each in key.elements] + [(False, each) for each in wrong_elements(key)]
    found = []
    for right, element in elements:
        counted = _COUNTED.fullmatch(normalise(element.name))
        if counted:
            number, noun = counted["number"] or counted["place"], counted["noun"] or counted["label"]
            forms = "|".join(map(re.escape, inflections(noun)))
            label = rf"{_BEGINS}(?P<noun>{forms}){_GOES_ON}[^\S\n]*[:=][^\S\n]*{_AT_MOST}{number}{_ENDS}"
            as_word = re.compile(rf"(?<!\w)(?:{forms})(?!\w)")
            found.append(_Counted(element.name, right, number, as_word, re.compile(label)))
    return tuple(found)
