"""A right number told at another rate than was asked: "1,340 a year" where the monthly rent was asked.

Or told as a change, "raised by 1,340", or as one of many, "300 mg three times a day", or as the end of
a range, "between 268 and 412 metres". What stands directly behind a number tells its rate first, then what
stands before it in its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.statements import tidied_question

_PER = (
    r"(?:an?|per|every|each|pro|je|jede[nrs]?|im|in\s+der|am|par|chaque|por|al|a\s+la|cada|all[ao']|ogni|ao|à)"
    r"\s*"
)
_PERIODS = {
    "hour": rf"hourly|{_PER}(?:hour|stunde|heure|hora|ora)|stündlich\w*|horaires?",
    "day": rf"daily|{_PER}(?:day|tag(?!\sde[rs]\b)|jour|día|dia|giorno)|täglich\w*|tages\w+"
    r"|quotidien\w*|journali[eè]\w+|di[aá]ri[ao]\w*|giornalier\w+|quotidian\w+",
    "week": rf"weekly|{_PER}(?:week|woche|semaine|semana|settimana)|wöchentlich\w*|wochen\w{{3,}}"
    r"|hebdomadaires?|semana(?:l|is|les)|settimanal[ei]",
    "month": rf"monthly|{_PER}(?:month|monat|mois|mes|mese|mês)|monatlich\w*|monats\w+|mensuel\w*|mensual\w*"
    r"|mensil[ei]|mensa(?:l|is)",
    "quarter": r"quarterly|(?:per|every|each|pro|par|chaque|por|cada|ogni|al)\s(?:quarter|quartal|trimest\w+)"
    r"|vierteljährlich\w*|quartals\w+|trimest(?:riel|ral)\w*",
    "year": rf"yearly|annual(?:ly)?|per\s+annum|{_PER}(?:year|jahr(?!e?\s\d)|an|année|año|anno|ano)"
    r"|jährlich\w*|jahres\w+|annuel\w*|anual(?:es|mente)?|anua(?:l|is)|annu[ao]l[ei]",
}
# "A year-long lease", "the annual report", "am Tag der Abfahrt" tell no rate.
_NO_RATE = (
    r"(?:long|old|round|contracts?|leases?|agreements?|reports?|statements?|accounts?|books?|lists?|tables?)"
)
_PERIOD = lazy_pattern(
    r"(?<![^\W_])(?:"
    + "|".join(f"(?P<{name}>{ways})" for name, ways in _PERIODS.items())
    + rf")(?![^\W_]|'|[\s-]{_NO_RATE}\b)"
)
_SIGNS = tuple(
    re.findall(
        r"\w+",
        """
        hour day dai week month quarter year ann stund stünd tag täg woche wöch monat quartal jahr jähr heure
        jour quotidi semain semana hebdo mois mens trimest hora día dia diá mes mês año ano anual anua ora
        giorn settiman
        """,
    )
)
"""One of these stands wherever a period does, and is found much sooner."""
# "1,340 crowns a year", not "1,340 crowns plus a yearly fee".
_JOINS = r"(?:plus|and|with|but|or|then|before|after|und|mit|aber|et|avec|mais|y|con|pero|e|com|ma|mas)\b"
_BEHIND = lazy_pattern(rf"[^\S\n]*(?:(?!{_JOINS})[^\W\d_]+[^\S\n]+){{0,3}}?(?=({_PERIOD.pattern}))")
# "300 mg three times a day" are 900.
_TIMES = r"(?:twice|thrice|(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})(?:\s+times|\s?x))"
_REPEATED = lazy_pattern(rf"(?:[^\S\n]+[^\W\d_]+){{0,2}}?[^\S\n]+{_TIMES}\s+(?:{_PERIOD.pattern})")
_REPEATED_SOMEWHERE = lazy_pattern(rf"\b{_TIMES}\b")
_CLAUSE_BEGINS = lazy_pattern(
    r"[.;,(\n]\s|\s(?:and|but|or|so|und|aber|also|et|soit|y|pero|e|ma|mas)\s|" + MASK
)
_CHANGED = (
    r"\b(?:increas|rais|rose|risen|rises?|lower|cuts?\b|reduc|fell\b|fallen|dropp|went\s+(?:up|down)|gr[eo]w|put\s+up)\w*\s"
    rf"(?:[^.;,:\n{MASK}]{{0,40}}?\s)?by\s+(?:an?\s+)?(?:full\s+|whole\s+)?"
)
_CHANGED_BY = lazy_pattern(rf"{_CHANGED}\Z")
_CHANGED_BY_SOMETHING = lazy_pattern(_CHANGED)
_END_OF_RANGE = lazy_pattern(r"\bbetween\s+[$\u20ac\u00a3]?\d[\d.,]*(?:\s+[^\W\d_]+)?\s+and\s+\Z")
_ASKS_FOR_CHANGE = re.compile(
    r"\b(?:by\s+how|increas|rais|rise|rose|lower|cut|reduc|fall|fell|drop|differ|chang|grow|grew)"
)
_YEAR = re.compile(r"1\d{3}|20\d\d")
_REACH = 80


def told_at_another_rate(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Iterator[Mention]:
    """The right numbers of a masked text that it gives for another time than was asked, or as a change.

    Args:
        text: masked.
        mentions: the right numbers that it names.
        key: what was asked.
    """
    period = _asked_period(key) if any(map(text.__contains__, _SIGNS)) else ""
    by = " by " in text and not _is_of_change(key)
    in_range = "between" in text and "between" not in _own_text(key)
    for mention in mentions if period or by or in_range else ():
        before = text[max(0, mention.start - _REACH) : mention.start]
        told = _periods_of(text, mention, before) if period else set()
        is_change = by and not _YEAR.fullmatch(mention.name) and _CHANGED_BY.search(before)
        repeated = period and _REPEATED.match(text, mention.end) and not _is_repeated(key)
        is_end = in_range and _END_OF_RANGE.search(before)
        if is_change or is_end or repeated or (told and told.isdisjoint(_own_periods(key))):
            yield mention


def _periods_of(text: str, mention: Mention, before: str) -> set[str]:
    """The periods that a number is told for."""
    behind = _BEHIND.match(text, mention.end)
    if behind:
        return {name for name in _PERIODS if behind[name]}
    begins = [match.end() for match in _CLAUSE_BEGINS.finditer(before)]
    clause = before[begins[-1] :] if begins else before
    return {str(match.lastgroup) for match in _PERIOD.finditer(clause)}


@lru_cache(maxsize=256)
def _own_periods(key: AnswerKey) -> frozenset[str]:
    """The periods that the question, the references and the needles name: an answer may, too."""
    return frozenset(str(match.lastgroup) for match in _PERIOD.finditer(_own_text(key)))


@lru_cache(maxsize=256)
def _is_repeated(key: AnswerKey) -> bool:
    """Whether the right number itself is one of many: "300 mg three times a day"."""
    return _REPEATED_SOMEWHERE.search(_own_text(key)) is not None


@lru_cache(maxsize=256)
def _is_of_change(key: AnswerKey) -> bool:
    """Whether it is asked by how much something changed, or the needles tell so."""
    asks = _ASKS_FOR_CHANGE.search(tidied_question(key))
    return asks is not None or _CHANGED_BY_SOMETHING.search(_own_text(key)) is not None


@lru_cache(maxsize=256)
def _own_text(key: AnswerKey) -> str:
    texts = (tidied_question(key), *key.references, *(needle.text for needle in key.needles))
    return normalise("\n".join(texts))


@lru_cache(maxsize=256)
def _asked_period(key: AnswerKey) -> str:
    """The one period that the question names; "" where it names none or more."""
    periods = {str(match.lastgroup) for match in _PERIOD.finditer(tidied_question(key))}
    return periods.pop() if len(periods) == 1 else ""
