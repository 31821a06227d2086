"""SQLite files that are only a help: shared by processes, kept within a limit, never needed.

Their tables note in the column ``used`` the day on which a row was of use last.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

# What an eviction leaves of the limit, so that the next rows need none.
_LEFT_BY_EVICTION = 0.9


def open_cache(path: Path, schema: str, patience_s: float, page_bytes: int = 4096) -> sqlite3.Connection:
    """The file, made if need be, with the tables of ``schema``. Raises sqlite3.Error.

    Nothing is begun or committed by itself. What was written last may be lost with the machine's power. Any
    thread may use it, one at a time.
    """
    db = sqlite3.connect(path, timeout=patience_s, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA page_size = {page_bytes}")
        with suppress(sqlite3.OperationalError):  # on a new file, another process may be at just this
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(schema)
    except BaseException:
        db.close()
        raise
    return db


def evict(db: sqlite3.Connection, table: str, limit_bytes: float) -> None:
    """Where a file is above its limit, drop the rows of no use for longest; of one day, the oldest.

    In the transaction that the caller has begun.
    """
    if bytes_used(db) <= limit_bytes:
        return
    while bytes_used(db) > limit_bytes * _LEFT_BY_EVICTION and (
        rows := query_number(db, f"SELECT count(*) FROM {table}")
    ):
        db.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} ORDER BY used, rowid LIMIT ?)",
            (max(1, rows // 16),),
        )


def bytes_used(db: sqlite3.Connection) -> int:
    """Bytes of the pages that hold something; the file's free pages are filled before it grows."""
    page, pages, free = (
        query_number(db, f"PRAGMA {name}") for name in ("page_size", "page_count", "freelist_count")
    )
    return page * (pages - free)


def query_number(db: sqlite3.Connection, query: str) -> int:
    """The one number that a query gives."""
    found: int = db.execute(query).fetchone()[0]
    return found


def today() -> int:
    """Days since 1970."""
    return int(time.time() // 86400)
