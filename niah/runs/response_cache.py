"""Answers kept across runs: what was answered at temperature 0 is not paid for again.

Only complete answers are kept: a refusal, a truncation or an error may have been the endpoint's bad day.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

import orjson

from niah import paths
from niah.readers.reader import Answer, Reader, Request, Usage

# Some 200,000 short answers.
LIMIT_MIB = 128

# What an eviction leaves of the limit, so that the next answers need none.
_LEFT_BY_EVICTION = 0.9
_PUTS_BETWEEN_CHECKS = 100

# A row is written in microseconds; a process that holds the lock longer is stuck, or its disk is.
_PATIENCE_S = 2.0

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL UNIQUE,
    used INTEGER NOT NULL,
    text TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    latency_s REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used);
"""

Value = TypeVar("Value")


def default_path() -> Path:
    """Where the answers of this user are kept."""
    return paths.cache() / f"answers-{_SCHEMA_VERSION}.sqlite"


def may_be_kept(reader: Reader, request: Request) -> bool:
    """Whether the same request would get the same answer, as far as can be asked for.

    Not where the endpoint turned out to take no temperature. Known for sure once it has answered.
    """
    return request.temperature == 0 and "temperature" not in str(reader.settings.get("not_sent", ""))


def request_key(reader: Reader, request: Request, repeat: int) -> str:
    """Digest of everything that changes the answer: the reader, its settings, the request and the repeat.

    The prompt is its own version: it counts by its text. What an endpoint turned out not to take does not
    count, since that is learnt only by asking.
    """
    settings = {name: value for name, value in reader.settings.items() if name != "not_sent"}
    prompt = hashlib.sha256(request.prompt.encode(errors="surrogatepass")).hexdigest()
    parts = [
        reader.name,
        settings,
        prompt,
        request.max_tokens,
        request.temperature,
        request.seed,
        repeat,
    ]
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


class ResponseCache:
    """Answers by key, in an SQLite file that any number of processes share. Opened with ``with``.

    Only a help, never a need: nothing here raises. A file that cannot be opened, read or written counts as
    empty, and one that is no database is left alone.

    The file grows to its limit and by a hundred answers at most; then the least recently used go. Use is
    noted by the day, so that reading seldom writes.

    Args:
        path: the file, made with its folder.
        limit_mib: its size in MiB.
    """

    def __init__(self, path: Path, limit_mib: float = LIMIT_MIB) -> None:
        self.path = path
        self._limit_bytes = limit_mib * 2**20
        self._db: sqlite3.Connection | None = None
        self._puts = 0

    def __enter__(self) -> Self:
        with suppress(sqlite3.Error, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _connect(self.path)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def get(self, key: str) -> Answer | None:
        """The answer kept under the key, marked as cached."""
        return self._attempt(lambda db: _read(db, key))

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer, in place of the one before."""
        self._attempt(lambda db: _write(db, key, answer))
        self._puts += 1
        if self._puts % _PUTS_BETWEEN_CHECKS == 0:
            self._attempt(lambda db: _evict(db, self._limit_bytes))

    def _attempt(self, work: Callable[[sqlite3.Connection], Value]) -> Value | None:
        if self._db is None:
            return None
        try:
            return work(self._db)
        except (sqlite3.Error, UnicodeError):  # of a damaged file
            return None


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)
    try:
        with suppress(sqlite3.OperationalError):  # on a new file, another process may be at just this
            db.execute("PRAGMA journal_mode = WAL")
        # An answer lost with the machine's power is asked for again.
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
    except BaseException:
        db.close()
        raise
    return db


def _read(db: sqlite3.Connection, key: str) -> Answer | None:
    row = db.execute(
        "SELECT used, text, prompt_tokens, completion_tokens, cached_tokens, latency_s FROM answers"
        " WHERE key = ?",
        (key,),
    ).fetchone()
    if row is None:
        return None
    used, text, prompt, completion, cached, latency_s = row
    if not isinstance(text, str) or not isinstance(latency_s, float):  # damage, or another hand
        return None
    if used != _today():
        with suppress(sqlite3.OperationalError):  # a file that cannot be written can be read
            db.execute("UPDATE answers SET used = ? WHERE key = ?", (_today(), key))
    return Answer(text, Usage(prompt, completion, cached), latency_s, cached=True)


def _write(db: sqlite3.Connection, key: str, answer: Answer) -> None:
    usage = answer.usage
    row = (key, _today(), answer.text, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
    db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, answer.latency_s))


def _evict(db: sqlite3.Connection, limit_bytes: float) -> None:
    if _bytes_used(db) <= limit_bytes:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        while _bytes_used(db) > limit_bytes * _LEFT_BY_EVICTION and (rows := _rows(db)):
            db.execute(
                "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers ORDER BY used, rowid LIMIT ?)",
                (max(1, rows // 16),),
            )
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _bytes_used(db: sqlite3.Connection) -> int:
    """Bytes of the pages that hold something; the file's free pages are filled before it grows."""
    sizes = ("page_size", "page_count", "freelist_count")
    page, pages, free = (int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in sizes)
    return page * (pages - free)


def _rows(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // 86400)
