"""Rows of a run file, to and from the values that they stand for."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any

import orjson

from niah.cases.case import Case
from niah.judges.error_types import error_type
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.cost.estimate import Finished, Judged
from niah.runs.result import Judging, Result
from niah.runs.trial import Outcome, Trial, TrialRecord
from niah.strategies.facts import RetrievalFacts

FINISH = """
UPDATE trials
SET outcome = ?, answer = ?, reason = ?, error_type = ?, prompt_tokens = ?, completion_tokens = ?,
    cached_tokens = ?, latency_s = ?, context_tokens = ?, retrieval = ?, cost = ?, own_prompt_tokens = ?,
    from_cache = ?, finished_at = strftime('%Y-%m-%dT%H:%M:%fZ')
WHERE trial_id = ?
"""

ADD_VERDICT = """
INSERT OR REPLACE INTO verdicts
VALUES (?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))
"""


def finished_of(row: sqlite3.Row) -> Finished:
    """What the trial of a row took."""
    return Finished(
        reader=row["reader"],
        usage=Usage(row["prompt_tokens"], row["completion_tokens"], row["cached_tokens"]),
        # Files of version 1, opened for reading, lack these two.
        own_prompt_tokens=dict(row).get("own_prompt_tokens"),
        from_cache=bool(dict(row).get("from_cache")),
        cost=None if row["cost"] is None else Decimal(str(row["cost"])),
        latency_s=row["latency_s"],
    )


def judged_of(row: sqlite3.Row) -> Judged:
    """What the verdict of a row took."""
    return Judged(
        trial_id=row["trial_id"],
        judge=row["judge"],
        usage=Usage(row["prompt_tokens"], row["completion_tokens"]),
        cost=None if row["cost"] is None else Decimal(str(row["cost"])),
        judged_at=datetime.fromisoformat(row["judged_at"]),
    )


def finished_row(trial: Trial, result: Result) -> tuple[object, ...]:
    """What ``FINISH`` takes."""
    return (
        result.outcome,
        result.answer,
        result.reason,
        result.error_type,
        result.usage.prompt_tokens,
        result.usage.completion_tokens,
        result.usage.cached_tokens,
        result.latency_s,
        result.context_tokens,
        as_json(asdict(result.retrieval)) if result.retrieval else None,
        None if result.cost is None else float(result.cost),
        result.own_prompt_tokens,
        result.from_cache,
        trial.trial_id,
    )


def verdict_rows(trial_id: str, result: Result) -> list[tuple[object, ...]]:
    """What ``ADD_VERDICT`` takes, for each verdict of a result."""
    took = {judging.judge: judging for judging in result.judging}
    return [verdict_row(trial_id, verdict, took.get(verdict.judge)) for verdict in result.verdicts]


_TAKEN = ("usage", "latency_s", "cost")
"""What a verdict took stands in columns of its own."""


def verdict_row(trial_id: str, verdict: Verdict, took: Judging | None = None) -> tuple[object, ...]:
    """What ``ADD_VERDICT`` takes, with what the judge took where it had to be asked."""
    text = as_json({name: value for name, value in asdict(verdict).items() if name not in _TAKEN})
    usage = took.usage if took else Usage()
    cost = float(took.cost) if took and took.cost is not None else None
    tokens = (usage.prompt_tokens, usage.completion_tokens)
    return (trial_id, verdict.judge, verdict.version, verdict.score, text, *tokens, cost)


def answered_of(row: sqlite3.Row) -> Result:
    """A finished trial as its reader left it: an answer without a verdict."""
    done = finished_of(row)
    return Result(
        outcome="scored",
        verdict=None,
        error_type=None,
        answer=row["answer"],
        reason="",
        usage=done.usage,
        latency_s=row["latency_s"],
        context_tokens=row["context_tokens"],
        context_sha256=row["sha256"],
        retrieval=facts_of(row["retrieval"]),
        cost=done.cost,
        own_prompt_tokens=done.own_prompt_tokens,
        from_cache=done.from_cache,
        answered_before=True,
    )


def as_json(value: object) -> str:
    """The value as text that is the same for the same value."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def case_of(recipe: str) -> Case:
    """The case that a row holds as JSON."""
    return Case(**orjson.loads(recipe))


def facts_of(text: str | None) -> RetrievalFacts | None:
    """The retrieval facts that a row holds as JSON; None where it holds none."""
    if not text:
        return None
    fields = orjson.loads(text)
    # Older files lack it.
    fields["best"] = tuple((start, end) for start, end in fields.get("best", ()))
    return RetrievalFacts(**_with_tuples(fields, "needle_ranks", "needle_split"))


def verdict_of(text: str) -> Verdict:
    """The verdict that a row holds as JSON."""
    return Verdict(**_with_tuples(orjson.loads(text), "found", "missing", "wrong"))


def record_of(row: sqlite3.Row, verdicts: Sequence[Verdict], primary: str | None) -> TrialRecord:
    """The trial of a row.

    Args:
        row: of trials, with the recipe of its case.
        verdicts: on its answer, by judge, a judge's latest last.
        primary: the judge whose score counts.
    """
    case, facts = case_of(row["recipe"]), facts_of(row["retrieval"])
    chosen = next((verdict for verdict in reversed(verdicts) if verdict.judge == primary), None)
    return TrialRecord(
        trial_id=row["trial_id"],
        case_id=row["case_id"],
        needle_set=case.needle_set,
        haystack=case.haystack,
        context_length=case.context_length,
        depth=case.depth,
        seed=case.seed,
        strategy=row["strategy"],
        reader=row["reader"],
        repeat=row["repeat"],
        outcome=outcome_by(row["outcome"], judged=chosen is not None),
        score=chosen.score if chosen else None,
        judge_scores={verdict.judge: verdict.score for verdict in verdicts} or None,
        missing=chosen.missing if chosen else (),
        wrong=chosen.wrong if chosen else (),
        self_doubt=chosen.self_doubt if chosen else None,
        error_type=error_type(chosen) if chosen else None,
        answer=row["answer"],
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        cached_tokens=row["cached_tokens"],
        cost=row["cost"],
        latency_s=row["latency_s"],
        retrieval_completeness=facts.completeness if facts else None,
        noise_ratio=facts.noise_ratio if facts else None,
        needle_ranks=facts.needle_ranks if facts else None,
        context_tokens=row["context_tokens"],
        needle_split=facts.needle_split if facts else None,
    )


def outcome_by(stored: Outcome, *, judged: bool) -> Outcome:
    """The outcome by the judge whose score counts, which may be another than when the trial was finished.

    Args:
        stored: when it was finished.
        judged: whether that judge has given a verdict.
    """
    if stored not in ("scored", "judge_error"):
        return stored
    return "scored" if judged else "judge_error"


def _with_tuples(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """JSON has lists alone."""
    return fields | {name: tuple(fields[name]) for name in names}
