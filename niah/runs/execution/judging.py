"""Answers get their verdicts: of the judge whose score counts, and of the rules that suit the question."""

from __future__ import annotations

from dataclasses import replace

from niah.cases.samples import key_of
from niah.judges.error_types import error_type
from niah.judges.judge import Judge
from niah.judges.registry import second_judge
from niah.readers.reader import Failure
from niah.runs.result import Judging, Result
from niah.runs.trial import Trial


async def judged(trial: Trial, result: Result, judge: Judge) -> Result:
    """The result with its verdicts. Where the judge fails, the outcome is judge_error; the answer stays.

    Args:
        trial: what was asked.
        result: of an answer, outcome "scored" and no verdict yet; others come back as they are.
        judge: whose score counts, open.
    """
    if result.outcome != "scored":
        return result
    key = key_of(trial.case.needle_set, trial.case.seed)
    verdict = await judge.judge(result.answer, key)
    if judge.needs_model:
        result = replace(result, judging=(Judging(judge.name, verdict.usage, verdict.latency_s),))
    if second := second_judge(judge, key):
        result = replace(result, others=(second.verdict(result.answer, key),))
    if isinstance(verdict, Failure):
        return replace(result, outcome="judge_error", reason=verdict.reason)
    return replace(result, verdict=verdict, error_type=error_type(verdict))
