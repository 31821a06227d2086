"""What niah keeps on disk to save work: one SQLite file a kind in the user's cache folder.

Any number of processes share a file. It is never needed: one that cannot be opened, read or written counts as
empty, and one that is damaged is renamed to end in ".damaged" and begun anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from zlib import crc32

from niah.errors import UserError
from niah.files import cache_folder

# 600,000 vectors of MiniLM's take 512.
LIMITS_MIB = {"corpora": 512.0, "relevance": 64.0, "tokenizers": 128.0, "vectors": 512.0}

_PATIENCE_S = 5.0  # a batch is written in milliseconds; a process that holds the lock longer hangs
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS entries (key BLOB NOT NULL UNIQUE, used INTEGER, crc INTEGER, data BLOB)"
)
# Errors of the file itself. Others (locked, full, read-only) may pass, and the file is left alone.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class Cache:
    """Bytes by key: what was written, or nothing; it raises nothing. The file, by default the kind's in the
    cache folder, is opened at each call, and loses its oldest entries at its limit."""

    def __init__(self, kind: str, path: Path | None = None) -> None:
        self._kind, self._path = kind, path

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Those of ``keys`` that are held."""
        found: dict[bytes, bytes] = {}

        def read(db: sqlite3.Connection) -> None:
            for key in keys:
                row = db.execute("SELECT crc, data FROM entries WHERE key = ?", (key,)).fetchone()
                if row and isinstance(row[1], bytes) and row[0] == crc32(row[1], crc32(key)):
                    found[key] = row[1]

        self._attempt(read)
        return found

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Add entries in one transaction, or replace what their keys had."""
        rows = [(key, today(), crc32(data, crc32(key)), data) for key, data in entries.items()]

        def write(db: sqlite3.Connection) -> None:
            with db:
                # Immediate: a transaction that begins by reading fails at once where another one writes.
                db.execute("BEGIN IMMEDIATE")
                db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
                evict(db, "entries", LIMITS_MIB[self._kind] * 2**20)

        self._attempt(write)

    def _attempt(self, work: Callable[[sqlite3.Connection], None]) -> None:
        with suppress(OSError, UserError):
            path = self._path or cache_folder() / f"{self._kind}.sqlite"
            try:
                with closing(open_cache(path, _SCHEMA, _PATIENCE_S)) as db:
                    work(db)
            except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote damage in its message
                if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _DAMAGE:
                    path.replace(f"{path}.damaged")


def open_cache(path: Path, schema: str, patience_s: float) -> sqlite3.Connection:
    """The SQLite file, made with the tables of ``schema``, which have a column ``used``: a day. Nothing is
    begun or committed by itself. Any thread may use it, one at a time. Raises sqlite3.Error."""
    db = sqlite3.connect(path, timeout=patience_s, isolation_level=None, check_same_thread=False)
    try:
        with suppress(sqlite3.OperationalError):  # another process may be at just this
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(schema)
    except BaseException:
        db.close()
        raise
    return db


def evict(db: sqlite3.Connection, table: str, limit_bytes: float) -> None:
    """Drop the oldest rows of a file above its limit until a tenth is free."""
    # Free pages are filled before the file grows.
    pragmas = "pragma_page_size, pragma_page_count, pragma_freelist_count"
    used = f"SELECT page_size * (page_count - freelist_count), (SELECT count(*) FROM {table}) FROM {pragmas}"
    oldest = f"SELECT rowid FROM {table} ORDER BY used, rowid LIMIT ?"
    room = limit_bytes
    while (found := db.execute(used).fetchone())[0] > room and found[1]:
        room = limit_bytes * 0.9
        db.execute(f"DELETE FROM {table} WHERE rowid IN ({oldest})", (max(1, found[1] // 16),))


def today() -> int:
    """The number of the day."""
    return date.today().toordinal()
