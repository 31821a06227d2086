"""Bounds said otherwise, and other bounds: "below the age of 35" is "under 35", "under 40" is not.

English alone. "Not under 35" is no bound of its own here: a denial before it rules it out. A bare number
is not found that is bounded to the other side than was asked: "at least 300 mg", for the highest dose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.numbers import any_of, number_of, other_numbers
from niah.judges.rubric.lazy_pattern import lazy_pattern

_AGES = r"(?:\s+years?(?:\s+(?:of\s+age|old))?)?"
_SAID_OF_AGES = ("years of age", "years old", "years", "")
_BEFORE = {
    "under": ("under", "below", "less than", "fewer than", "younger than"),
    "over": ("over", "above", "more than", "older than"),
    "at least": ("at least", "no less than", "no fewer than", "not less than", "a minimum of"),
    "at most": ("at most", "no more than", "not more than", "a maximum of"),
}
_OF_AGES_ALONE = ("younger than", "older than")
_BEHIND = {
    "at least": r"(?:or\s+(?:more|older|over)|and\s+(?:older|over))",
    "at most": r"or\s+(?:less|fewer|younger|under)",
}
_MEANT = {way: bound for bound, ways in _BEFORE.items() for way in ways}
_ANY_BEFORE = "|".join(re.escape(way).replace(r"\ ", r"\s+") for way in sorted(_MEANT, key=len, reverse=True))
_NO_DENIAL = r"(?<!no\s)(?<!not\s)(?<!nor\s)(?<!n't\s)(?<!never\s)"
_NAME = re.compile(
    r"(?:(?:be|is|aged|someone|those|applicants)\s+)?"
    rf"(?P<way>{_ANY_BEFORE})\s+(?P<age>the\s+age\s+of\s+)?(?P<number>\d{{1,9}}|[a-z]+(?:\s[a-z]+)?)"
    r"(?:\s+(?P<unit>years of age|years old|[a-z]+))?"
)
_SAID = lazy_pattern(
    rf"{_NO_DENIAL}\b(?P<way>{_ANY_BEFORE})\s+(?:the\s+age\s+of\s+)?(?P<number>\d{{1,9}})(?![\d.,]*\d)"
    r"(?:\s+(?P<unit>years\s+of\s+age|years\s+old|[a-z]+))?"
)
_NO_UNIT = frozenset(
    "and or but who with at in on to hold have must by when not a the is".split()  # noqa: SIM905
)
_ASKS_FOR = {
    "most": re.compile(r"\b(?:max(?:imum|imal)?|highest|at\s+most|upper\s+limit|largest|longest|latest)\b"),
    "least": re.compile(
        r"\b(?:min(?:imum|imal)?|lowest|at\s+least|lower\s+limit|smallest|shortest|earliest|youngest)\b"
    ),
}
_IS = (
    r"(?:\A|[.:;,\n]\s*|\b(?:be|is|are|takes?|needs?|gets?|requires?|give|use)\s+)"
    r"(?:just\s+|only\s+)?"
)
_OTHER_SIDE = {
    "most": (
        rf"(?:\b(?:at\s+least|(?:no|not)\s+(?:less|fewer)\s+than|a\s+minimum\s+of)|{_IS}(?:more\s+than|over|above))",
        r"\s+or\s+(?:more|higher|above|over|longer)|\s+at\s+(?:the\s+)?(?:least|minimum)|\s+and\s+(?:more|over|above|up)",
    ),
    "least": (
        r"(?:\b(?:at\s+most|up\s+to|(?:no|not)\s+(?:more|older|longer|higher)\s+than|a\s+maximum\s+of)"
        rf"|{_IS}(?:(?:less|fewer|younger|lower)\s+than|under|below))",
        r"\s+or\s+(?:less|fewer|younger|lower|under|below)|\s+at\s+(?:the\s+)?(?:most|maximum)|\s+and\s+(?:under|below|younger)",
    ),
}
_TO_THE_OTHER_SIDE = {
    side: (
        lazy_pattern(rf"{before}\s+(?:the\s+age\s+of\s+)?\Z"),
        lazy_pattern(rf"(?:\s(?!or\b|and\b|at\b)[\w/]+){{0,3}}?(?:{behind})\s*(?:[.,;:)\n]|\Z)"),
    )
    for side, (before, behind) in _OTHER_SIDE.items()
}
_SIGNS = ("least", "most", "than", "over", "above", "under", "below", "imum", "up to", " or ", " and ")
_NOT_SAID = lazy_pattern(
    r"\b(?:not?(?!\s+(?:less|fewer|more|older|longer|higher)\s+than)|never|nobody|none|nothing|anything|everything|anyone|everyone|who|if"
    r"|too|without|cannot|than\s+the|those|children)\b|n't\b"
)
_SENTENCE_OVER = re.compile(r"[.!?\n](?=\s|\Z)")
_REACH = 80


def bounded_to_the_other_side(text: str, mentions: Sequence[Mention], question: str) -> Iterator[Mention]:
    """The right numbers of a masked text that it gives as the least, where the most is asked, or the reverse.

    Args:
        text: masked.
        mentions: the right numbers that it names.
        question: tidied.
    """
    if not any(map(text.__contains__, _SIGNS)):
        return
    asked = [side for side, asks in _ASKS_FOR.items() if asks.search(question)]
    for mention in mentions if len(asked) == 1 else ():
        before, behind = _TO_THE_OTHER_SIDE[asked[0]]
        said = _SENTENCE_OVER.split(text[max(0, mention.start - _REACH) : mention.start])[-1]
        rest = _SENTENCE_OVER.split(text[mention.end : mention.end + _REACH])[0]
        if (before.search(said) or behind.match(text, mention.end)) and not _NOT_SAID.search(
            f"{said} {rest}"
        ):
            yield mention


def other_bounds(name: str) -> Iterator[str]:
    """Expressions for other ways to write a normalised name that is a bound: "under 35", "at least 3 km"."""
    bound = _NAME.fullmatch(name)
    number = _in_digits(bound["number"]) if bound else ""
    if bound is None or not number:
        return
    of_age = (bound["unit"] or "") in _SAID_OF_AGES
    numbers = any_of((number, *other_numbers(number, ("en",))))
    unit = _AGES if of_age else rf"\s+{re.escape(bound['unit']).removesuffix('s')}s?"
    meant = _MEANT[bound["way"]]
    ways = [way for way in _BEFORE[meant] if of_age or way not in _OF_AGES_ALONE]
    if of_age and meant == "under":
        ways.append("not yet")
    before = any_of(ways)
    guard = _NO_DENIAL if meant in ("under", "over") else ""
    more = r"(?!\s+(?:hundred|thousand|million)\b)"
    yield rf"{guard}(?:{before})\s+(?:the\s+age\s+of\s+)?(?:{numbers}){unit}{more}"
    if meant in _BEHIND:
        yield rf"(?:{numbers}){unit}\s+{_BEHIND[meant]}"


def wrong_bounds(stated: str, missing: Collection[str], told: Collection[str]) -> frozenset[str]:
    """The bounds of another number, or to the other side, that a text has in place of missing ones.

    Args:
        stated: what an answer states, normalised and masked.
        missing: names of the elements that were not found, normalised.
        told: the numbers of all texts of the needle set, which may be said of something else.
    """
    wrong: set[str] = set()
    for name in missing:
        bound = _NAME.fullmatch(name)
        number = _in_digits(bound["number"]) if bound else ""
        if bound is None or not number:
            continue
        for said in _SAID.finditer(stated):
            other_side = said["number"] == number and _MEANT[_spaced(said["way"])] != _MEANT[bound["way"]]
            if _same_unit(said["unit"], bound["unit"]) and (other_side or said["number"] not in told):
                wrong.add(f"{said['way']} {said['number']}")
    return frozenset(wrong)


def _in_digits(written: str) -> str:
    number = written if written.isdecimal() else number_of(written)
    return number if number.isdecimal() else ""


def _same_unit(said: str | None, meant: str | None) -> bool:
    said, meant = (_spaced(unit or "") for unit in (said, meant))
    if meant in _SAID_OF_AGES:
        return said in _SAID_OF_AGES or said in _NO_UNIT
    return said.removesuffix("s") == meant.removesuffix("s")


def _spaced(said: str) -> str:
    return " ".join(said.split())
