"""Answers that are one plain list, or name each right thing once: nothing sets one of their names apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import corrections, cues_beside
from niah.judges.rubric.negation import are_one_list, without_mentions
from niah.judges.rubric.reading.asides import asks_to_compare, weighs_names
from niah.judges.rubric.reading.structure.labels import language_of_question

_SETS_APART = re.compile(r"[:\uff1a#|*_\n]")
_TELLS_APART = re.compile(r"[:#|*_\n()\[\]{}<>\\?\d&]|\.\.")
_BULLET = re.compile(r"[-*+\u2022][ \t]+(?=\S)")
_NEXT_LINE = re.compile(r"[ \t]*\n[ \t]*(?:(?:the|an?)\s)?")
_GOES_ON = re.compile(r"[.!?]\s*\S|\n")


def says_each_once(answer: str, live: Sequence[Mention]) -> bool:
    """Whether an answer names right elements alone, each once, with nothing that could set one apart."""
    return (
        all(mention.right for mention in live)
        and len({mention.name for mention in live}) == len(live)
        and not _SETS_APART.search(answer)
    )


def is_one_plain_list(
    answer: str, tidied: str, text: str, mentions: Sequence[Mention], key: AnswerKey
) -> bool:
    """Whether one list is all that an answer names, something right in it, and no cue is there.

    Then nothing can set one of its names apart from another. Where one thing is asked for, a word may.

    Args:
        answer: as the reader gave it, without reasoning.
        tidied, text: the same, tidied; and masked.
        mentions: every mention in it, in reading order, none of them ruled out.
        key: what was asked.
    """
    if len(key.elements) < 2 or not any(mention.right for mention in mentions) or asks_to_compare(key):
        return False
    if "\n" in answer:
        return _names_one_a_bullet(answer, tidied, text, mentions) and _has_no_cue(text, mentions, key)
    return (
        not (_TELLS_APART.search(answer) or _TELLS_APART.search(tidied))
        and are_one_list(text, mentions)
        and _has_no_cue(text, mentions, key)
    )


def _names_one_a_bullet(answer: str, tidied: str, text: str, mentions: Sequence[Mention]) -> bool:
    """Whether an answer is a list of bullets that begin with one name each, and no more but in the last."""
    lines = answer.split("\n")
    if len(lines) != len(mentions) or not all(map(_BULLET.match, lines)):
        return False
    said = " ".join((*(_BULLET.sub("", line, count=1) for line in lines), *tidied.split("\n")))
    return (
        not _TELLS_APART.search(said)
        and _NEXT_LINE.fullmatch("\n" + text[: mentions[0].start]) is not None
        and all(_NEXT_LINE.fullmatch(text, one.end, other.start) for one, other in pairwise(mentions))
        and not _GOES_ON.search(text, mentions[-1].end)
    )


def _has_no_cue(text: str, mentions: Sequence[Mention], key: AnswerKey) -> bool:
    """Whether nothing may make one name of a list weigh less than the others, nor corrects or concludes."""
    if not without_mentions(text).isascii():
        return False
    cues = cues_beside(without_mentions(text), language_of_question(key))
    if weighs_names(text, mentions, cues) or corrections(text, cues):
        return False
    told = (cues.conclusion, *((cues.excludes_previous, cues.excludes_next) if "\n" in text else ()))
    return not any(cue.search(text) for cue in told)
