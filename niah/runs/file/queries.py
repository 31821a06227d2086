"""What everybody asks a run file in the same words, beside its store or in it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import orjson


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, to a run file that a store has checked."""
    mode = "immutable=1" if at_rest(path) else "mode=ro"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)) as db:
        yield db


def at_rest(path: Path) -> bool:
    """Whether the file can be read only as one that nobody writes to: in a folder where nothing can be made.

    SQLite makes files beside the database, with which readers and a writer agree.
    """
    file = path.resolve()
    return not os.access(file.parent, os.W_OK) and not file.with_name(f"{file.name}-wal").exists()


def meta_value(db: sqlite3.Connection, key: str) -> Any:
    """What the file says of itself under ``key``; None where it does not say."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return orjson.loads(row[0]) if row else None


def verdict_order(db: sqlite3.Connection) -> str:
    """SQL that sorts verdicts by judge, a judge's latest last."""
    # Files of version 3 and below keep one verdict of each judge, without its time.
    timed = db.execute("PRAGMA user_version").fetchone()[0] >= 4
    return "ORDER BY judge, judged_at" if timed else "ORDER BY judge"
