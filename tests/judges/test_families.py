"""Needle sets drawn from families, judged by what they say themselves."""

from __future__ import annotations

import pytest

from niah.judges import RubricJudge
from niah.needles.families.load import family_names, load_family
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet


def drawn(family: str) -> list[NeedleSet]:
    most = load_family(family)[1].most
    return [
        load_needle_set(f"{family}@{k}", seed) for k in (1, 3, 8, 25) if k <= most for seed in range(1, 5)
    ]


@pytest.mark.parametrize("family", family_names())
def test_the_reference_answer_is_right(family: str) -> None:
    for needle_set in drawn(family):
        verdict = RubricJudge().judge(needle_set.answer, needle_set)
        assert (verdict.score, verdict.self_doubt, verdict.wrong) == (10, False, ()), needle_set.answer


@pytest.mark.parametrize("family", family_names())
def test_quoting_every_needle_is_right_up_to_the_traps(family: str) -> None:
    for needle_set in drawn(family):
        verdict = RubricJudge().judge("\n".join(needle.text for needle in needle_set.needles), needle_set)
        traps = {trap.name for trap in needle_set.traps}
        assert (verdict.missing, set(verdict.wrong)) == ((), traps), needle_set.name


@pytest.mark.parametrize("family", family_names())
def test_quoting_the_distractors_is_wrong(family: str) -> None:
    for needle_set in drawn(family):
        text = "\n".join(distractor.text for distractor in needle_set.distractors)
        verdict = RubricJudge().judge(text, needle_set)
        assert (verdict.score, verdict.found) == (1, ()), needle_set.name
        assert verdict.wrong
