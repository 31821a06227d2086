"""What a run file says of itself: its config, its readers and judges, its invocations."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import orjson

from niah.cases.left_out import LeftOut
from niah.readers.reader import ReaderTraits
from niah.runs.provenance import Invocation


def read_meta(db: sqlite3.Connection, schema: str = "main") -> dict[str, Any]:
    """What a run file says of itself. Raises sqlite3.DatabaseError where it is damaged."""
    rows = db.execute(f"SELECT key, value FROM {schema}.meta")
    try:
        return {key: orjson.loads(value) for key, value in rows}
    except orjson.JSONDecodeError as error:
        damage = sqlite3.DatabaseError(f"what it says of itself is no JSON: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from None


def read_facts(path: Path, db: sqlite3.Connection) -> dict[str, Any]:
    """All that the file says of itself."""
    meta = read_meta(db)
    config = meta.get("config", {})
    invocations = db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
    return {
        "path": path,
        "run_id": meta.get("id", ""),
        "judge": meta.get("primary") or config.get("judge", ""),
        "config": config,
        "version": meta.get("niah", ""),
        "readers": meta.get("readers", {}),
        "judges": meta.get("judges", {}),
        "traits": {name: ReaderTraits(**each) for name, each in meta.get("traits", {}).items()},
        "invocations": tuple(
            Invocation(started, orjson.loads(settings), orjson.loads(versions))
            for started, settings, versions in invocations
        ),
        "left_out": tuple(LeftOut(**each) for each in meta.get("left_out", ())),
        "stopped": meta.get("stopped", {}),
    }
