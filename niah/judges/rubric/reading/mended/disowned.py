"""A value that the next words leave to another thing: "1888. Wait, that's the rack railway. It was 1894."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.invented_numbers import words_of_others
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.owner_words import owner_words, words_of_owners

_WEAK = r"(?:oh|ah|um+|er+m?|but|so|ok|okay|well)"
_STRONG = (
    r"(?:wait|hm+|no|nope|sorry|actually|oops|whoops|correction|hold\s+on|hang\s+on|my\s+mistake|wrong|scratch\s+that|strike\s+that"
    r"|(?:let\s+me\s+|i'll\s+)?(?:re|double)[\s-]?check)"
)
_STOP = r"[\s,.!:;\u2026-]{0,8}"
_TURNS = lazy_pattern(
    rf"(?:[.!?;:,(\n\u2026]|[ ]{{2}})\s{{0,8}}(?:{_WEAK}\b{_STOP}){{0,3}}{_STRONG}\b{_STOP}"
    rf"(?:(?:{_WEAK}|{_STRONG})\b{_STOP}){{0,3}}"
    rf"(?:(?P<that>that|this|those|these)(?:'s|'re|\s+(?:is|was|are|were))\b|(?:it|he|she|they)\b|(?P<name>{MASK}+))(?P<said>[^.!?;,()\n{MASK}]+)"
)
_SIGNS = ("wait", "hm", "no", "sorry", "actually", "oops", "hold on", "hang on", "mistake", "wrong", "check")
"""One of these stands in every match of ``_TURNS`` but few, and is found much sooner."""
_DENIED = re.compile(r"\b(?:not|never|no)\b|n't\b")
_DASH = "   "
_PLURAL = ("those", "these")
_OVER = re.compile(r"[.!?\n](?=\s)")
_REACH = 60
"""Characters between a value and the words that leave it."""


def disowned(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Iterator[Mention]:
    """The mentions of which the answer says at once that they are another thing's, by its owner's words.

    A right one only where "that's" points at it: "it was electrified" may speak of what was asked for.

    Args:
        text: masked, hyphens as spaces.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    if not any(map(text.__contains__, _SIGNS)):
        return
    tellings, languages = words_of_owners(key), languages_of_key(key)
    for turn in _TURNS.finditer(text):
        said = turn["said"].split(_DASH)[0]
        before = _named_again(turn, mentions) if turn["name"] else _said_before(text, turn, mentions)
        if not before or _DENIED.search(said):
            continue
        words = frozenset(owner_words(said, languages))
        of_others = words_of_others(key) if turn["that"] else frozenset[str]()
        for mention in before:
            if not words.isdisjoint(of_others if mention.right else tellings.get(mention.name, frozenset())):
                yield mention


def _named_again(turn: re.Match[str], mentions: Sequence[Mention]) -> list[Mention]:
    """The wrong mentions of the name that a turn is about: "X and Y. Sorry, Y refused"."""
    names = {one.name for one in mentions if one.start == turn.start("name") and not one.right}
    return [one for one in mentions if one.name in names]


def _said_before(text: str, turn: re.Match[str], mentions: Sequence[Mention]) -> list[Mention]:
    """The mention right before a turn; all of its sentence where the turn speaks of several."""
    before = [one for one in mentions if one.end <= turn.start() + 1]
    if not before or turn.start() - before[-1].end > _REACH:
        return []
    if _OVER.search(text, before[-1].end, turn.start()):
        return []
    if turn["that"] not in _PLURAL:
        return before[-1:]
    starts = [over.end() for over in _OVER.finditer(text, 0, before[-1].start)]
    return [one for one in before if one.start >= (starts[-1] if starts else 0)]
