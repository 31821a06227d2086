"""Answers get their verdicts: of the judge whose score counts, and of the rules that suit the question."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from niah.judges.judge import Judge
from niah.judges.registry import second_judge
from niah.readers.reader import Failure, Usage
from niah.runs.file.read_model import RunContents
from niah.runs.trial import Trial, TrialResult


async def judged(trial: Trial, result: TrialResult, judge: Judge) -> TrialResult:
    """The result with its verdicts. Where the judge fails, the outcome is judge_error; the answer stays.

    Args:
        trial: what was asked.
        result: of an answer, outcome "scored" and no verdict yet; others come back as they are.
        judge: whose score counts, open.
    """
    if result.outcome != "scored":
        return result
    key = trial.sample.key
    verdict = await judge.judge(result.answer, key)
    second = second_judge(judge, key)
    others = (second.verdict(result.answer, key),) if second else ()
    if isinstance(verdict, Failure):
        return replace(
            result, outcome="judge_error", reason=verdict.reason, verdicts=others, judge_failure=verdict
        )
    return replace(result, verdicts=(verdict, *others))


def answered_before(run: RunContents) -> dict[str, TrialResult]:
    """The trials that have an answer and lack a verdict of the judge whose score counts, by id."""
    return {
        record.trial_id: TrialResult(
            outcome="scored",
            answer=record.answer,
            reason="",
            usage=Usage(record.prompt_tokens, record.completion_tokens, record.cached_tokens),
            latency_s=record.latency_s or 0.0,
            context_tokens=record.context_tokens or 0,
            cost=None if record.cost is None else Decimal(str(record.cost)),
            own_prompt_tokens=record.own_prompt_tokens,
            from_cache=record.from_cache,
            answered_before=True,
        )
        for record in run.records
        if record.outcome == "judge_error"
    }
