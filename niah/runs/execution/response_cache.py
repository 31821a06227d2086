"""Answers on disk: a run asks the same request once, and ``--reuse`` takes the answers of earlier runs.

A model's name and address say nothing about the weights behind them, so that no other run's answers are
taken without it. Only complete answers at temperature 0 are stored: a refusal, a truncation or an error may
have been the endpoint's bad day.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

import orjson

from niah import __version__, paths
from niah.cache import evict, open_cache, today
from niah.readers.reader import Answer, Reader, Request, Usage
from niah.retrieval.user import system_code
from niah.runs.trial import Trial
from niah.strategies.strategy import Strategy
from niah.strategies.systems import system_question

# Some 200,000 short answers.
LIMIT_MIB = 128

_PUTS_BETWEEN_CHECKS = 100

# A row is written in microseconds; a process that holds the lock longer is stuck, or its disk is.
_PATIENCE_S = 2.0

_SCHEMA_VERSION = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL,
    run TEXT NOT NULL,
    answered_at TEXT NOT NULL,
    used INTEGER NOT NULL,
    text TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    thinking_tokens INTEGER,
    latency_s REAL NOT NULL,
    sources TEXT,
    trial_key TEXT NOT NULL,
    UNIQUE (key, run)
);
CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used);
CREATE INDEX IF NOT EXISTS answers_by_trial ON answers (trial_key);
"""

# SQLite takes 999 parameters everywhere.
_KEYS_AT_ONCE = 500

ReaderSettings = Mapping[str, str | int]

Value = TypeVar("Value")


def default_path() -> Path:
    """Where the answers of this user are kept."""
    return paths.cache() / f"answers-{_SCHEMA_VERSION}.sqlite"


PREPARATIONS_MIB = 512
"""Some 500,000 summaries: they are dearer than answers, and many questions share them."""


def preparations_path() -> Path:
    """Where the replies of models that prepare are kept."""
    return paths.cache() / f"preparations-{_SCHEMA_VERSION}.sqlite"


def preparation_replies(run: str, *, reuse: bool) -> ResponseCache:
    """The cache of those replies, closed; arguments are those of ``ResponseCache``."""
    return ResponseCache(preparations_path(), PREPARATIONS_MIB, run, reuse=reuse)


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
    texts = (request.system, request.prompt)
    stated = _stated(request)
    return _digest(
        reader.name,
        _known_unasked(reader.settings),
        [hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest() for text in texts],
        request.schema,
        request.max_tokens,
        request.temperature,
        request.seed,
        repeat,
        *([stated] if stated else []),
    )


def system_key(trial: Trial, document: str) -> str:
    """Digest of what a system is asked, of which it is, and of its code, as far as that is known."""
    texts = (system_question(trial.sample), document)
    asked = [hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest() for text in texts]
    return _digest("system", system_settings(trial), asked, trial.repeat)


def system_settings(trial: Trial) -> ReaderSettings:
    """Which system answers a trial in its reader's place, in the place of the reader's settings."""
    system = trial.strategy.system or ""
    return {"system": system, "version": trial.strategy.version, "code": system_code(system)}


def trial_key(trial_id: str, settings: ReaderSettings) -> str:
    """Digest of what is known of a request before its prompt is built, which another niah may do otherwise.

    Args:
        trial_id: the trial's.
        settings: its reader's.
    """
    return _digest(trial_id, _known_unasked(settings), __version__)


def kept_trials(path: Path, trials: Collection[Trial], settings: Mapping[str, ReaderSettings]) -> set[str]:
    """Ids of the trials whose answers are kept in the cache at ``path``; no file is made there.

    An embedded reader knows some of its settings only once it is open, so that none of its answers is found
    here. They are free.

    Args:
        path: of the cache.
        trials: to be looked up.
        settings: of each reader, by name.
    """
    if not path.exists():
        return set()
    asked = {strategy: system_settings(trial) for strategy, trial in _first_by_system(trials).items()}
    keys = {
        trial_key(trial.trial_id, asked.get(trial.strategy, settings[trial.reader])): trial.trial_id
        for trial in trials
    }
    with ResponseCache(path) as cache:
        return {keys[key] for key in cache.holds(keys)}


def _first_by_system(trials: Iterable[Trial]) -> dict[Strategy, Trial]:
    firsts: dict[Strategy, Trial] = {}
    for trial in trials:
        if trial.strategy.system:
            firsts.setdefault(trial.strategy, trial)
    return firsts


def _stated(request: Request) -> dict[str, object]:
    """What a request asks for beside what every one has."""
    plain = Request("", 0)
    names = ("top_p", "stop", "thinking_tokens", "reasoning_effort", "extra_body", "mode")
    said = {name: getattr(request, name) for name in names}
    return {name: value for name, value in said.items() if value != getattr(plain, name)}


def _known_unasked(settings: ReaderSettings) -> dict[str, str | int]:
    return {name: value for name, value in settings.items() if name != "not_sent"}


def _digest(*parts: object) -> str:
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


class ResponseCache:
    """Answers by key and run, in an SQLite file that any number of processes share. Opened with ``with``.

    Only a help, never a need: nothing here raises. A file that cannot be opened, read or written counts as
    empty, and one that is no database is left alone.

    The file grows to its limit and by a hundred answers at most; then the least recently used go. Use is
    noted by the day, so that reading seldom writes.

    Args:
        path: the file, made with its folder.
        limit_mib: its size in MiB.
        run: whose answers are put and got.
        reuse: whether those of other runs are got, too.
    """

    def __init__(
        self, path: Path, limit_mib: float = LIMIT_MIB, run: str = "", *, reuse: bool = False
    ) -> None:
        self.path = path
        self._run = run
        self._reuse = reuse
        self._limit_bytes = limit_mib * 2**20
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
        return self._attempt(lambda db: _read(db, key, self._run, self._reuse))

    def holds(self, trial_keys: Collection[str]) -> set[str]:
        """Those of ``trial_keys`` that an answer is kept for."""
        return self._attempt(lambda db: _held(db, list(trial_keys))) or set()

    def put(self, key: str, answer: Answer, trial_key: str) -> None:
        """Store an answer of the run, in place of the one before.

        Args:
            key: the request's.
            answer: to it.
            trial_key: of the trial that asked.
        """
        self._attempt(lambda db: _write(db, key, self._run, answer, trial_key))
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


def _read(db: sqlite3.Connection, key: str, run: str, reuse: bool) -> Answer | None:
    row = db.execute(
        "SELECT rowid, run, answered_at, used, text, prompt_tokens, completion_tokens, cached_tokens,"
        " thinking_tokens, latency_s, sources FROM answers WHERE key = ? AND (run = ? OR ?)"
        " ORDER BY run = ? DESC, answered_at DESC LIMIT 1",
        (key, run, reuse, run),
    ).fetchone()
    if row is None:
        return None
    rowid, of_run, answered_at, used, text, prompt, completion, cached, thinking, latency_s, sources = row
    if not isinstance(text, str) or not isinstance(latency_s, float):  # damage, or another hand
        return None
    if used != today():
        with suppress(sqlite3.OperationalError):  # a file that cannot be written can be read
            db.execute("UPDATE answers SET used = ? WHERE rowid = ?", (today(), rowid))
    usage, reused_from = Usage(prompt, completion, cached, thinking), "" if of_run == run else answered_at
    return Answer(text, usage, latency_s, cached=True, sources=_listed(sources), reused_from=str(reused_from))


def _listed(sources: object) -> tuple[str, ...] | None:
    with suppress(orjson.JSONDecodeError):
        if isinstance(sources, str) and isinstance(listed := orjson.loads(sources), list):
            return tuple(map(str, listed))
    return None


def _held(db: sqlite3.Connection, trial_keys: list[str]) -> set[str]:
    held: set[str] = set()
    for start in range(0, len(trial_keys), _KEYS_AT_ONCE):
        some = trial_keys[start : start + _KEYS_AT_ONCE]
        places = ", ".join("?" * len(some))
        held.update(key for (key,) in db.execute(
            f"SELECT DISTINCT trial_key FROM answers WHERE trial_key IN ({places})", some
        ))  # fmt: skip
    return held


def _write(db: sqlite3.Connection, key: str, run: str, answer: Answer, trial_key: str) -> None:
    usage = answer.usage
    sources = None if answer.sources is None else orjson.dumps(answer.sources).decode()
    row = (key, run, today(), answer.text, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
    db.execute(
        "INSERT OR REPLACE INTO answers"
        " (answered_at, key, run, used, text, prompt_tokens, completion_tokens, cached_tokens,"
        " thinking_tokens, latency_s, sources, trial_key)"
        " VALUES (strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, usage.thinking_tokens, answer.latency_s, sources, trial_key),
    )


def _evict(db: sqlite3.Connection, limit_bytes: float) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        evict(db, "answers", limit_bytes)
