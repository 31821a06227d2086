"""A number whose noun stands before it as a label: "Devices per user: 5" for "5 devices"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.normalise import normalise

_COUNTED = re.compile(
    r"(?P<number>\d{1,6})\s(?P<noun>[^\W\d_]{4,})|(?P<label>[^\W\d_]{4,})\s(?P<place>\d{1,6})"
)
_BEGINS = (
    r"(?:\A|[\n;,({]|[.!?]\s)[^\S\n]*(?:(?!(?:not?|other|previous|old|former)\b)[^\W\d_]+[^\S\n]+){0,2}?"
)
_GOES_ON = r"(?:[^\S\n]+(?:per|for|of|allowed|on|in|each|a|the|an|max(?:imum)?|[^\W\d_]{3,})){0,3}?"
_ENDS = r"(?![\w%]|[.,:/]\d)(?=[^\S\n]*(?:[.,;)}\n]|\Z|\())"


def labelled_numbers(text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """The elements that a text names by a label with their noun and the number behind it.

    Args:
        text: normalised.
        mentions: what it names.
        key: what was asked.
    """
    if ":" not in text and "=" not in text:
        return []
    named = {mention.name for mention in mentions}
    found = []
    for name, right, pattern in _patterns(key):
        match = pattern.search(text) if name not in named else None
        if match and all(match.end() <= one.start or one.end <= match.start("noun") for one in mentions):
            found.append(Mention(name, right, match.start("noun"), match.end()))
    return found


@lru_cache(maxsize=256)
def _patterns(key: AnswerKey) -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    """Of each element of a number and a noun, how it may be labelled; none where a noun counts two things."""
    elements = [(True, each) for each in key.elements] + [(False, each) for each in wrong_elements(key)]
    patterns = []
    for right, element in elements:
        counted = _COUNTED.fullmatch(normalise(element.name))
        if counted:
            number, noun = counted["number"] or counted["place"], counted["noun"] or counted["label"]
            forms = "|".join(map(re.escape, inflections(noun)))
            label = rf"{_BEGINS}(?P<noun>{forms}){_GOES_ON}[^\S\n]*[:=][^\S\n]*{number}{_ENDS}"
            patterns.append((element.name, right, re.compile(label)))
    return tuple(patterns)
