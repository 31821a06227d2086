"""Where a text names elements: whole words, plurals and aliases too, and the longest match wins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.names import BARE_ANSWERS, Names
from niah.judges.rubric.elements.written_name import WrittenName
from niah.judges.rubric.forms.amounts.digits import is_multiplied
from niah.judges.rubric.forms.amounts.half_of_day import half_of_day
from niah.judges.rubric.forms.amounts.rows import is_another_amount
from niah.judges.rubric.forms.borders import NUMERALS, starts_a_name
from niah.judges.rubric.lazy_pattern import lazy_pattern

# Not ``niah.text.mentions``, on purpose. That one reads what we wrote ourselves: contexts of millions of
# characters, at offsets of the text as it stands, only the forms that a needle set lists. This one reads
# what a model wrote: it normalises first, forgives plurals, stops and separators, and the longest name wins.
# Were they one, whatever is forgiven here would move where needles may be planted, and with it every case.

_BEFORE_ALONE = lazy_pattern(
    r"(?:\A|[.!?:;,(\[\n\"](?:[ \t]*and\b)?|[ ]{3}|(?<=\w)'s\b"
    r"|\b(?:is|are|was|be|answers?|say|so|but|then|thus|therefore"
    r"|hence|well|likely|probably|presumably|apparently|possibly|perhaps"
    r"|que|dass|che|что|lautet|ist|est|es|donc|pues|quindi|portanto|значит)\b)[ \t]*(?:a[ \t]+)?\Z"
)
# Behind a remark in brackets nothing may follow: "no (explicit) mention" is no no.
_AFTER_ALONE = re.compile(
    r"[ \t]*(?:(?:(?:\([^()\n]*\)|\[[^\[\]\n]*\])[ \t]*)*+(?:\Z|[.,;:!?)}\]\n]|[ ]{3})|and[ \t]+no\b)"
)
_SAID_REACH = 24
_Candidate = tuple[bool, int, Mention]
"""A mention, whether it is spelled exactly, and its slips of the pen."""


@lru_cache(maxsize=4)
def find_mentions(text: str, names: Names) -> tuple[Mention, ...]:
    """Mentions in ``text`` that do not overlap, in reading order.

    Where two overlap the longer wins, so that "mist" is not found in a distractor's "silver mist"; of two
    that are equally long, the one spelled exactly wins, then the right one. Names whose words stand apart are
    looked for behind those, between them, and then names that are told in another language alone. The last
    texts' are remembered: an answer's lines are read as a list too.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        names: from ``names_of``.
    """
    taken = [False] * len(text)
    mentions: list[Mention] = []
    for *_, mention in sorted(_candidates(text, names), key=_precedence):
        _take(mention, taken, mentions)
    for match in names.scattered.find(text, taken):
        _take(Mention(*match.name, match.start, match.end), taken, mentions)
    named = {(mention.name, mention.right) for mention in mentions}
    if not named.issuperset(names.right):
        for foreign in chain(names.translated.find(text, taken), names.transliterated.find(text)):
            if foreign.name not in named:
                _take(Mention(*foreign.name, foreign.start, foreign.end), taken, mentions)
    mentions.sort(key=_place)
    return tuple(mentions)


def _take(mention: Mention, taken: list[bool], mentions: list[Mention]) -> None:
    """Add a mention, unless it overlaps one that is taken."""
    _, _, start, end = mention
    if True not in taken[start:end]:
        taken[start:end] = [True] * (end - start)
        mentions.append(mention)


_place = attrgetter("start")


def _candidates(text: str, names: Names) -> list[_Candidate]:
    """Mentions, each with whether it is spelled exactly, and its slips of the pen.

    A time of day that is said to be in the other half of the day is none; what is spelled exactly wins.
    """
    halves = names.halves_of_day
    spelled_out: set[tuple[int, int]] = set()
    found: list[_Candidate] = []
    for candidate in chain(_spelled(text, names), _spelled_loosely(text, names)):
        is_exact, _, (name, right, start, end) = candidate
        if (not is_exact and (start, end) in spelled_out) or is_multiplied(text, start):
            continue
        late = halves.get((name, right)) if halves else None
        if late is None or half_of_day(text, start, end) in (None, late):
            found.append(candidate)
            if is_exact:
                spelled_out.add((start, end))
    return found


def _spelled(text: str, names: Names) -> list[_Candidate]:
    """Names as they are listed, and their numbers and the like in other forms."""
    found: list[_Candidate] = []
    for name, match in chain(names.matches(text), names.in_other_forms(text).matches(text)):
        start, end = match.span()
        said = match[0]
        if (
            (starts_a_name(text, start, end) or said in NUMERALS)
            and (said not in BARE_ANSWERS or _is_said_alone(text, match))
            and not (said[0].isdigit() and _is_of_another(name, names, text, match))
        ):
            found.append((name.is_exact(match), 0, Mention(name.element, name.right, start, end)))
    return found


def _is_of_another(name: WrittenName, names: Names, text: str, match: re.Match[str]) -> bool:
    """Whether a number is cut out of another amount, or stands in the field of another name."""
    if is_another_amount(text, *match.span()):
        return True
    return match[0].isdecimal() and names.is_in_the_field_of_another(name, text, match.start())


def _spelled_loosely(text: str, names: Names) -> Iterator[_Candidate]:
    """Values and codes written otherwise, and names in other forms or with slips of the pen."""
    values = [(name, start, _before_the_stop(text, end)) for name, start, end in names.values(text)]
    are_several = len({name.element for name, *_ in values}) > 1
    for name, start, end in values:
        if are_several or not is_another_amount(text, start, end):
            yield False, 0, Mention(name.element, name.right, start, end)
    for code in (code for way in names.codes for code in way.find(text)):
        if not is_another_amount(text, code.start, code.end):
            yield False, 0, Mention(*code.element, code.start, code.end)
    for way in names.written_loosely:
        for loose in way.find(text):
            yield False, loose.slips, Mention(*loose.name, loose.start, loose.end)


def _before_the_stop(text: str, end: int) -> int:
    """Where a value ends: a stop behind a whole word ("euros") is no part of it, one behind "oz" is."""
    return end - 1 if _STOP_BEHIND_A_WORD.match(text[max(0, end - 5) : end]) else end


_STOP_BEHIND_A_WORD = re.compile(r"[^\W\d_]{4}\.\Z")


def _is_said_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a yes or no is the answer, and no part of a sentence: not the "no" of "no information"."""
    before = text[max(0, match.start() - _SAID_REACH) : match.start()]
    return _BEFORE_ALONE.search(before) is not None and _AFTER_ALONE.match(text, match.end()) is not None


def _precedence(candidate: _Candidate) -> tuple[int, bool, int, bool, int]:
    exact, slips, mention = candidate
    return (mention.start - mention.end, not exact, slips, not mention.right, mention.start)
