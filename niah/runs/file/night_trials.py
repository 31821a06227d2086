"""What nights are compared by: a run file's trials without answers, and what their scores rest on.

Only the columns needed are read: a hundred nights take about a second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import orjson

from niah.errors import RunFileError
from niah.runs.file.nights import Night
from niah.runs.file.queries import meta_value, read_only, verdict_order
from niah.runs.file.rows import outcome_by
from niah.runs.file.store import RunStore, open_for_reading
from niah.runs.seeds import FIRST_ROTATING
from niah.runs.trial import TrialRecord

_TRIALS = """
SELECT trial_id, case_id, strategy, reader, repeat, outcome, prompt_tokens, completion_tokens, cost, latency_s
FROM trials ORDER BY place
"""
_CONTEXTS = "SELECT case_id, sha256 FROM cases"


@dataclass(frozen=True)
class NightTrials:
    """One night.

    Attributes:
        night: whose.
        records: in the order planned, without what is of no use for trends: answers, elements, retrieval.
        judge: whose scores the records have.
        judge_versions: by trial id, of those scored.
        contexts: by case id, the digest of its context; "" for one that was never built.
        readers: by name, the model that the run config means: "fast = openai/gpt-4o-mini".
        definitions: of strategies, by name.
        adaptive: whether it asked no more trials than its verdict needed.
    """

    night: Night
    records: tuple[TrialRecord, ...]
    judge: str
    judge_versions: Mapping[str, str]
    contexts: Mapping[str, str]
    readers: Mapping[str, str]
    definitions: Mapping[str, str]
    adaptive: bool


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
    with read_only(night.path) as db:
        judge = store.primary or ""
        verdicts = _verdicts(db, judge)
        facts = dict(meta_value(db, "config") or {})
        return NightTrials(
            night=night,
            records=tuple(_records(db, verdicts)),
            judge=judge,
            judge_versions={trial_id: version for trial_id, (_, version) in verdicts.items()},
            contexts={case_id: sha256 or "" for case_id, sha256 in db.execute(_CONTEXTS)},
            readers={identity.split(" = ")[0]: identity for identity in facts.get("readers", ())},
            definitions=facts.get("strategies", {}),
            adaptive=any(each.settings.get("adaptive", {}).get("value") for each in store.invocations()),
        )


def _verdicts(db: sqlite3.Connection, judge: str) -> dict[str, tuple[int, str]]:
    """Score and version of the judge's latest verdicts, by trial id."""
    rows = db.execute(
        f"SELECT trial_id, score, version FROM verdicts WHERE judge = ? {verdict_order(db)}", (judge,)
    )
    return {trial_id: (score, version) for trial_id, score, version in rows}


def _records(db: sqlite3.Connection, verdicts: Mapping[str, tuple[int, str]]) -> Iterator[TrialRecord]:
    recipes = {
        case_id: orjson.loads(recipe) for case_id, recipe in db.execute("SELECT case_id, recipe FROM cases")
    }
    for trial_id, case_id, strategy, reader, repeat, outcome, *took in db.execute(_TRIALS):
        recipe, verdict = recipes[case_id], verdicts.get(trial_id)
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
            outcome=outcome_by(outcome, judged=verdict is not None),
            score=verdict[0] if verdict else None,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=cost,
            latency_s=latency_s,
        )
