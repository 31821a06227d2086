"""Whether a family's question can have the answers that are drawn for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.families.schema import FamilyFile
from niah.needles.needle_set import NeedleSet
from niah.text.templates import slots_in

_EXTREME = re.compile(
    r"\b(?P<greatest>most|greatest|highest|largest|biggest|longest|heaviest|oldest|latest|last|dearest|tallest"
    r"|fastest|strongest|widest|deepest|richest|farthest|furthest)\b"
    r"|\b(?P<least>least|fewest|lowest|smallest|shortest|lightest|youngest|earliest|first|cheapest|nearest"
    r"|slowest|quickest|weakest|narrowest|poorest)\b"
    r"|\b(?P<count>how\s+many|the\s+number\s+of)\b"
    r"|\b(?P<ascending>in\s+(?:the\s+|which\s+|what\s+)?order|sort(?:ed)?|rank(?:ed)?|ascending|descending)\b",
    re.IGNORECASE,
)
"""By the answer that a family can compute: the words with which it is asked for."""


def check_question(path: Path, family: FamilyFile) -> None:
    """Raise ConfigError where the question compares or counts and every needle is a right answer.

    Only a family that draws numbers, or choices, into its needles beside what it asks for can mean that.
    """
    if family.compute or family.key or not family.needles or family.kind == "unanswerable":
        return
    asked = _EXTREME.search(family.question)
    if asked is None:
        return
    answer = next(name for name, words in asked.groupdict().items() if words)
    used = frozenset[str]().union(*map(slots_in, family.needles)) - {family.element}
    drawn = {name: slot for name, slot in family.each.items() if name in used and not isinstance(slot, str)}
    of = next(
        (name for name, slot in drawn.items() if (slot.one_of if answer == "count" else slot.number)), ""
    )
    if of:
        raise ConfigError(
            path,
            "question",
            f"says {asked[0]!r}, and every {family.element} drawn is a right answer: nothing looks at the "
            f"{of}.",
            f"Add `compute: {{answer: {answer}, of: {of}}}` and `kind: aggregation`, or ask for all of them.",
        )


def check_draws(path: Path, drawn: Sequence[NeedleSet]) -> None:
    """Raise ConfigError where sets of several seeds all have the same answer.

    Args:
        path: the family's file.
        drawn: sets of one size, each of another seed; too few of them may be alike by chance.
    """
    answers = {frozenset(element.name for element in each.elements) for each in drawn}
    if len(answers) > 1 or not answers or not next(iter(answers)):
        return
    raise ConfigError(
        path,
        "element",
        f"every one of {len(drawn)} seeds draws the same answer, {drawn[0].answer!r}: who has seen one set "
        "knows all.",
        "Draw it from a lexicon, from numbers or from more choices.",
    )
