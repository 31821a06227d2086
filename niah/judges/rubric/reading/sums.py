"""Sums that an answer shows: what is added up is no answer, what comes out is one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.spans import mentions_in_any, mentions_inside

_NUMBER = r"\d[\d.,']*"
_OPERATOR = (
    r"(?:[+\u00d7\u00f7*\u2212]|(?<=\s)[/x-](?=\s)"
    r"|plus|minus|times|less|added\s+to|divided\s+by|multiplied\s+by)"
)
_UNIT = (
    r"(?:[ \t]*\([^()\n]{0,40}\)"
    r"|[ \t]+(?!(?:plus|minus|times|less|added|divided|multiplied|x)\b)[^\W\d]\w*){0,3}"
)
_TERM = rf"[(\[]?[ \t]*[$\u20ac\u00a3#]?{_NUMBER}{_UNIT}[ \t]*[)\]]?"
# "1456 + 542", "the 1456 crates plus 542 barrels"; what stands behind an equals sign is left out.
_SUM = lazy_pattern(rf"(?<![\w.]){_TERM}(?:[ \t]*{_OPERATOR}[ \t]*(?:the[ \t]+)?{_TERM})+")
# A sentence that reckons in words: what stands before "leaves" or "makes" went into it.
_RECKONS = re.compile(
    r"\b(?:subtract\w*|deduct\w*|add(?:ed|ing|s)?|sum|plus|minus|difference|divid\w+|multipl\w+"
    r"|tak(?:en|ing|e)\s+away)\b"
)
_RESULT = lazy_pattern(
    r"=|\b(?:leav(?:es?|ing)|giv(?:es?|ing)|mak(?:es?|ing)|yield(?:s|ing)?|equals?|com(?:es|ing)\s+to"
    r"|amounts?\s+to|results?\s+in|totals?|is|are)\b"
)
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.!?;](?!\s|\Z)[^.!?;\n]*)*")
# What a total says of itself, before its number or behind it.
_TOTAL = lazy_pattern(
    r"\b(?:totals?|sum|altogether|together|overall|in\s+all|summe|insgesamt|gesamt\w*|zusammen|somme|au\s+total|en\s+tout|ensemble"
    r"|suma(?:n|do)?|en\s+total|juntos|soma|ao\s+todo|no\s+total|somma|totale|in\s+tutto|complessiv\w+|итого|всего|сумма|вместе)\b"
    r"|合计|总计|总共|一共|共计|合計|総計|全部で|合わせて|합계|총|모두|합하"
)
_MOST_TERMS = 12
_PLAIN_NUMBER = re.compile(r"(?<![\d.,])\d{2,12}(?![.,]?\d)")
_LINE_REST = re.compile(r"[^.!?\n]*")


def terms_of_sums(tidied: str, mentions: Sequence[Mention]) -> frozenset[Mention]:
    """The mentions of numbers that are terms of a sum, not what comes out of it.

    Args:
        tidied: the answer.
        mentions: every mention in it.
    """
    numbers = [mention for mention in mentions if tidied[mention.start].isdigit()]
    if len(numbers) == 0:
        return frozenset()
    spans = [match.span() for match in _SUM.finditer(tidied)]
    spans += [
        (sentence.start(), results[-1])
        for sentence in _SENTENCE.finditer(tidied)
        if _RECKONS.search(sentence[0]) and (results := _results(tidied, sentence.span(), numbers))
    ]
    terms = frozenset(mentions_in_any(numbers, spans)) | _added_up(tidied, numbers)
    totals = {one.name for one in numbers if one.right and one not in terms}
    named = {term.name for term in terms if not term.right} if totals else set()
    added = _numbers_added(tidied) if totals else frozenset()
    return terms | {
        one for one in numbers if one.name in named or (not one.right and _amount(tidied, one) in added)
    }


def _numbers_added(tidied: str) -> frozenset[int]:
    """The numbers of the sums that an answer writes, without what comes out: units may be left out there."""
    sums = (match[0] for match in _SUM.finditer(tidied))
    return frozenset(int(digits) for one in sums for digits in _PLAIN_NUMBER.findall(one))


def _amount(tidied: str, mention: Mention) -> int:
    return int(re.sub(r"\D", "", tidied[mention.start : mention.end]) or 0)


def _added_up(tidied: str, numbers: Sequence[Mention]) -> frozenset[Mention]:
    """The numbers right before one that is their total, and says so: a column with its sum below."""
    amounts = [_amount(tidied, one) for one in numbers]
    units = [re.sub(r"[\d.,'\s]", "", tidied[one.start : one.end]) for one in numbers]
    terms: set[Mention] = set()
    for place, total in enumerate(numbers):
        first, left = place, amounts[place]
        while first > max(0, place - _MOST_TERMS) and left > 0:
            first -= 1
            left -= amounts[first]
        if left or place - first < 2 or len(set(units[first : place + 1])) > 1:
            continue
        behind = _LINE_REST.match(tidied, total.end)
        if _TOTAL.search(tidied, numbers[place - 1].end, behind.end() if behind else total.end):
            terms |= {one for one in numbers[first:place] if one.name != total.name}
    return frozenset(terms)


def _results(tidied: str, sentence: tuple[int, int], numbers: Sequence[Mention]) -> list[int]:
    """Where a result follows in the sentence."""
    inside = mentions_inside(numbers, sentence)
    if not inside:
        return []
    return [match.end() for match in _RESULT.finditer(tidied, sentence[0], inside[-1].start)]
