"""The needle sets that ship, judged by what they say themselves."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric
from niah.needles.load import needle_set_names
from niah.needles.needle_set import Element, Needle


@pytest.mark.parametrize("name", needle_set_names())
def test_the_reference_answer_is_right(name: str) -> None:
    key = key_of(name, 1)
    verdict = judge_by_rubric(key.answer, key)
    assert (verdict.score, verdict.self_doubt) == (10, False)


@pytest.mark.parametrize("name", needle_set_names())
def test_quoting_every_needle_is_right(name: str) -> None:
    key = key_of(name, 1)
    text = "\n".join(needle.text for needle in key.needles)
    verdict = judge_by_rubric(text, key)
    assert (verdict.missing, verdict.wrong, verdict.self_doubt) == ((), (), False)
    assert verdict.score == (10 if key.needles else 1)


@pytest.mark.parametrize("name", needle_set_names())
def test_quoting_the_distractors_is_wrong(name: str) -> None:
    key = key_of(name, 1)
    # Some of them say of themselves that they do not count, and one may be read as the final statement.
    planted = {e.name for d in key.distractors for e in d.elements}
    verdict = judge_by_rubric("\n".join(d.text for d in key.distractors), key)
    assert verdict.score <= 3
    assert bool(verdict.wrong or verdict.found) == bool(planted)
    assert planted.issuperset(verdict.wrong)


def test_a_needle_that_sounds_like_a_denial_may_be_quoted() -> None:
    text = "Whatever they say, the potion is not green, not golden mist, but all of it at once."
    key = AnswerKey(
        name="s",
        question="What is it?",
        references=("Golden mist.",),
        elements=(Element("golden mist"),),
        needles=(Needle("n", text, ("golden mist",)),),
    )
    assert judge_by_rubric(text, key).score == 10
