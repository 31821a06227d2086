"""What two runs must have in common for their scores to be compared. Read-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from niah.runs.file.queries import meta_value, read_only, verdict_order
from niah.runs.file.store import RunStore


@dataclass(frozen=True, slots=True)
class Asked:
    """What a trial's score depends on beside its reader.

    Attributes:
        recipe: of the case, every field by name.
        definition: of the strategy.
        sha256: of the context; "" for one that was never built.
        judged_by: judge and version of the verdict that counts ("rubric 3"); "" without one.
    """

    recipe: Mapping[str, Any]
    definition: str
    sha256: str
    judged_by: str


@dataclass(frozen=True)
class RunFingerprint:
    """What a run's scores depend on.

    Attributes:
        name: what to call the run.
        suite: by name or path; "" where the file does not say.
        judge: whose score counts; "" where the file does not say.
        niah: the version that began the file.
        readers: how each was asked, by name.
        asked: by trial id.
    """

    name: str
    suite: str
    judge: str
    niah: str
    readers: Mapping[str, Mapping[str, Any]]
    asked: Mapping[str, Asked]


def grounds_of(store: RunStore) -> RunFingerprint:
    """The grounds of a run file, as it stands."""
    judge = store.primary or ""
    with read_only(store.path) as db:
        config = meta_value(db, "config") or {}
        return RunFingerprint(
            name=str(store.path),
            suite=str(config.get("suite") or ""),
            judge=judge,
            niah=str(meta_value(db, "niah") or ""),
            readers=meta_value(db, "readers") or {},
            asked=dict(_asked(db, judge)),
        )


def _asked(db: sqlite3.Connection, judge: str) -> Iterator[tuple[str, Asked]]:
    judged = dict(_versions(db, judge))
    cases = {
        case_id: (orjson.loads(recipe), sha256 or "")
        for case_id, recipe, sha256 in db.execute("SELECT case_id, recipe, sha256 FROM cases")
    }
    for trial_id, case_id, definition in db.execute("SELECT trial_id, case_id, definition FROM trials"):
        recipe, sha256 = cases[case_id]
        yield trial_id, Asked(recipe, definition, sha256, judged.get(trial_id, ""))


def _versions(db: sqlite3.Connection, judge: str) -> Iterator[tuple[str, str]]:
    """Judge and version of the latest verdict on each answer, by trial id."""
    rows = db.execute(f"SELECT trial_id, version FROM verdicts WHERE judge = ? {verdict_order(db)}", (judge,))
    yield from ((trial_id, f"{judge} {version}") for trial_id, version in rows)
