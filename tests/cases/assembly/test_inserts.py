"""Needles, the passages around them and distractors stand where their rules say."""

from __future__ import annotations

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, DistractorDepth, Mode, NeedleOrder
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


def test_distractors_go_in_and_are_part_of_the_haystack() -> None:
    case = Case("academy-courses", "essays", 6000, 20, distractors=5)
    context = build_context(case)
    audit_context(case, context)
    assert len(context.distractors) == 5
    assert context.tokens + context.prompt_tokens == 6000


def test_distractors_with_no_room_among_needles_come_before_the_first() -> None:
    case = Case("academy-courses", "essays", 4000, 80, distractors=4)
    context = build_context(case)
    audit_context(case, context)
    assert len(context.distractors) == 4
    assert max(item.end for item in context.distractors) < min(item.start for item in context.needles)
    with pytest.raises(CaseError, match="no room for all distractors"):
        build_context(Case("rainbow-potion", "essays", 1000, 10, distractors=4))


@pytest.mark.parametrize("rule", ["near", "before", "after"])
@pytest.mark.parametrize("mode", ["exact", "contiguous"])
def test_distractors_stand_where_their_rule_says(rule: DistractorDepth, mode: Mode) -> None:
    case = Case("academy-courses", "essays", 12000, 30, distractors=5, distractor_depth=rule, mode=mode)
    context = build_context(case)
    audit_context(case, context)
    needles, distractors = context.needles, context.distractors
    assert len(distractors) == 5
    if rule == "before":
        assert max(item.end for item in distractors) < needles[0].start
    elif rule == "after":
        assert min(item.start for item in distractors) > needles[-1].end
    else:
        edges = {needle.end + 1 for needle in needles} | {needle.start - 1 for needle in needles}
        assert all(item.start in edges or item.end in edges for item in distractors)


def test_nested_needles_stand_inside_their_passages() -> None:
    case = Case("needle-in-needle", "essays", 24000, 20, order="shuffled")
    context = build_context(case)
    audit_context(case, context)
    needle_set = load_needle_set("needle-in-needle", 1)
    assert len(context.needles) == 15
    assert len(context.passages) == len(needle_set.passages) == 10
    homes = {needle.id: needle.inside for needle in needle_set.needles}
    by_id = {passage.id: passage for passage in context.passages}
    for needle in context.needles:
        home = by_id[homes[needle.id]]
        assert home.start <= needle.start < needle.end <= home.end
