"""The trials of a run file as records: with all that is known of each, or with its score alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from sys import intern
from typing import Any, get_args, get_type_hints

import orjson

from niah.cases.sample import AnswerKey, Sample
from niah.judges.error_types import ErrorReading, ErrorType, error_type, paper_error_type
from niah.judges.verdict import Verdict
from niah.runs.closed_book.known import CountingJudges
from niah.runs.file.contents.checked_rows import checked_rows
from niah.runs.file.contents.verdict_rows import latest_scores, read_verdicts
from niah.runs.trial import Outcome, TrialRecord, plain_depth

# Columns of a trial that its record has as they stand: those that every reading wants, and the others.
_OF_SCORES = (
    *("trial_id", "strategy", "definition", "reader", "repeat"),
    *(
        "prompt_tokens",
        "completion_tokens",
        "cached_tokens",
        "cost",
        "latency_s",
        "reused_from",
        "from_cache",
    ),
)
_AS_STORED = (
    *(*_OF_SCORES, "answer", "reason", "context_tokens", "own_prompt_tokens"),
    *("thinking_tokens", "thinking_cost"),
)
_HINTS = {name: hint for name, hint in get_type_hints(TrialRecord).items() if name in _AS_STORED}
_HINTS["from_cache"] = int  # SQLite has no other
_SCORES = f"SELECT sample_id, outcome, {', '.join(_OF_SCORES)} FROM trials ORDER BY place"
_TRIALS = f"""
SELECT sample_id, outcome, retrieval, finished_at, {", ".join(_AS_STORED)}
FROM trials ORDER BY place
"""
_OUTCOMES = frozenset(get_args(Outcome))


def read_records(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges, errors: ErrorReading
) -> Iterator[TrialRecord]:
    """Every trial with all that is known of it, in the order planned."""
    verdicts = read_verdicts(db, judges.primary)
    facets = {sample_id: _facets(sample) for sample_id, sample in samples.items()}
    for sample_id, *row in checked_rows(db.execute(_TRIALS), _HINTS):
        sample = samples[sample_id]
        yield _record(row, facets[sample_id], verdicts, judges.of(sample), sample.key, errors)


def read_scored(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges
) -> Iterator[TrialRecord]:
    """The trials as far as scores go: no answers, no retrieval, of verdicts the latest score."""
    by_judge = {
        judge: latest_scores(db, judge) for judge in {judges.of(sample) for sample in samples.values()}
    }
    facets = {sample_id: _facets(sample) for sample_id, sample in samples.items()}
    for sample_id, outcome, *stored in checked_rows(db.execute(_SCORES), _HINTS):
        verdict = by_judge[judges.of(samples[sample_id])].get(stored[0])
        score, version = verdict or (None, "")
        *values, from_cache = stored
        yield TrialRecord(
            **facets[sample_id],
            **dict(zip(_OF_SCORES, (*values, bool(from_cache)), strict=True)),
            outcome=_outcome(outcome, verdict is not None),
            score=score,
            judge_version=version,
        )


def _facets(sample: Sample) -> dict[str, Any]:
    return {
        "case_id": sample.sample_id,
        "needle_set": sample.needle_set,
        "haystack": sample.haystack,
        "context_length": sample.context_length,
        "depth": None if sample.depth is None else plain_depth(sample.depth),
        "seed": sample.seed,
        "origin": sample.origin,
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "kind": sample.key.kind,
        "source": sample.source_name,
        "context_sha256": sample.sha256,
    }


def _record(
    row: Sequence[Any],
    facets: Mapping[str, Any],
    every_verdict: Mapping[str, Sequence[Verdict]],
    judge: str,
    key: AnswerKey,
    errors: ErrorReading,
) -> TrialRecord:
    """The trial of a row of ``_TRIALS`` but for its sample; verdicts by trial, as ``read_verdicts`` sorts."""
    outcome, retrieval, finished_at, *values = row
    stored = dict(zip(_AS_STORED, values, strict=True))
    stored["from_cache"] = bool(stored["from_cache"])
    # One string for each name: there are few, and what groups records by them takes half the time.
    stored |= {name: intern(stored[name]) for name in ("strategy", "reader", "definition")}
    verdicts = every_verdict.get(stored["trial_id"], ())
    scores: dict[str, float] = {}
    for verdict in verdicts:
        scores.setdefault(verdict.judge, verdict.score)
    chosen = next((verdict for verdict in verdicts if verdict.judge == judge), None)
    open_to = (verdict.unsure for verdict in ((chosen,) if chosen else verdicts))
    kind: ErrorType | None = None
    if chosen:
        kind = paper_error_type(chosen) if errors == "paper" else error_type(chosen, stored["answer"], key)
    facts = orjson.loads(retrieval) if retrieval else {}
    ranks, split = facts.get("needle_ranks"), facts.get("needle_split")
    return TrialRecord(
        **facets,
        **stored,
        outcome=_outcome(outcome, chosen is not None),
        score=chosen.score if chosen else None,
        judge_scores=dict(sorted(scores.items())) or None,
        missing=chosen.missing if chosen else (),
        wrong=chosen.wrong if chosen else (),
        self_doubt=chosen.self_doubt if chosen else None,
        error_type=kind,
        unsure=next(filter(None, open_to), None),
        retrieval_completeness=facts.get("completeness"),
        noise_ratio=facts.get("noise_ratio"),
        needle_ranks=None if ranks is None else tuple(ranks),
        needle_split=None if split is None else tuple(split),
        judge_version=chosen.version if chosen else "",
        verdicts=tuple(verdicts),
        best=tuple(map(tuple, facts.get("best", ()))) or None,
        retrieved=facts.get("retrieved"),
        foreign=facts.get("foreign"),
        finished_at=finished_at or "",
    )


def _outcome(stored: Outcome, is_judged: bool) -> Outcome:
    """By the judge whose score counts, which may be another than when the trial was finished."""
    if stored in ("scored", "judge_error"):
        return "scored" if is_judged else "judge_error"
    if stored not in _OUTCOMES:
        raise ValueError(f"outcome is {stored!r}")
    return stored
