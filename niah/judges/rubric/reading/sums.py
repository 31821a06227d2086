"""Sums that an answer shows: what is added up is no answer, what comes out is one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.numbers import number_of
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
_RECKONS = lazy_pattern(
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
# "Three portions of 4 kg", "3 x 4 kg", "150 mg twice a day".
_COUNT = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve)(?:\s+and\s+a\s+half)?"
_ANY_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_MANY = lazy_pattern(
    rf"\b(?P<count>{_COUNT})(?:\s*[x\u00d7*]\s*|\s+(?:\w+\s+){{1,3}}?(?:of|at|with|containing)\s+|\s+)(?P<one>{_ANY_NUMBER.pattern})(?![\d.,]*\d)"
    rf"|(?<![\d.,])(?P<each>{_ANY_NUMBER.pattern})(?:\s*[^\W\d_]+){{0,3}}?[\s,]+(?P<times>twice|thrice|{_COUNT}(?=\s+times|x))"
)
# "12 kg: 8 kg of rye and 4 kg of wheat".
_CONSISTS = lazy_pattern(
    r"(?:\s+(?!and\b|or\b)\w+){0,4}?(?:\s*:|\s*\(|,?\s*(?:i\.e\.|that\s+is|namely|made\s+up\s+of|consisting\s+of|split\s+into|divided\s+into"
    r"|of\s+which))(?P<parts>[^;!?\n]*?)(?=[.;!?)\n](?!\d)|\Z)"
)
_MOST_TERMS = 12
# "435 bales (310 + 125)", "23 goals (27 minus four penalties)", "310 + 125 = 435".
_PLUS = ("+", "plus", "più", "más", "mais", "плюс")
_MINUS = ("-", "minus", "less", "moins", "menos", "meno", "минус")
_TIMES = ("x", "\u00d7", "*", "times", "mal", "fois", "por", "per", "vezes")
_SIGN = rf"(?:[+*\u00d7-]|(?:{'|'.join((*_PLUS[1:], *_MINUS[1:], 'x', *_TIMES[3:]))})\b)"
_WORDS = rf"(?:[ \t]+(?!{_SIGN})[^\W\d_]+){{0,4}}"
_PART = rf"(?:(?:the|die|der|les|los|las|gli|i)[ \t]+)?(?:\d{{1,9}}|[^\W\d_]{{2,12}}){_WORDS}"
_RECKONING = rf"\d{{1,9}}{_WORDS}(?:[ \t]*{_SIGN}[ \t]*{_PART})+"
_RESULT_NUMBER = rf"(?<![\w.,])(?P<result>\d{{1,9}})(?P<what>{_WORDS})"
_RECKONED = (
    lazy_pattern(
        rf"{_RESULT_NUMBER}[ \t]*[(\[][ \t]*(?:=|(?:i\.?e\.?|that[ \t]+is|namely|d\.?h\.?|soit)\b,?)?[ \t]*"
        rf"(?P<sum>{_RECKONING})[ \t]*(?:=[ \t]*\d{{1,9}}{_WORDS}[ \t]*)?[)\]]"
    ),
    lazy_pattern(rf"(?<![\w.,])(?P<sum>{_RECKONING})[ \t]*=[ \t]*{_RESULT_NUMBER}"),
)
_SIGN_OF_RECKONED = re.compile(r"[=(\[]")
_IS_SIGN = lazy_pattern(_SIGN)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER_OR_WORD = re.compile(rf"\d+|{_SIGN}|[^\W\d_]+")
_NEARLY = 0.1
"""By which share of a sum its result may be wrong."""
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
    terms |= _parts_of_totals(tidied, numbers)
    totals = {one.name for one in numbers if one.right and one not in terms}
    named = {term.name for term in terms if not term.right} if totals else set()
    added = _numbers_added(tidied) if totals else frozenset()
    return terms | {
        one for one in numbers if one.name in named or (not one.right and _amount(tidied, one) in added)
    }


def gone_into_others(tidied: str, mentions: Sequence[Mention]) -> dict[Mention, str]:
    """The right numbers that an answer names only to reckon another one from them, each with that one.

    "435 bales (310 + 125)" says 435, and so does "310 + 125 = 435". A sum of right numbers alone names them,
    a term with a word of its own ("310 sheep + 125 goats") is told, and a number may be stated elsewhere too.
    """
    right = [one for one in mentions if one.right and tidied[one.start].isdigit()]
    if not right or not _SIGN_OF_RECKONED.search(tidied):
        return {}
    gone: dict[Mention, str] = {}
    for reckoned in (match for pattern in _RECKONED for match in pattern.finditer(tidied)):
        result, terms = reckoned.span("result"), mentions_inside(right, reckoned.span("sum"))
        parts = _parts(reckoned["sum"])
        if (
            not terms
            or len(terms) == len(parts)
            or any(one.start < result[1] and result[0] < one.end for one in right)
            or not _makes(parts, int(reckoned["result"]))
        ):
            continue
        own = frozenset(_WORD.findall(reckoned["what"]))
        numbers = {str(_amount(tidied, term)): term for term in terms}
        gone |= {
            numbers[number]: reckoned["result"]
            for _, number, words in parts
            if number in numbers and own.issuperset(words)
        }
    stated = {one.name for one in right if one not in gone}
    return {one: result for one, result in gone.items() if one.name not in stated}


def _parts(written: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Each number of a sum, in digits, with the sign before it and the words behind it."""
    parts: list[tuple[str, str, tuple[str, ...]]] = []
    sign = "+"
    for token in _NUMBER_OR_WORD.findall(written):
        number = token if token.isdecimal() else number_of(token)
        if sign and number:
            parts.append((sign, number, ()))
            sign = ""
        elif _IS_SIGN.fullmatch(token):
            sign = token
        elif parts and not sign:
            parts[-1] = (*parts[-1][:2], (*parts[-1][2], token))
    return parts


def _makes(parts: Sequence[tuple[str, str, tuple[str, ...]]], result: int) -> bool:
    """Whether a sum, reckoned from left to right, comes near a result."""
    total = 0
    for sign, number, _ in parts:
        amount = int(number) if number.isdecimal() else 0
        total = total * amount if sign in _TIMES else total - amount if sign in _MINUS else total + amount
    return abs(total - result) <= _NEARLY * abs(total)


def _parts_of_totals(tidied: str, numbers: Sequence[Mention]) -> frozenset[Mention]:
    """The wrong numbers that make a right one many times over, "150 mg twice a day", or in a sum."""
    totals = [one for one in numbers if one.right]
    wrong = [one for one in numbers if not one.right]
    if not (totals and wrong):
        return frozenset()
    amounts = {_plain_amount(tidied[one.start : one.end]) for one in totals} - {0.0}
    spans = [
        many.span()
        for many in _MANY.finditer(tidied)
        if _count(many) * _plain_amount(many["one"] or many["each"]) in amounts
    ]
    for total in totals:
        parts = _CONSISTS.match(tidied, total.end)
        if parts and sum(map(_plain_amount, _ANY_NUMBER.findall(parts["parts"]))) == _plain_amount(
            tidied[total.start : total.end]
        ):
            spans.append(parts.span("parts"))
    return frozenset(mentions_in_any(wrong, spans))


def _count(many: re.Match[str]) -> float:
    """How often something is taken: "twice", "two and a half", "3"."""
    said = many["count"] or many["times"]
    whole, half, _ = said.partition(" and a half")
    number = {"twice": "2", "thrice": "3"}.get(whole) or number_of(whole) or whole
    return (_plain_amount(number) if number[:1].isdigit() else 0.0) + (0.5 if half else 0.0)


def _plain_amount(said: str) -> float:
    """The number that a text begins with or has; 0 where that is no plain one."""
    number = _ANY_NUMBER.search(said)
    return float(number[0].replace(",", "")) if number else 0.0


def _numbers_added(tidied: str) -> frozenset[int]:
    """The numbers of the sums that an answer writes, without what comes out: units may be left out there."""
    sums = (match[0] for match in _SUM.finditer(tidied))
    return frozenset(int(digits) for one in sums for digits in _PLAIN_NUMBER.findall(one))


def _amount(tidied: str, mention: Mention) -> int:
    return int(re.sub(r"\D", "", tidied[mention.start : mention.end]) or 0)


def totals_of_parts(
    tidied: str, mentions: Sequence[Mention], asked: frozenset[str]
) -> dict[Mention, Mention]:
    """The wrong totals of one right number and others, each with that one, if the question tells of it alone.

    "Before midnight she lights 347 lanterns, and after it another 219, 566 in all", where it is asked how
    many she lights before midnight.

    Args:
        tidied: the answer.
        mentions: every mention in it.
        asked: the words of the question that say what it asks for.
    """
    numbers = [mention for mention in mentions if tidied[mention.start].isdigit()]
    parts: dict[Mention, Mention] = {}
    for terms, total in _columns(tidied, numbers, ("",)):
        right = [term for term in terms if term.right]
        if total.right or len(right) != 1:
            continue
        start = max(tidied.rfind(sign, 0, right[0].start) for sign in ("\n", ". ", ": ")) + 1
        before = [one.end for one in numbers if start <= one.end <= right[0].start]
        behind = [one.start for one in numbers if one.start >= right[0].end]
        told = set(_WORD.findall(tidied[max(before, default=start) : behind[0]])) & asked
        rest = _LINE_REST.match(tidied, total.end)
        summed = _WORD.findall(tidied[terms[-1].end : rest.end() if rest else total.end])
        if len(told.difference(summed)) >= _LEAST_TELLING:
            parts[total] = right[0]
    return parts


def totals_beside_parts(tidied: str, mentions: Sequence[Mention], key: AnswerKey) -> Iterator[Mention]:
    """The wrong numbers that say they are the total of right ones before them, where several were asked for.

    Args:
        tidied: the answer.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    if len(key.elements) == 1 or not _TOTAL.search(tidied):
        return
    planted = {element.name for element in wrong_elements(key)}
    parts: dict[str, Decimal] = {}
    for mention in mentions:
        number = _ANY_NUMBER.match(tidied, mention.start, mention.end)
        amount = Decimal(number[0].replace(",", "")) if number else None
        if amount and mention.right:
            parts[mention.name] = amount
        elif amount and mention.name not in planted and 1 < len(parts) <= _MOST_ADDED:
            line = tidied.rfind("\n", 0, mention.start) + 1
            rest = _LINE_REST.match(tidied, mention.end)
            sums = (sum(some) for n in range(2, len(parts) + 1) for some in combinations(parts.values(), n))
            if amount in sums and _TOTAL.search(tidied, line, rest.end() if rest else mention.end):
                yield mention


_MOST_ADDED = 8
"""Right numbers of which any may be added up."""
_LEAST_TELLING = 2
"""Words of the question that a part has and its total has not."""


def _added_up(tidied: str, numbers: Sequence[Mention]) -> frozenset[Mention]:
    """The numbers right before one that is their total, and says so: a column with its sum below."""
    return frozenset(
        one for terms, total in _columns(tidied, numbers, ()) for one in terms if one.name != total.name
    )


def _columns(
    tidied: str, numbers: Sequence[Mention], spared: Collection[str]
) -> Iterator[tuple[Sequence[Mention], Mention]]:
    """Numbers in a row, all of one unit but the spared, and the one behind that says it is their total."""
    amounts = [_amount(tidied, one) for one in numbers]
    units = [re.sub(r"[\d.,'\s]", "", tidied[one.start : one.end]) for one in numbers]
    for place, total in enumerate(numbers):
        first, left = place, amounts[place]
        while first > max(0, place - _MOST_TERMS) and left > 0:
            first -= 1
            left -= amounts[first]
        if left or place - first < 2 or len(set(units[first : place + 1]).difference(spared)) > 1:
            continue
        behind = _LINE_REST.match(tidied, total.end)
        if _TOTAL.search(tidied, numbers[place - 1].end, behind.end() if behind else total.end):
            yield numbers[first:place], total


def _results(tidied: str, sentence: tuple[int, int], numbers: Sequence[Mention]) -> list[int]:
    """Where a result follows in the sentence."""
    inside = mentions_inside(numbers, sentence)
    if not inside:
        return []
    return [match.end() for match in _RESULT.finditer(tidied, sentence[0], inside[-1].start)]
