"""Needles, the passages around them and distractors stand where their rules say."""

from __future__ import annotations

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Mode, NeedleOrder
from niah.errors import CaseError
from niah.needles.load import load_needle_set


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("order", ["listed", "shuffled"])
def test_shuffled_needles_are_the_same_needles(mode: Mode, order: NeedleOrder) -> None:
    context = build_context(Case("academy-courses", "essays", 4000, 20, mode=mode, order=order))
    listed = [needle.id for needle in load_needle_set("academy-courses", 1).needles]
    placed = [needle.id for needle in context.needles]
    assert sorted(placed) == sorted(listed)
    assert (placed == listed) == (order == "listed")


def test_distractors_with_no_room_among_needles_come_before_the_first() -> None:
    case = Case("academy-courses", "essays", 4000, 80, distractors=4)
    context = build_context(case)
    audit_context(case, context)
    assert len(context.distractors) == 4
    assert max(item.end for item in context.distractors) < min(item.start for item in context.needles)
    with pytest.raises(CaseError, match="no room for all distractors"):
        build_context(Case("rainbow-potion", "essays", 1000, 10, distractors=4))
