"""Judges and metrics of packages that fail: a line for one answer, and never a score."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from niah.cases.sample import AnswerKey
from niah.errors import OutsideError
from niah.judges.metrics import METRICS, Metric
from niah.judges.registry import guarded
from niah.judges.verdict import Judge, RuleJudge, Verdict
from niah.readers.reader import Failure

KEY = AnswerKey(name="lanterns", question="How many lanterns?", references=("347",))


def _raises(answer: str, key: AnswerKey) -> Any:
    raise KeyError("no such drawer")


def _scored(score: object) -> Callable[[str, AnswerKey], Any]:
    return lambda answer, key: Verdict(cast(float, score), (), (), (), False, "odd", "1", "")


class _Whole:
    """A judge from the ground up that says whatever it is given."""

    name, version, description, needs_model, share_asked = "odd", "1", "Odd.", False, 0.0
    concurrency = 3

    def __init__(self, says: Callable[[str, AnswerKey], Any]) -> None:
        self._says = says

    async def __aenter__(self) -> _Whole:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def judge(self, answer: str, key: AnswerKey) -> Any:
        return self._says(answer, key)


def _said(judge: Judge) -> Verdict | Failure:
    async def opened() -> Verdict | Failure:
        async with judge as ready:
            return await ready.judge("347 lanterns", KEY)

    return asyncio.run(opened())


@pytest.mark.parametrize("from_the_ground_up", [False, True])
@pytest.mark.parametrize(
    ("says", "problem"),
    [
        (_raises, "KeyError: 'no such drawer'"),
        (lambda answer, key: None, "it gave a NoneType, not a Verdict"),
        (_scored(11), "it gave the score 11, not 1 to 10"),
        (_scored(float("nan")), "it gave the score nan, not 1 to 10"),
        (_scored("10"), "it gave the score '10', not 1 to 10"),
    ],
)
def test_a_failing_judge_is_a_judge_error(
    says: Callable[[str, AnswerKey], Any], problem: str, *, from_the_ground_up: bool
) -> None:
    by_rules = RuleJudge("odd", "1", "Odd.", says, lambda key: "")
    judge = guarded(cast(Judge, _Whole(says)) if from_the_ground_up else by_rules)
    assert _said(judge) == Failure("judge_error", f"the judge odd failed: {problem}.")


def test_a_judge_from_the_ground_up_keeps_the_rest_of_itself() -> None:
    judge = guarded(cast(Judge, _Whole(_scored(7))))
    assert (judge.name, judge.concurrency) == ("odd", 3)
    verdict = _said(judge)
    assert isinstance(verdict, Verdict)
    assert verdict.score == 7


def _raising(answer: str, reference: str) -> float:
    raise ValueError("no words")


@pytest.mark.parametrize(
    ("of_pair", "problem"),
    [
        (_raising, "ValueError: no words"),
        (lambda answer, reference: float("nan"), "it gave nan, not a number from 0 to 1"),
        (lambda answer, reference: 7, "it gave 7, not a number from 0 to 1"),
    ],
)
def test_a_failing_metric_is_a_judge_error(of_pair: Callable[[str, str], float], problem: str) -> None:
    metric: Metric = METRICS._adapt("odd", of_pair)
    reason = f"the metric odd failed: {problem}."
    assert _said(metric.judge()) == Failure("judge_error", reason)
    with pytest.raises(OutsideError, match="the metric odd failed"):
        metric.of_key("347", KEY)


def test_a_metric_that_holds_to_its_scale_is_taken_at_its_word() -> None:
    metric: Metric = METRICS._adapt("half", lambda answer, reference: 0.5)
    assert metric.of_key("347", KEY) == 0.5
