"""One of several names that a correction replaces: "Sorry, not the ledger but an anvil", "the year is 1962".

A correction that names as many things as were asked for is a statement of its own (``final_statement``). One
that names fewer puts what it names in the place of something said before: of what it denies; else of the one
thing that is written alike ("14 crowns", "19 crowns"); else of what it points at ("the third was an anvil").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.claimed import values_by_key
from niah.judges.rubric.languages.cues import Cues, corrections
from niah.judges.rubric.negation import CORRECTED
from niah.judges.rubric.normalise import normalise, spaced
from niah.judges.rubric.reading.mended.pointed import Pointing
from niah.judges.rubric.reading.spans import TextRange, mentions_inside, without_spans
from niah.judges.rubric.reading.statements import Statement

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_YEAR = re.compile(r"[12]\d{3}")
_REACH = 3
"""Statements behind the word that corrects."""


def replaced(
    text: str,
    statements: Sequence[Statement],
    mentions: Sequence[Mention],
    out: Collection[Mention],
    cues: Cues,
    key: AnswerKey,
) -> tuple[frozenset[Mention], frozenset[Mention]]:
    """The mentions that a correction replaces, in an answer to a question for several things.

    And those that stand after all: right before a correction, which turns out to be of another one.

    Args:
        text: masked.
        statements: of it.
        mentions: every mention in it, in reading order.
        out: those that their own clause rules out.
        cues: of its languages.
        key: what was asked.
    """
    asked = len({element.name for element in key.elements})
    if asked < 2 or len(mentions) < 2:
        return frozenset(), frozenset()
    gone: set[str] = set()
    standing: set[Mention] = set()
    last = 0
    for match in corrections(text, cues):
        place = bisect_right(statements, match.start(), key=lambda statement: statement.end)
        behind = statements[place : place + _REACH]
        start = behind[0].start if behind else match.start()
        if behind and _denies_at_once(
            text, match, mentions_inside(mentions, (match.end(), behind[0].end)), out
        ):
            start = match.start()
        end = behind[-1].end if behind else len(text)
        said = mentions_inside(mentions, (0, start))
        unjustly = {one for one in said[-1:] if one in out and CORRECTED.match(text, one.end)}
        before = [one for one in said if one not in out or one in unjustly]
        live = [one for one in mentions_inside(mentions, (match.end(), end)) if one not in out]
        names = {one.name for one in live}
        if not before or not names or len(names) >= asked:
            continue
        denied = {one.name for one in mentions_inside(mentions, (start, end)) if one in out} - names
        new = [one for one in live if one.name not in {each.name for each in before}]
        instead: Collection[str] = ()
        if denied and new:
            instead = denied & {one.name for one in before}
        elif len(new) == 1 and (of_key := _of_the_same_key(new[0], before, text, (start, match.end()), key)):
            instead = of_key
        elif len(new) == 1:
            pointing = Pointing(text, mentions, list(dict.fromkeys(one.name for one in before)), key)
            instead = _replaced_by(new[0], before, live, pointing, match.end(), text, cues)
        if instead:
            gone.update(instead)
            standing |= {one for one in unjustly if one.name not in instead}
            last = max(last, end)
    return frozenset(one for one in mentions if one.name in gone and one.start < last), frozenset(standing)


def _denies_at_once(
    text: str, cue: re.Match[str], behind: Sequence[Mention], out: Collection[Mention]
) -> bool:
    """Whether a correction breaks off its sentence and denies what it first names: "- no, not C but D"."""
    return bool(behind) and behind[0] in out and _BREAKS_OFF.search(text, 0, cue.start()) is not None


_BREAKS_OFF = re.compile(r"(?:\s-|\.\.\.|\u2026)\s*\Z")


def _of_the_same_key(
    new: Mention, before: Sequence[Mention], text: str, cue: TextRange, key: AnswerKey
) -> frozenset[str]:
    """What the key had before that a correction gives a new value: "Brask at 08:25. Edit: Brask is 17:50"."""
    start, end = cue
    behind = values_by_key(spaced(without_spans(text, [(0, end)])), [new], key)
    if len(behind) != 1:
        return frozenset()
    said = values_by_key(spaced(without_spans(text, [(start, len(text))])), before, key)
    named = frozenset(name for name, own in said if (new.name, own) in behind)
    return named if len(named) == 1 else frozenset()


def _replaced_by(
    new: Mention,
    before: Sequence[Mention],
    live: Sequence[Mention],
    pointing: Pointing,
    start: int,
    text: str,
    cues: Cues,
) -> frozenset[str]:
    """What one new name takes the place of: what is written alike, or is pointed at before it."""
    if cues.addition.search(text, start, new.start):
        return frozenset()
    again = {one.name for one in live if one.start > new.start}
    others = {one.name for one in before if not (one.right and new.right)} - again
    alike = frozenset(name for name in others if _alike(name, new.name))
    if len(alike) != 1:
        alike = pointing.at((start, new.start)) & others
    return alike if len(alike) == 1 else frozenset()


@lru_cache(maxsize=4096)
def _alike(name: str, other: str) -> bool:
    """Whether two names are written alike: numbers with the same unit, streets, rooms."""
    one, two = normalise(name), normalise(other)
    if _NUMBER.search(one) or _NUMBER.search(two):
        return _NUMBER.sub(_digits, one) == _NUMBER.sub(_digits, two)
    last = one.split(" ")[-1]
    return " " in one and " " in two and last == two.split(" ")[-1]


def _digits(match: re.Match[str]) -> str:
    return "9999" if _YEAR.fullmatch(match[0]) else "9"
