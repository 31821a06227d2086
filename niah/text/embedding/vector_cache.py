"""Vectors kept by key, on disk for this machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from niah.sqlite_cache import evict, open_cache, today

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

# About 600,000 texts of one window each, in MiniLM's 384 dimensions.
VECTORS_LIMIT_MIB = 512

# A batch is written in milliseconds; a process that holds the lock longer is stuck, or its disk is.
_PATIENCE_S = 5.0

# Ten vectors of MiniLM's fit in one page. Of SQLite's usual 4096 bytes, two would leave a quarter empty.
_PAGE_BYTES = 16384

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    key BLOB NOT NULL UNIQUE,
    used INTEGER NOT NULL,
    windows INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS vectors_by_use ON vectors (used);
"""

_SELECT = "SELECT rowid, used, windows, crc, data FROM vectors WHERE key = ?"

# Errors of the file itself. All others (locked, full, read-only, ...) may pass, and leave it alone.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class DiskVectors:
    """Vectors by key in an SQLite file that any number of threads and processes share.

    Only a help, never a need: nothing here raises. A file that cannot be opened, read or written counts as
    empty. One that is damaged is renamed to end in ".damaged", over the last such, and begun anew. Every
    row carries a checksum, so that what is read is what was written, bit for bit, or is not found. Numbers
    are kept as float16: whoever needs the same from here and from a model rounds what the model gives.

    The file grows to its limit and by one batch at most. Then the least recently used rows go. Use is noted
    by the day, so a row that is read all day long is written once; within a day the oldest row goes first.

    Every call opens the file and closes it (under a millisecond): a file that is deleted or replaced
    between two calls does no harm, nor does a fork.

    Args:
        path: the file, made with its folder at the first write.
        limit_mib: its size in MiB.
    """

    def __init__(self, path: Path, limit_mib: float = VECTORS_LIMIT_MIB) -> None:
        self.path = path
        self._limit_bytes = limit_mib * 2**20

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
        """Those of ``keys`` that are held, each of shape (windows, dimensions), not writeable."""
        found: dict[bytes, Vectors] = {}
        self._attempt(lambda db: _read(db, keys, found), create=False)
        return found

    def put(self, entries: Mapping[bytes, Vectors]) -> None:
        """Add arrays of shape (windows, dimensions) in one transaction, or replace what their keys had."""
        self._attempt(lambda db: self._write(db, entries), create=True)

    def _attempt(self, work: Callable[[sqlite3.Connection], None], *, create: bool) -> None:
        """Do it if the file allows."""
        try:
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            elif not self.path.exists():
                return
            with closing(open_cache(self.path, _SCHEMA, _PATIENCE_S, _PAGE_BYTES)) as db:
                work(db)
        except sqlite3.Error as error:
            if _primary_code(error) in _DAMAGE:
                self._set_aside()
        except UnicodeDecodeError:  # SQLite quotes the damage in its message, and Python cannot read that
            self._set_aside()
        except OSError:
            pass

    def _write(self, db: sqlite3.Connection, entries: Mapping[bytes, Vectors]) -> None:
        now = today()
        rows = [
            (key, now, len(vectors), _checksum(key, len(vectors), data), data)
            for key, vectors in entries.items()
            for data in [vectors.astype("<f2").tobytes()]
        ]
        # Immediate: a transaction that begins by reading fails at once where another one writes.
        with db:
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
            evict(db, "vectors", self._limit_bytes)

    def _set_aside(self) -> None:
        with suppress(OSError):
            # SQLite itself drops a log that was left beside the old file, once the new one is begun.
            self.path.replace(f"{self.path}.damaged")


def _read(db: sqlite3.Connection, keys: Iterable[bytes], found: dict[bytes, Vectors]) -> None:
    """Add to ``found`` what is there and whole, and note its use."""
    now = today()
    stale: list[tuple[int, int]] = []
    db.execute("BEGIN")
    for key in keys:
        row = db.execute(_SELECT, (key,)).fetchone()
        if row is None:
            continue
        rowid, used, windows, crc, data = row
        if isinstance(windows, int) and isinstance(data, bytes) and crc == _checksum(key, windows, data):
            found[key] = _unpacked(data, windows)
            if used != now:
                stale.append((now, rowid))
    db.execute("COMMIT")
    if stale:
        with db:
            db.execute("BEGIN IMMEDIATE")
            db.executemany("UPDATE vectors SET used = ? WHERE rowid = ?", stale)


def _unpacked(data: bytes, windows: int) -> Vectors:
    vectors = np.frombuffer(data, "<f2").astype(np.float32).reshape(windows, -1)
    vectors.flags.writeable = False
    return vectors


def _checksum(key: bytes, windows: int, data: bytes) -> int:
    return crc32(data, crc32(key, windows))


def _primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension; complaints of Python's own have none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
