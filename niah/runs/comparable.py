"""What two runs must have in common for their scores to be compared. Read-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from niah.runs.store import RunStore


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
class Grounds:
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


def grounds_of(store: RunStore) -> Grounds:
    """The grounds of a run file, as it stands."""
    judge = store.primary or ""
    with closing(_connect(store.path)) as db:
        config = _meta(db, "config") or {}
        return Grounds(
            name=str(store.path),
            suite=str(config.get("suite") or ""),
            judge=judge,
            niah=str(_meta(db, "niah") or ""),
            readers=_meta(db, "readers") or {},
            asked=dict(_asked(db, judge)),
        )


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _meta(db: sqlite3.Connection, key: str) -> Any:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return orjson.loads(row[0]) if row else None


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
    columns = {row[1] for row in db.execute("PRAGMA table_info(verdicts)")}
    # Files of version 3 and below keep one verdict of each judge.
    latest_last = "ORDER BY judged_at" if "judged_at" in columns else ""
    yield from (
        (trial_id, f"{judge} {version}")
        for trial_id, version in db.execute(
            f"SELECT trial_id, version FROM verdicts WHERE judge = ? {latest_last}", (judge,)
        )
    )
