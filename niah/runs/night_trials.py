"""What nights are compared by: a run file's trials without answers, and what their scores rest on.

Only the columns needed are read: a hundred nights take about a second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import orjson

from niah.errors import RunFileError
from niah.runs.nights import Night
from niah.runs.seeds import FIRST_ROTATING
from niah.runs.store import RunStore, open_for_reading
from niah.runs.trial import TrialRecord

_TRIALS = """
SELECT trial_id, case_id, strategy, reader, repeat, outcome, prompt_tokens, completion_tokens, cost, latency_s
FROM trials ORDER BY place
"""


@dataclass(frozen=True)
class NightTrials:
    """One night.

    Attributes:
        night: whose.
        records: in the order planned, without what is of no use for trends: answers, elements, retrieval.
        judge: whose scores the records have.
        judge_versions: by trial id, of those scored.
        readers: by name, the model that the run config means: "fast = openai/gpt-4o-mini".
        definitions: of strategies, by name.
        asked: by reader, how it was asked: window, threads, address, ...
        versions: of packages, by name, at the latest invocation; empty where the file does not say.
    """

    night: Night
    records: tuple[TrialRecord, ...]
    judge: str
    judge_versions: Mapping[str, str]
    readers: Mapping[str, str]
    definitions: Mapping[str, str]
    asked: Mapping[str, Mapping[str, str | int]]
    versions: Mapping[str, str]


def is_anchor(record: TrialRecord) -> bool:
    """Whether its case is the same every night: no night's date has drawn its seed."""
    return record.seed < FIRST_ROTATING


def read_night(night: Night) -> NightTrials:
    """The trials of a night. Raises RunFileError."""
    with open_for_reading(night.path) as store:
        try:
            return _read(night, store)
        except (ValueError, KeyError, TypeError) as error:
            raise RunFileError(f"{night.path} is damaged: {error}.", "Restore it, or delete it.") from None


def _read(night: Night, store: RunStore) -> NightTrials:
    with closing(sqlite3.connect(f"{night.path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        judge = store.primary or ""
        verdicts = _verdicts(db, judge)
        facts = _meta(db, "config")
        invocations = store.invocations()
        return NightTrials(
            night=night,
            records=tuple(_records(db, verdicts)),
            judge=judge,
            judge_versions={trial_id: version for trial_id, (_, version) in verdicts.items()},
            readers={identity.split(" = ")[0]: identity for identity in facts.get("readers", ())},
            definitions=facts.get("strategies", {}),
            asked=_meta(db, "readers"),
            versions=invocations[-1].versions if invocations else {},
        )


def _verdicts(db: sqlite3.Connection, judge: str) -> dict[str, tuple[int, str]]:
    """Score and version of the judge's latest verdicts, by trial id."""
    # Files of version 3 and below keep one verdict of each judge.
    latest_last = "ORDER BY judged_at" if db.execute("PRAGMA user_version").fetchone()[0] >= 4 else ""
    rows = db.execute(
        f"SELECT trial_id, score, version FROM verdicts WHERE judge = ? {latest_last}", (judge,)
    )
    return {trial_id: (score, version) for trial_id, score, version in rows}


def _records(db: sqlite3.Connection, verdicts: Mapping[str, tuple[int, str]]) -> Iterator[TrialRecord]:
    recipes = {
        case_id: orjson.loads(recipe) for case_id, recipe in db.execute("SELECT case_id, recipe FROM cases")
    }
    for trial_id, case_id, strategy, reader, repeat, outcome, *took in db.execute(_TRIALS):
        recipe, verdict = recipes[case_id], verdicts.get(trial_id)
        if outcome in ("scored", "judge_error"):  # by the judge that counts, as in niah.runs.rows
            outcome = "scored" if verdict else "judge_error"
        prompt_tokens, completion_tokens, cost, latency_s = took
        yield TrialRecord(
            trial_id=trial_id,
            case_id=case_id,
            needle_set=recipe["needle_set"],
            haystack=recipe["haystack"],
            context_length=recipe["context_length"],
            depth=recipe["depth"],
            seed=recipe["seed"],
            strategy=strategy,
            reader=reader,
            repeat=repeat,
            outcome=outcome,
            score=verdict[0] if verdict and outcome == "scored" else None,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=cost,
            latency_s=latency_s,
        )


def _meta(db: sqlite3.Connection, key: str) -> dict[str, Any]:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return dict(orjson.loads(row[0])) if row else {}
