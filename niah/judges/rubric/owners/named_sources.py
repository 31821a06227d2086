"""Wrong names that an answer only has as its source, or says of what they are: "as the notary X read out"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

_SAID = (
    r"(?:read|says?|said|tells?|told|reports?|reported|writes?|wrote"
    r"|records?|recorded|announce[sd]?|states?|stated|notes?|noted|put|puts)"
)
_TITLE = r"(?:(?:the|his|her|its|their|an?|old|young|one)\s+)?(?:\w+\s+){0,2}?"
_SOURCE_BEFORE = lazy_pattern(
    r"\b(?:according\s+to|in\s+the\s+words\s+of|by\s+the\s+(?:account|report|testimony|word)\s+of"
    rf"|as\s+(?:is\s+|was\s+)?{_SAID}\s+(?:\w+\s+)?by)\s+{_TITLE}\Z"
)
_AS_BEFORE = lazy_pattern(rf"\bas\s+{_TITLE}\Z")
_SOURCE_OVER = re.compile(r"\s*[,:]|\s+(?:who|the|there|it|this|these|his|her|in|at|on)\b")
_SAYS_AFTER = lazy_pattern(rf"\s+(?:\w+ly\s+|once\s+|has\s+)?{_SAID}\b")
_SAYS_THAT = lazy_pattern(rf"\s+(?:\w+ly\s+)?{_SAID}\s+(?:out\s+|aloud\s+)?(?:that|how)\b")
_ASKS_FOR_SOURCES = lazy_pattern(
    rf"\b(?:{_SAID}|according|claim\w*|account|testif\w*|witness\w*|source|think|thinks|thought|believe\w*|call\w*|name[ds]?)\b"
)
_SIGNS = ("accord", "words of", "by the", "as ", " that ", " how ")
_UNIT = r"(?:\s?(?:°\s?\w|%|(?!and\b|refer|appl|belong|relate|pertain)[a-z]{1,9}\b))?+"
_SIGNS_OF_REJECTION = ("reject", "dismiss", "deni", "denounc", "rule", "discount")
_SIGNS_OF_OTHERS = ("refer", "appl", "belong", "relat", "pertain")
_ANY_SIGN = (*_SIGNS, *_SIGNS_OF_REJECTION, *_SIGNS_OF_OTHERS)
"""One of these stands wherever anything is found here, and is found much sooner."""
# "The figures 28 and 19 refer to daytime and to another gardener's time".
_REFERS = lazy_pattern(
    rf"{_UNIT}(?:\s*(?:,|and|,\s*and)?\s*(?:the\s+)?{MASK}++{_UNIT})*+\s+(?:refers?|appl(?:y|ies)|belongs?|relates?|pertains?)\s+to\s+(?P<what>[^.;\n{MASK}]+)"
)
_REJECTED = lazy_pattern(
    r"(?<!not )(?<!never )\b(?:reject(?:s|ed)|dismisse[sd]|denie[sd]|denounce[sd]|rule[sd]\s+out"
    r"|discounts|discounted)\s+(?:both\s+)?(?:(?:the|an?|all)\s+)?(?:\w+\s+)?\Z"
)
_ASKS_FOR_REJECTED = re.compile(r"\b(?:reject|dismiss|den(?:y|ie)|denounc|rul(?:e|ing)|discount|refus)")
_WORD = re.compile(r"[^\W_]+")
_REACH = 60


def sources_and_others(
    text: str, mentions: Sequence[Mention], question: str, asked: frozenset[str]
) -> Iterator[Mention]:
    """The wrong mentions of a masked text that are named as who said so, as rejected, or as something else.

    Args:
        text: masked, hyphens as spaces.
        mentions: every mention in it, in reading order.
        question: normalised.
        asked: its words, in all their forms.
    """
    if any(map(text.__contains__, _ANY_SIGN)):
        yield from _sources(text, mentions, question)
        yield from _rejected(text, mentions, question)
        yield from _referred_elsewhere(text, mentions, asked)


def _sources(text: str, mentions: Sequence[Mention], question: str) -> Iterator[Mention]:
    """The wrong mentions of a masked text that are named as who said so; none where that is asked for."""
    wrong = [mention for mention in mentions if not mention.right and not any(map(str.isdigit, mention.name))]
    if not wrong or not any(map(text.__contains__, _SIGNS)) or _ASKS_FOR_SOURCES.search(question):
        return
    for mention in wrong:
        before = text[max(0, mention.start - _REACH) : mention.start]
        if (
            (_SOURCE_BEFORE.search(before) and _SOURCE_OVER.match(text, mention.end))
            or (_AS_BEFORE.search(before) and _SAYS_AFTER.match(text, mention.end))
            or _SAYS_THAT.match(text, mention.end)
        ):
            yield mention


def _rejected(text: str, mentions: Sequence[Mention], question: str) -> Iterator[Mention]:
    """The wrong mentions that a masked text says were rejected; none where that is asked for."""
    if not any(map(text.__contains__, _SIGNS_OF_REJECTION)) or _ASKS_FOR_REJECTED.search(question):
        return
    for mention in mentions:
        if not mention.right and _REJECTED.search(text[max(0, mention.start - _REACH) : mention.start]):
            yield mention


def _referred_elsewhere(text: str, mentions: Sequence[Mention], asked: frozenset[str]) -> Iterator[Mention]:
    """The wrong mentions of which a masked text says that they refer to something that was not asked for."""
    if not any(map(text.__contains__, _SIGNS_OF_OTHERS)):
        return
    for mention in mentions:
        refers = None if mention.right else _REFERS.match(text, mention.end)
        if refers and asked.isdisjoint(_WORD.findall(refers["what"])):
            yield mention
