"""Answers get their verdicts: the rubric's always, and that of the judge whose score counts."""

from __future__ import annotations

from dataclasses import replace

from niah.cases.samples import key_of
from niah.judges.error_types import error_type
from niah.judges.judge import Judge, JudgeFailure
from niah.judges.rubric.rubric import RubricJudge
from niah.runs.result import Judging, Result
from niah.runs.trial import Trial


async def judged(trial: Trial, result: Result, judge: Judge | None) -> Result:
    """The result with its verdicts. Where the judge fails, the outcome is judge_error; the answer stays.

    Args:
        trial: what was asked.
        result: of an answer, outcome "scored" and no verdict yet; others come back as they are.
        judge: whose score counts, open; None is the rubric.
    """
    if result.outcome != "scored":
        return result
    key = key_of(trial.case.needle_set, trial.case.seed)
    rubric = RubricJudge().judge(result.answer, key)
    if judge is None:
        return replace(result, verdict=rubric, error_type=error_type(rubric))
    said = await judge.judge(result.answer, key)
    result = replace(result, others=(rubric,), judging=(Judging(judge.name, said.usage, said.latency_s),))
    if isinstance(said, JudgeFailure):
        return replace(result, outcome="judge_error", reason=said.reason)
    return replace(result, verdict=said.verdict, error_type=error_type(said.verdict))
