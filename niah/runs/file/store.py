"""The run file: one SQLite database with one writer, which commits every finished trial."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, fields
from decimal import Decimal
from functools import cache
from pathlib import Path
from shlex import quote
from shutil import disk_usage
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar, get_args
from uuid import uuid4

import orjson
from pydantic import BaseModel

from niah import __version__
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import LeftOut
from niah.errors import RunFileError
from niah.files import check_free
from niah.judges.error_types import error_type
from niah.judges.registry import rules_and_model
from niah.judges.verdict import Verdict
from niah.readers.reader import Batch
from niah.runs.trial import Outcome, PreparationCall, Trial, TrialResult
from niah.strategies.facts import RetrievalFacts

_Value = TypeVar("_Value")
Row = tuple[object, ...] | dict[str, object]

SCHEMA_VERSION = 11
_SCHEMA = f"""
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE questions (question_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE samples (
    sample_id TEXT PRIMARY KEY, question_id TEXT NOT NULL REFERENCES questions, sha256 TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE trials (
    place INTEGER PRIMARY KEY, trial_id TEXT NOT NULL UNIQUE, sample_id TEXT NOT NULL REFERENCES samples,
    strategy TEXT NOT NULL, definition TEXT NOT NULL, reader TEXT NOT NULL, repeat INTEGER NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'not_run' CHECK (outcome IN ({", ".join(map(repr, get_args(Outcome)))})),
    answer TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', retrieval TEXT NOT NULL DEFAULT '{{}}',
    prompt_tokens INTEGER, completion_tokens INTEGER, cached_tokens INTEGER, thinking_tokens INTEGER,
    own_prompt_tokens INTEGER, context_tokens INTEGER, cost REAL, thinking_cost REAL, latency_s REAL,
    from_cache INTEGER NOT NULL DEFAULT 0, reused_from TEXT NOT NULL DEFAULT '',
    finished_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE verdicts (
    trial_id TEXT NOT NULL REFERENCES trials (trial_id), judge TEXT NOT NULL, version TEXT NOT NULL,
    score REAL NOT NULL CHECK (abs(score) <= 100), error_type TEXT, body TEXT NOT NULL,
    prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL, latency_s REAL, judged_at TEXT NOT NULL,
    PRIMARY KEY (trial_id, judge, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE invocations (started_at TEXT NOT NULL, settings TEXT NOT NULL, versions TEXT NOT NULL) STRICT;
CREATE TABLE preparations (
    definition TEXT NOT NULL, document TEXT NOT NULL, trial_id TEXT NOT NULL, key TEXT NOT NULL,
    step TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL,
    from_cache INTEGER NOT NULL, reused_from TEXT NOT NULL, is_understood INTEGER NOT NULL,
    is_cut INTEGER NOT NULL, turn INTEGER NOT NULL, uses TEXT NOT NULL,
    PRIMARY KEY (definition, document, trial_id, key, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE batches (
    batch_id TEXT PRIMARY KEY, reader TEXT NOT NULL, requests INTEGER NOT NULL,
    intended_at REAL NOT NULL, file_id TEXT NOT NULL, provider_id TEXT NOT NULL, is_over INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE batch_requests (
    batch_id TEXT NOT NULL REFERENCES batches, trial_id TEXT NOT NULL, key TEXT NOT NULL,
    context_tokens INTEGER, retrieval TEXT NOT NULL, PRIMARY KEY (batch_id, trial_id)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ')"
_RESULT = (
    *("outcome", "answer", "reason", "latency_s", "context_tokens", "own_prompt_tokens", "from_cache"),
    *("reused_from", "cost", "thinking_cost", "prompt_tokens", "completion_tokens", "cached_tokens"),
    *("thinking_tokens", "retrieval"),
)
_FINISH = (
    f"UPDATE trials SET {', '.join(f'{name} = :{name}' for name in _RESULT)}, finished_at = {_NOW}"
    " WHERE trial_id = :trial_id"
)
_PLANNED = "trial_id, sample_id, strategy, definition, reader, repeat"
_PLAN = f"INSERT OR IGNORE INTO trials ({_PLANNED}) VALUES (?, ?, ?, ?, ?, ?)"
_ANEW = (  # all other columns have their defaults again
    f"INSERT OR REPLACE INTO trials (place, {_PLANNED})"
    f" SELECT place, {_PLANNED} FROM trials WHERE trial_id = ?"
)
# Asked again, a call is paid for twice.
_ADD_PREPARATION = """
INSERT INTO preparations AS old VALUES (
    :definition, :document, :trial_id, :key, :step, :model, :prompt_tokens, :completion_tokens, :cost,
    :from_cache, :reused_from, :is_understood, :is_cut, :turn, :uses)
    ON CONFLICT (definition, document, trial_id, key, model) DO UPDATE SET
    prompt_tokens = excluded.prompt_tokens + iif(old.from_cache, 0, old.prompt_tokens),
    completion_tokens = excluded.completion_tokens + iif(old.from_cache, 0, old.completion_tokens),
    cost = excluded.cost + old.cost, from_cache = 0, reused_from = '',
    is_understood = excluded.is_understood, is_cut = excluded.is_cut
WHERE NOT excluded.from_cache
"""
_ADD_VERDICT = f"""
INSERT OR REPLACE INTO verdicts VALUES (
    :trial_id, :judge, :version, :score, :error_type, :body, :prompt_tokens, :completion_tokens, :cost,
    :latency_s, {_NOW})
"""
_ADD_BATCH = "INSERT OR REPLACE INTO batches VALUES (?, ?, ?, ?, ?, ?, ?)"
# The fields of a verdict that are columns; the others are its body.
_OF_VERDICT = ("judge", "version", "score", "usage", "latency_s", "cost", "judged_at")

_TRY_S = 2.0
_LOCKED_S = 600.0  # so long another program may hold a run file, such as a backup or a viewer
_GLANCE_S = 0.2
_LEAST_DATABASE = 512  # bytes of the smallest that SQLite makes
_LARGEST_VALUE = 256 * 2**20  # the greatest of a run is a document of some MiB, or an answer
_SIDE_FILES = 64 * 2**10  # bytes that SQLite's files next to a database take when it is opened, rounded up

JudgedAnswer = tuple[str, Verdict, str, AnswerKey]
"""The id of a trial, a verdict on its answer, and answer and key, of which its error type follows."""


class BatchRequest(NamedTuple):
    """A trial's request in a batch, with what its result needs next to the answer."""

    trial_id: str
    key: str  # of the request in the cache of answers
    context_tokens: int | None
    retrieval: RetrievalFacts | None


class RunStore:
    """Writes to an open run file. Use ``open_for_writing``; ``read_run`` reads what is written."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.run_id: str = read_meta(connection).get("id", "")
        self._db = connection
        self._turn = Lock()  # trials and preparation calls are finished side by side

    def begin(
        self, facts: Mapping[str, object], trials: Iterable[Trial], left_out: Sequence[LeftOut] = ()
    ) -> None:
        """Enter config, planned trials and cases left out, next to what is there. Raises RunFileError."""
        check_config(self.path, read_meta(self._db).get("config", {}), facts)
        samples, planned = dict[str, Sample](), list[Row]()
        for trial in trials:
            sample, strategy = trial.sample, trial.strategy
            samples[sample.sample_id] = sample
            asked = trial.trial_id, sample.sample_id, strategy.name, strategy.definition
            planned.append((*asked, trial.reader, trial.repeat))
        bodies = {key: _as_json(key) for key in {sample.key for sample in samples.values()}}
        ids = {key: hashlib.sha256(body.encode()).hexdigest()[:20] for key, body in bodies.items()}
        names, stored = [field.name for field in fields(Sample) if field.name != "key"], []
        for sample_id, each in samples.items():
            body = _as_json({name: getattr(each, name) for name in names})
            stored.append((sample_id, ids[each.key], each.sha256, body))
        self._write(
            _meta("config", facts),
            _meta("left_out", left_out),
            ("INSERT OR IGNORE INTO questions VALUES (?, ?)", [(ids[key], bodies[key]) for key in ids]),
            ("INSERT OR IGNORE INTO samples VALUES (?, ?, ?, ?)", stored),
            (_PLAN, planned),
        )

    def record(
        self, kind: Literal["readers", "judges"], name: str, settings: Mapping[str, str | int]
    ) -> None:
        """Enter how a reader or a judge is asked: what changes its answers besides the prompt."""
        with self._turn:  # a thread may be committing
            known = patiently(self.path, lambda: read_meta(self._db).get(kind, {}))
        self.note(kind, {**known, name: settings})

    def note(self, key: str, value: object) -> None:
        """Enter what the run says of itself, in place of what it said: traits, stopped, spent, or primary,
        the judge whose score counts."""
        self._write(_meta(key, value))

    def record_invocation(self, settings: Mapping[str, Any], versions: Mapping[str, str]) -> None:
        """Enter how the run is being asked for: each setting with its source, and what does the work."""
        row = (_as_json(settings), _as_json(versions))
        self._write((f"INSERT INTO invocations VALUES ({_NOW}, ?, ?)", [row]))

    def commit(self, finished: Sequence[tuple[Trial, TrialResult]]) -> None:
        """Commit finished trials with their verdicts: all or, when killed, none. Durable on return."""
        new, again, verdicts = list[Row](), list[Row](), list[JudgedAnswer]()
        for trial, result in finished:
            trial_id, key = trial.trial_id, trial.sample.key
            verdicts += ((trial_id, each, result.answer, key) for each in result.verdicts)
            row = _fields(result, result.usage, trial_id=trial_id, retrieval=_as_json(result.retrieval or {}))
            (again if result.answered_before else new).append(row)
        self._write(
            (_FINISH, new),
            ("UPDATE trials SET outcome = :outcome, reason = :reason WHERE trial_id = :trial_id", again),
            _new_verdicts(verdicts),
        )

    def add_preparation(self, call: PreparationCall) -> None:
        """Enter a call of a model that prepares; one that was asked again is paid for twice."""
        self._write((_ADD_PREPARATION, [_fields(call, call.usage, uses=_as_json(call.uses))]))

    # Batches: what is to be sent is entered before it is sent, and the provider's id as soon as it is known

    def intend(self, batch: Batch, asked: Iterable[BatchRequest]) -> None:
        """Enter a batch that is about to be submitted; what its trials came to before is gone."""
        rows = [(batch.batch_id, *each[:3], _as_json(each.retrieval or {})) for each in asked]
        self._write(
            (_ANEW, [(row[1],) for row in rows]),
            ("DELETE FROM batch_requests WHERE trial_id = ?", [(row[1],) for row in rows]),
            (_ADD_BATCH, [(*vars(batch).values(), False)]),
            ("INSERT INTO batch_requests VALUES (?, ?, ?, ?, ?)", rows),
        )

    def note_batch(self, batch: Batch, *, is_over: bool = False) -> None:
        """Enter what is known of a batch by now; ``is_over``: all that came of it is committed."""
        self._write((_ADD_BATCH, [(*vars(batch).values(), is_over)]))

    def forget_batch(self, batch: Batch) -> None:
        """Take out a batch that was certainly not submitted."""
        tables = ("batch_requests", "batches")
        self._write(*((f"DELETE FROM {name} WHERE batch_id = ?", [(batch.batch_id,)]) for name in tables))

    def open_batches(self) -> dict[Batch, list[BatchRequest]]:
        """Batches that are not over, the oldest first, with their requests that have no outcome yet."""
        query = "SELECT * FROM batches WHERE NOT is_over ORDER BY intended_at, batch_id"
        asked = (
            "SELECT trial_id, key, one.context_tokens, one.retrieval FROM batch_requests AS one"
            " JOIN trials USING (trial_id) WHERE batch_id = ? AND outcome = 'not_run'"
        )

        def read() -> dict[Batch, list[BatchRequest]]:
            found = dict[Batch, list[BatchRequest]]()
            for *about, _ in self._db.execute(query).fetchall():
                requests = found.setdefault(Batch(*about), [])
                for trial_id, key, tokens, stored in self._db.execute(asked, about[:1]):
                    facts = RetrievalFacts(**orjson.loads(stored)) if stored != "{}" else None
                    requests.append(BatchRequest(trial_id, key, tokens, facts))
            return found

        with self._turn:
            return patiently(self.path, read)

    def add_verdicts(self, verdicts: Iterable[JudgedAnswer]) -> None:
        """Commit more verdicts on answers, next to those of other judges and versions: all or none."""
        self._write(_new_verdicts(verdicts))

    def _write(self, *statements: tuple[str, Iterable[Row]]) -> None:
        """Commit statements, each with its rows: all or none, once no other program holds the file."""
        listed = [(statement, list(rows)) for statement, rows in statements]

        def once() -> None:
            with self._db:
                for statement, rows in listed:
                    self._db.executemany(statement, rows)

        with self._turn:
            patiently(self.path, once)


def _meta(key: str, value: object) -> tuple[str, list[tuple[str, str]]]:
    return "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, _as_json(value))]


def _new_verdicts(verdicts: Iterable[JudgedAnswer]) -> tuple[str, list[Row]]:
    rows = list[Row]()
    for trial_id, verdict, answer, key in verdicts:
        body = {name: value for name, value in asdict(verdict).items() if name not in _OF_VERDICT}
        about = {"trial_id": trial_id, "error_type": error_type(verdict, answer, key), "body": _as_json(body)}
        rows.append(_fields(verdict, verdict.usage, **about))
    return _ADD_VERDICT, rows


def _fields(*parts: object, **more: object) -> dict[str, object]:
    """The fields of several objects by name; a Decimal as a float, which SQLite takes."""
    fields = {name: value for part in parts for name, value in vars(part).items()} | more
    return {name: float(each) if isinstance(each, Decimal) else each for name, each in fields.items()}


def _as_json(value: object) -> str:
    """The value as text that is the same for the same value."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_SORT_KEYS).decode()


def _plain(value: object) -> object:
    """What JSON can hold in place of the value."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_defaults=True)
    return tuple(value) if isinstance(value, tuple) else str(value)


def check_config(path: Path, config: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Raise RunFileError where ``facts`` are another config than a file's, empty where it was never begun."""
    differs = differing(config, facts) if config else []
    if differs == ["judge"]:
        problem = f"{path} was begun with the judge {config.get('judge')}, not {facts['judge']}."
        command = f"niah judge {quote(str(path))} --judge {facts['judge']} --primary"
        own = " (with --api-base for a server of your own)" if rules_and_model(facts["judge"])[1] else ""
        remedy = f"{command}{own} judges the stored answers and asks no reader. Or name another file: --out."
        raise RunFileError(problem, remedy)
    if differs:
        problem = f"{path} belongs to another config (it differs in: {', '.join(differs)})."
        raise RunFileError(problem, "Name another file with --out; a night takes another --date.")


def differing(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """The keys that have not the same value in both, sorted."""
    return sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))


# One writer at a time


@contextmanager
def open_for_writing(path: Path) -> Iterator[RunStore]:
    """The run file at ``path``, made if need be, for one writer at a time. Raises RunFileError."""
    if path.exists() and not path.is_file():  # a device or a pipe would be waited for
        raise RunFileError(f"{path} is no file.", "Name another file.")
    is_new = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        if path.is_file():
            with open_database(path) as connection:  # a file of somebody else's gets no lock next to it
                if not patiently(path, lambda: is_empty(connection)):
                    check_format(path, connection)
                elif 0 < path.stat().st_size < _LEAST_DATABASE:  # SQLite writes over it
                    raise RunFileError(f"{path} is not a run file of niah.", "Name another file.")
        with _locked(path), open_database(path) as connection:
            patiently(path, lambda: connection.execute("PRAGMA journal_mode = WAL"))
            connection.execute("PRAGMA synchronous = FULL")
            patiently(path, lambda: _make_tables(connection))
            yield RunStore(path, connection)
    finally:
        if is_new and not any(path.parent.iterdir()):  # nothing came into the new folder
            path.parent.rmdir()


@contextmanager
def new_run_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A run file with empty tables, to be filled as a whole; it appears when the block has ended well. The
    connection begins and commits nothing by itself, and attaches files by URI. Raises UserError where
    ``path`` is there already."""
    check_free(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with _locked(path):
            check_free(path)
            draft.unlink(missing_ok=True)  # of a process that was killed and had this number
            with closing(sqlite3.connect(draft.resolve(), isolation_level=None, uri=True)) as connection:
                _make_tables(connection)
                yield connection
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """For one process at a time. The lock ends with the process, however that ends. Raises RunFileError."""
    from filelock import FileLock, Timeout

    lock = FileLock(f"{os.path.realpath(path)}.lock")  # a link to it is the same file
    try:
        lock.acquire(timeout=_GLANCE_S, poll_interval=_GLANCE_S / 10)
    except Timeout:
        if not Path(lock.lock_file).exists():
            raise RunFileError(f"{path} cannot be made here.", "Name another folder.") from None
        raise RunFileError(f"{path} is being written by another niah run.", "Wait for it to end.") from None
    try:
        yield
    finally:
        if not path.exists():  # it came to nothing; who waits for a lock that is gone makes a new one
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


# Opening, and what it may meet


@contextmanager
def open_database(path: Path, *, immutable: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to a run file, made where there is none; what SQLite finds wrong is a RunFileError."""
    # A file of somebody else's may do nothing but hold rows of a run's size.
    where = f"{path.resolve().as_uri()}?immutable=1" if immutable else path
    connection = sqlite3.connect(where, _TRY_S, check_same_thread=False, uri=immutable)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
        yield connection
    except sqlite3.DatabaseError as error:
        problem, remedy = _FAULTS.get(_code(error), _NO_RUN_FILE)
        raise RunFileError(f"{path}{problem.format(error=error)}.", remedy) from None
    finally:
        connection.close()


def _code(error: sqlite3.Error) -> int:
    """Its lower eight bits: the others say more exactly where it happened."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


_NO_ACCESS = " cannot be read or written: {error}", "Look after its permissions, its folder's and the disk."
_NO_RUN_FILE = " is not a run file of niah: {error}", "Name another file."
_FAULTS: Mapping[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: (": no space left on the disk", "Make room; what is finished is kept."),
    sqlite3.SQLITE_BUSY: (" is in use by another program", "It was waited for 10 minutes: end that program."),
    **dict.fromkeys((sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN), _NO_ACCESS),
    sqlite3.SQLITE_CORRUPT: (
        " is damaged: {error}",
        "Take it from a backup; `sqlite3 FILE .recover` may save what can still be read.",
    ),
}


def patiently(path: Path, work: Callable[[], _Value]) -> _Value:
    """What ``work``, one transaction, returns; it waits where another program holds the file, and says so."""
    began, is_said = time.monotonic(), False
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() - began > _LOCKED_S:
                raise
        if not is_said:
            is_said = True
            print(f"{path} is held by another program: waiting for it.", file=sys.stderr)
        time.sleep(_TRY_S / 10)


def at_rest(path: Path) -> bool:
    """Whether no one writes to it, since its folder or disk lets SQLite make no files next to it."""
    file = path.resolve()
    log = file.with_name(f"{file.name}-wal")
    if not os.access(file.parent, os.W_OK):
        return not log.exists()
    return disk_usage(file.parent).free < _SIDE_FILES and not (log.exists() and log.stat().st_size)


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether the file holds no tables."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _make_tables(connection: sqlite3.Connection) -> None:
    if is_empty(connection):
        connection.executescript(_SCHEMA)
        with connection:
            for key, value in (("niah", __version__), ("id", uuid4().hex)):
                connection.executemany(*_meta(key, value))


def check_format(path: Path, connection: sqlite3.Connection) -> None:
    """Raise RunFileError for a file of another program or version, and for one that holds more than tables of
    ours: a trigger or a view would do something by itself."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not version and is_empty(connection):
        raise RunFileError(f"{path} is empty: no run was begun in it.", "Name another file.")
    if version != SCHEMA_VERSION:
        problem = f"{path} is no run file of this version of niah (format {version}, not {SCHEMA_VERSION})."
        raise RunFileError(problem, "Name another file, or read it with the version that made it.")
    found = set(connection.execute("SELECT type, name, sql FROM sqlite_master"))
    if strange := sorted(found - _our_tables(), key=str):
        kind, name, _ = strange[0]
        problem = f"{path} holds a {kind} called {name!r}, which no run file has."
        raise RunFileError(problem, "Somebody put it there: take the file from where it was made.")
    if found != _our_tables():
        raise RunFileError(f"{path} is not a run file of niah: it lacks tables.", "Name another file.")


@cache
def _our_tables() -> frozenset[tuple[str, str, str | None]]:
    """Type, name and definition of everything in a run file: of strict tables, which hold no other types."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_SCHEMA)
        return frozenset(db.execute("SELECT type, name, sql FROM sqlite_master"))


def read_meta(db: sqlite3.Connection) -> dict[str, Any]:
    """What a run file says of itself. Raises sqlite3.DatabaseError where it is damaged."""
    rows = db.execute("SELECT key, value FROM meta")
    try:
        return {key: orjson.loads(value) for key, value in rows}
    except orjson.JSONDecodeError as error:
        damage = sqlite3.DatabaseError(f"what it says of itself is no JSON: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from None
