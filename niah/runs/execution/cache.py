"""Answers on disk: a run asks the same request once, and ``--reuse`` takes the answers of earlier runs.

Only complete answers at temperature 0 are stored: all else may have been the endpoint's bad day.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import suppress
from typing import Self

import orjson

from niah.cache import evict, open_cache, today
from niah.files import cache_folder
from niah.readers.reader import Answer, Request, Usage
from niah.readers.retry import Reader
from niah.retrieval.user import system_code
from niah.runs.trial import Trial
from niah.strategies.facts import system_question

_LIMIT_MIB = 640  # some 200,000 short answers, and 500,000 summaries
_PATIENCE_S = 2.0  # a row is written in microseconds; who holds the lock longer is stuck, or its disk is
_SCHEMA_VERSION = 5
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL, run TEXT NOT NULL, answered_at TEXT NOT NULL, used INTEGER NOT NULL,
    body TEXT NOT NULL, UNIQUE (key, run)
);
CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used);
"""
_OF_OTHERS = ("breakpoint", "prefix_key", "turns", "messages")  # change no answer, or follow from the rest
_UNREADABLE = (sqlite3.Error, ValueError, TypeError)  # a damaged file, or half a character


def is_repeatable(reader: Reader, request: Request) -> bool:
    """Whether the same request would get the same answer; not where the endpoint takes no temperature."""
    return request.temperature == 0 and "temperature" not in str(reader.settings.get("not_sent", ""))


def request_key(reader: Reader, request: Request, repeat: int) -> str:
    """Digest of everything that changes the answer: the reader, its settings, the request and the repeat."""
    # What an endpoint turned out not to take is learnt only by asking.
    settings = {name: value for name, value in reader.settings.items() if name not in ("not_sent", "mode")}
    asked = {name: value for name, value in vars(request).items() if name not in _OF_OTHERS}
    return _digest(reader.name, settings, asked, repeat)


def system_key(trial: Trial, document: str) -> str:
    """Digest of what a system is asked, of which it is, and of its code, as far as that is known."""
    system = trial.strategy.system or ""
    code = system, trial.strategy.version, system_code(system)
    return _digest("system", code, system_question(trial.sample), document, trial.repeat)


def _digest(*parts: object) -> str:
    """Of texts too that hold half a character, as Python's JSON does and orjson does not."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=dict).encode()).hexdigest()


class ResponseCache:
    """Answers of ``run``, and with ``reuse`` of others, by key in an SQLite file that processes share.
    Nothing here raises: a file that cannot be opened, read or written counts as empty. One above its limit
    loses its oldest answers when it is opened."""

    def __init__(self, run: str = "", *, reuse: bool = False) -> None:
        self.path = cache_folder() / f"answers-{_SCHEMA_VERSION}.sqlite"
        self._run, self._reuse = run, reuse

    def __enter__(self) -> Self:
        try:
            self._db = open_cache(self.path, _SCHEMA, _PATIENCE_S)
        except sqlite3.Error:
            self._db = sqlite3.connect(":memory:")  # which has no table: nothing is found or kept
        with suppress(sqlite3.Error):
            evict(self._db, "answers", _LIMIT_MIB * 2**20)
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()

    def get(self, key: str) -> Answer | None:
        """The run's own answer to the key, or else the latest of other runs where these are reused."""
        with suppress(*_UNREADABLE):
            row = self._db.execute(
                "SELECT run, answered_at, body FROM answers WHERE key = ? AND (run = ? OR ?)"
                " ORDER BY run = ? DESC, answered_at DESC LIMIT 1",
                (key, self._run, self._reuse, self._run),
            ).fetchone()
            if row:
                text, usage, latency_s, sources = orjson.loads(row[2])
                named = None if sources is None else tuple(sources)
                since = "" if row[0] == self._run else str(row[1])
                return Answer(text, Usage(**usage), latency_s, cached=True, sources=named, reused_from=since)
        return None

    def put(self, key: str, answer: Answer) -> None:
        """Store an answer of the run to the request ``key``, in place of the one before."""
        with suppress(*_UNREADABLE):
            body = orjson.dumps([answer.text, answer.usage, answer.latency_s, answer.sources]).decode()
            self._db.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?)",
                (key, self._run, today(), body),
            )
