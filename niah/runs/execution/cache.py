"""Answers on disk: a run asks the same request once, and ``--reuse`` takes the answers of earlier runs.

A model's name and address say nothing about the weights behind them, so that no other run's answers are
taken without it. Only complete answers at temperature 0 are stored: a refusal, a truncation or an error may
have been the endpoint's bad day.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self, TypeVar

import orjson

from niah import paths
from niah.cache import evict, open_cache, today
from niah.readers.reader import Answer, Reader, Request, Usage
from niah.retrieval.user import system_code
from niah.runs.trial import Trial
from niah.strategies.facts import system_question

# Some 200,000 short answers, and 500,000 summaries.
_LIMITS_MIB = {"answers": 128, "preparations": 512}
_PUTS_BETWEEN_CHECKS = 100
_PATIENCE_S = 2.0  # a row is written in microseconds; who holds the lock longer is stuck, or its disk is
_SCHEMA_VERSION = 4
_COUNTS = ("prompt_tokens", "completion_tokens", "cached_tokens", "thinking_tokens")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL, run TEXT NOT NULL, answered_at TEXT NOT NULL, used INTEGER NOT NULL,
    text TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER, cached_tokens INTEGER,
    thinking_tokens INTEGER, latency_s REAL NOT NULL, sources TEXT, UNIQUE (key, run)
);
CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used);
"""

ReaderSettings = Mapping[str, str | int]
_Value = TypeVar("_Value")


def response_cache(
    kind: Literal["answers", "preparations"], run: str = "", *, reuse: bool = False
) -> ResponseCache:
    """The cache of readers' answers, or of replies of models that prepare; closed."""
    path = paths.cache() / f"{kind}-{_SCHEMA_VERSION}.sqlite"
    return ResponseCache(path, _LIMITS_MIB[kind], run, reuse=reuse)


# Keys


def is_repeatable(reader: Reader, request: Request) -> bool:
    """Whether the same request would get the same answer; not where the endpoint takes no temperature."""
    return request.temperature == 0 and "temperature" not in str(reader.settings.get("not_sent", ""))


def request_key(reader: Reader, request: Request, repeat: int) -> str:
    """Digest of everything that changes the answer: the reader, its settings, the request and the repeat."""
    plain = Request("", 0)
    names = ("top_p", "stop", "thinking_tokens", "reasoning_effort", "extra_body", "mode")
    stated = {
        name: getattr(request, name) for name in names if getattr(request, name) != getattr(plain, name)
    }
    return _digest(
        reader.name,
        _known_unasked(reader.settings),
        [_text_digest(text) for text in (request.system, request.prompt)],
        request.schema,
        request.max_tokens,
        request.temperature,
        request.seed,
        repeat,
        *([stated] if stated else []),
    )


def system_key(trial: Trial, document: str) -> str:
    """Digest of what a system is asked, of which it is, and of its code, as far as that is known."""
    system = trial.strategy.system or ""
    settings = {"system": system, "version": trial.strategy.version, "code": system_code(system)}
    asked = [_text_digest(text) for text in (system_question(trial.sample), document)]
    return _digest("system", settings, asked, trial.repeat)


def _known_unasked(settings: ReaderSettings) -> dict[str, str | int]:
    """Without what an endpoint turned out not to take, which is learnt only by asking."""
    return {name: value for name, value in settings.items() if name != "not_sent"}


def _text_digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _digest(*parts: object) -> str:
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


# The file


class ResponseCache:
    """Answers by key and run, in an SQLite file that any number of processes share. Opened with ``with``.

    Nothing here raises: a file that cannot be opened, read or written counts as empty, and one that is no
    database is left alone. The least recently used answers go when the file reaches its limit.

    Args:
        path: the file, made with its folder.
        limit_mib: its size in MiB.
        run: whose answers are put and got.
        reuse: whether those of other runs are got, too.
    """

    def __init__(self, path: Path, limit_mib: float = 128, run: str = "", *, reuse: bool = False) -> None:
        self.path = path
        self._run, self._reuse, self._limit_bytes = run, reuse, limit_mib * 2**20
        self._db: sqlite3.Connection | None = None
        self._puts = 0

    def __enter__(self) -> Self:
        with suppress(sqlite3.Error, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = open_cache(self.path, _SCHEMA, _PATIENCE_S)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def get(self, key: str) -> Answer | None:
        """The run's own answer to the key, or else the latest of other runs where these are reused."""
        return self._attempt(lambda db: self._read(db, key))

    def put(self, key: str, answer: Answer) -> None:
        """Store an answer of the run to the request ``key``, in place of the one before."""
        counts = (getattr(answer.usage, name) for name in _COUNTS)
        sources = None if answer.sources is None else orjson.dumps(answer.sources).decode()
        row = (key, self._run, today(), answer.text, *counts, answer.latency_s, sources)
        statement = (
            f"INSERT OR REPLACE INTO answers (answered_at, key, run, used, text, {', '.join(_COUNTS)},"
            f" latency_s, sources) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ'){', ?' * len(row)})"
        )
        self._attempt(lambda db: db.execute(statement, row))
        self._puts += 1
        if self._puts % _PUTS_BETWEEN_CHECKS == 0:
            self._attempt(self._evict)

    def _attempt(self, work: Callable[[sqlite3.Connection], _Value]) -> _Value | None:
        if self._db is None:
            return None
        try:
            return work(self._db)
        except (sqlite3.Error, ValueError, TypeError):  # of a damaged file
            return None

    def _read(self, db: sqlite3.Connection, key: str) -> Answer | None:
        row = db.execute(
            f"SELECT rowid, run, answered_at, used, text, latency_s, sources, {', '.join(_COUNTS)}"
            " FROM answers WHERE key = ? AND (run = ? OR ?) ORDER BY run = ? DESC, answered_at DESC LIMIT 1",
            (key, self._run, self._reuse, self._run),
        ).fetchone()
        if row is None:
            return None
        rowid, run, answered_at, used, text, latency_s, sources, *counts = row
        if not isinstance(text, str) or not isinstance(latency_s, float):  # a damaged row
            return None
        if used != today():
            with suppress(sqlite3.OperationalError):  # a file that cannot be written can be read
                db.execute("UPDATE answers SET used = ? WHERE rowid = ?", (today(), rowid))
        named = None if sources is None else tuple(map(str, orjson.loads(sources)))
        reused_from = "" if run == self._run else str(answered_at)
        return Answer(text, Usage(*counts), latency_s, cached=True, sources=named, reused_from=reused_from)

    def _evict(self, db: sqlite3.Connection) -> None:
        with db:
            db.execute("BEGIN IMMEDIATE")
            evict(db, "answers", self._limit_bytes)
