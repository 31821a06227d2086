"""The needle sets that ship, judged by what they say themselves."""

from __future__ import annotations

import pytest

from niah.judges import RubricJudge
from niah.needles.load import load_needle_set, needle_set_names
from niah.needles.needle_set import Element, Needle, NeedleSet


@pytest.mark.parametrize("name", needle_set_names())
def test_the_reference_answer_is_right(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    verdict = RubricJudge().judge(needle_set.answer, needle_set)
    assert (verdict.score, verdict.self_doubt) == (10, False)


@pytest.mark.parametrize("name", needle_set_names())
def test_quoting_every_needle_is_right(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    text = "\n".join(needle.text for needle in needle_set.needles)
    verdict = RubricJudge().judge(text, needle_set)
    assert (verdict.missing, verdict.wrong, verdict.self_doubt) == ((), (), False)
    assert verdict.score == (10 if needle_set.needles else 1)


@pytest.mark.parametrize("name", needle_set_names())
def test_quoting_the_distractors_is_wrong(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    verdict = RubricJudge().judge("\n".join(d.text for d in needle_set.distractors), needle_set)
    assert verdict.score == 1
    assert set(verdict.wrong) == {e.name for d in needle_set.distractors for e in d.elements}


def test_a_needle_that_sounds_like_a_denial_may_be_quoted() -> None:
    text = "Whatever they say, the potion is not green, not golden mist, but all of it at once."
    needle_set = NeedleSet(
        "s", "What is it?", "Golden mist.", (Element("golden mist"),), (Needle("n", text, ("golden mist",)),)
    )
    assert RubricJudge().judge(text, needle_set).score == 10
