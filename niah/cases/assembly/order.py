"""Which of a needle set's texts a case takes, and in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from niah.cases.case import Case
from niah.needles.needle_set import Hardness, Needle, NeedleSet, Passage


class _Hard(Protocol):
    @property
    def hardness(self) -> Hardness: ...


_Unit = TypeVar("_Unit")
_Text = TypeVar("_Text", bound=_Hard)


def in_order(units: Sequence[_Unit], needle_set: NeedleSet, case: Case) -> tuple[_Unit, ...]:
    """What the insertion rule places, in the case's order: as listed, or shuffled by its seed."""
    ordered = list(units)
    if case.order == "shuffled":
        random.Random(f"{needle_set.name}|{case.seed}").shuffle(ordered)
    return tuple(ordered)


def nested_in(passage: Passage, needle_set: NeedleSet) -> list[Needle]:
    """The needles inside a passage, in the order of its text."""
    inside = [needle for needle in needle_set.needles if needle.inside == passage.id]
    return sorted(inside, key=lambda needle: passage.text.index(needle.text))


def of_hardness(distractors: Sequence[_Text], hardness: Hardness | Literal["any"]) -> list[_Text]:
    """Those of that hardness, as listed; a case takes the first of them."""
    return [distractor for distractor in distractors if hardness in ("any", distractor.hardness)]
