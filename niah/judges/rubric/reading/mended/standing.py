"""Whether an answer stands once it has been read to its end, is left open, or is taken back as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from niah.cases.sample import AnswerKey
from niah.judges.rubric.abstention import abstentions, takes_back
from niah.judges.rubric.doubt import (
    Doubt,
    detect_doubt,
    is_not_explicit,
    is_retracted,
    withdraws_in_its_language,
)
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_words import key_words
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import spaced
from niah.judges.rubric.reading.mended.partly_withdrawn import is_partly_withdrawn
from niah.judges.rubric.reading.mended.pointed import speaks_of_a_part
from niah.judges.rubric.reading.spans import TextRange, without_spans

Standing = Literal["stands", "open", "taken back"]
"""Of an answer that has something right, once it has been read to its end."""
# "Not explicitly mentioned" leaves open what stands, unless it is taken back as well.
_OPEN = re.compile(
    r"\b(?:explicit|direct|specific|clear|verbatim|outright|in\s+so\s+many\s+words|spel(?:led|t)\s+out)"
)
_TAKES_BACK = lazy_pattern(
    r"\b(?:withdraw|tak(?:e|ing)\s+(?:it|that|this|them|all)?\s*(?:all\s+)?back|disregard\s+(?:that|this|my|what)"
    r"|retract|(?:scratch|strike|forget)\s+that|second\s+thoughts?|(?:not|n't)\s+stand\s+by)"
)
# Said at the end of a complete answer: nothing of it stands.
_RETRACTS = lazy_pattern(
    r"\b(?:i|we|me|must)\s+(?:\w+\s+){0,2}?(?:withdraw|retract|made\s+(?:it|this|that|them)\s+(?:all\s+)?up"
    r"|take\s+(?:it|that|this|them|everything)\s+(?:all\s+)?back)\b"
    r"|(?:\A|[.!?;:,(\n-])\s*(?:(?:actually|no|sorry|please|so|but|then|and)\b,?\s*){0,3}(?:disregard|forget)"
    r"\s+(?:that\b(?!\s+\w)|this\b(?!\s+\w)|(?:it|that)\s+all\b|all\s+(?:of\s+)?(?:that|this)\b|my\b|what\s+i\b)"
    r"|\bi(?:'d|\s+would|\s+had)\s+(?:rather|sooner|better|prefer)\s+(?:to\s+)?not\s+(?:to\s+)?"
    r"(?:(?:give|offer|commit\s+(?:myself\s+)?to|stand\s+by|name)\s+(?:an|any|my|this|that)\s+)?answer"
    r"|\bi(?:'ll|\s+will|\s+must|\s+have\s+to)?\s+(?:decline|refuse)\s+to\s+(?:give\s+an\s+)?answer\b"
    r"|\b(?:treat|consider|regard)\s+(?:\w+\s+){1,3}?(?:as\s+)?(?:withdrawn|retracted|void)\b"
)
_SIGNS_OF_RETRACTION = ("withdraw", "retract", "made", "back", "disregard", "forget", "answer", "void")
"""One of these stands in every match of ``_RETRACTS``, and is found much sooner."""
_WORD = re.compile(r"\w")
_WHY = re.compile(r"[^.!?;\n]*\b(?:why|whether)\b[^.!?;\n]*")
"""Reasons are no elements: that they are not told takes nothing back."""
# Of a part that was not found: that the rest is not told takes back nothing of what is.
_THE_REST = lazy_pattern(
    r"\b(?:rest|remaining|remainder|more|further|else|missing|full|fully|complete(?:ly)?|exhaustive(?:ly)?|all\s+of\s+them"
    r"|fifth|both|one\s+of|two|three|four|five)\b"
)
_OWN_KEY = re.compile(r"\s*\([^()\n]{1,60}\)")
_CLAUSE_CUT = lazy_pattern(
    r"[.!?;\n]|,?\s\b(?:but|while|whereas|although|though(?!\W*(?:[.\n]|\Z))|aber|während|mais|pero|mas|ma|но|а)\b"
    r"|(?P<no>,\s+(?:and\s+)?(?=no\b|nothing\b))"
)
_FOR = re.compile(
    r"\W*(?:(?:but|and|however|yet|though)\b)?[\s,]*(?:for|as\s+for|as\s+to|regarding|concerning|about|on)\b"
)
_TURNS_ROUND = lazy_pattern(
    r"\b(?:second\s+thoughts?|reflection|however|but|though|although|sorry|actually|in\s+fact|no|wait|yet|then\s+again|having\s+re-?read"
    r"|none\s+of\s+(?:this|that|these|it))\b"
)


def in_the_end(
    text: str, mentions: Sequence[Mention], doubts: Doubt, key: AnswerKey, *, complete: bool
) -> tuple[Standing, Doubt]:
    """Whether an answer that has something right stands, and what it doubts then.

    Args:
        text: masked.
        mentions: every mention in it, in reading order.
        doubts: of the whole answer.
        key: what was asked.
        complete: whether it names everything right and nothing wrong.
    """
    if not complete:
        gone = _is_retracted(text, mentions, key) or (
            doubts == "withdrawn" and _refuses_all(text, mentions, key)
        )
        return ("taken back", "withdrawn") if gone else ("stands", doubts)
    standing: Standing = "stands"
    if _is_retracted(text, mentions, key):
        standing, doubts = "taken back", "withdrawn"
    elif is_not_explicit(_after_the_last(text, mentions), text, key):
        standing, doubts = "open", "withdrawn"
    elif doubts != "none":
        standing = _standing(text, mentions, key)
        doubts = "hedged" if standing == "stands" else "withdrawn"
    names = {mention.name for mention in mentions if mention.right}
    if len(names) > 1 and is_partly_withdrawn(text, mentions, key):
        return "open", "withdrawn"
    return standing, doubts


def _standing(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Standing:
    """Whether a complete answer that refuses somewhere stands in the end.

    What counts is what it says after it has named a right element for the last time.
    """
    after = _after_the_last(text, mentions)
    if detect_doubt(after, mentions, key) != "withdrawn":
        return "open" if _TAKES_BACK.search(after) else "stands"
    return "open" if _OPEN.search(after) and not _TAKES_BACK.search(after) else "taken back"


def _refuses_all(text: str, mentions: Sequence[Mention], key: AnswerKey) -> bool:
    """Whether an incomplete answer turns round in the end and says that nothing is told.

    That the rest is not told leaves standing what is; nor does it count what is said of a missing key alone.
    """
    after = without_spans(text, [(0, mentions[-1].end)])
    if _THE_REST.search(after) or _OPEN.search(after) or speaks_of_a_part(after):
        return False
    after = without_spans(after, _of_missing_keys(after, mentions, key))
    if _TURNS_ROUND.search(after) and any(takes_back(cue, key, complete=True) for cue in abstentions(after)):
        return True
    return withdraws_in_its_language(after, text, key)


def _of_missing_keys(after: str, mentions: Sequence[Mention], key: AnswerKey) -> list[TextRange]:
    """The clauses that name keys of what an answer lacks, and none of what it has: "none for Corrow".

    A key in brackets right behind the last value is that value's.
    """
    if not _WORD.search(after) or not all(element.key for element in key.elements):
        return []
    said = {mention.name for mention in mentions if mention.right}
    missing = {element.key for element in key.elements} - {
        element.key for element in key.elements if element.name in said
    }
    start, spans = _OWN_KEY.match(after, mentions[-1].end), []
    edge = start.end() if start else 0
    cuts = [
        cut.start()
        for cut in _CLAUSE_CUT.finditer(after, edge)
        if not (cut["no"] and _opens_with_for(after, cut.start()))
    ]
    for end in (*cuts, len(after)):
        named = {one.name for one in find_mentions(spaced(after[edge:end]), key_words(key).names)}
        if named and named <= missing:
            spans.append((edge, end))
        edge = end
    return spans


def _opens_with_for(after: str, end: int) -> bool:
    """Whether a clause begins behind the one of the last value, and with "for Corrow, ..."."""
    before = [cut.start() for cut in _CLAUSE_CUT.finditer(after, 0, end)]
    return bool(before) and _FOR.match(after, before[-1]) is not None


def _is_retracted(text: str, mentions: Sequence[Mention], key: AnswerKey) -> bool:
    """Whether nothing of an answer stands that has named something right: it says so, and names no more."""
    end = _last_right_end(mentions)
    if not _WORD.search(text, end):
        return False
    may_retract = any(map(text.__contains__, _SIGNS_OF_RETRACTION))
    return (may_retract and _RETRACTS.search(text, end) is not None) or is_retracted(text, end, key)


def _after_the_last(text: str, mentions: Sequence[Mention]) -> str:
    """What stands behind the last right mention, in its place; reasons are no part of it."""
    reasons = [match.span() for match in _WHY.finditer(text)] if "why" in text or "whether" in text else []
    return without_spans(text, [*reasons, (0, _last_right_end(mentions) - 1)])


def _last_right_end(mentions: Sequence[Mention]) -> int:
    return max(mention.end for mention in mentions if mention.right)
