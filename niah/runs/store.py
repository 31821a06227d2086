"""The run file: one SQLite database, one writer, every finished trial committed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.budget import Accounts, Admission
from niah.runs.estimate import Finished
from niah.runs.provenance import Invocation
from niah.runs.result import Result
from niah.runs.trial import Outcome, Trial, TrialRecord

SCHEMA_VERSION = 3

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cases (case_id TEXT PRIMARY KEY, recipe TEXT NOT NULL, sha256 TEXT) WITHOUT ROWID;
CREATE TABLE trials (
    place INTEGER PRIMARY KEY,
    trial_id TEXT NOT NULL UNIQUE,
    case_id TEXT NOT NULL REFERENCES cases,
    strategy TEXT NOT NULL,
    definition TEXT NOT NULL,
    reader TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'not_run',
    answer TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    error_type TEXT,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    cost REAL,
    latency_s REAL,
    context_tokens INTEGER,
    retrieval TEXT,
    finished_at TEXT,
    own_prompt_tokens INTEGER,
    from_cache INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE verdicts (
    trial_id TEXT NOT NULL REFERENCES trials (trial_id),
    judge TEXT NOT NULL,
    version TEXT NOT NULL,
    score INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    PRIMARY KEY (trial_id, judge)
) WITHOUT ROWID;
"""
_INVOCATIONS = "CREATE TABLE invocations (started_at TEXT, settings TEXT, versions TEXT);"


# What brings a file of that version to the next one.
_MIGRATIONS = {
    1: "ALTER TABLE trials ADD COLUMN own_prompt_tokens INTEGER;"
    " ALTER TABLE trials ADD COLUMN from_cache INTEGER NOT NULL DEFAULT 0;",
    2: _INVOCATIONS,
}


_FINISH = """
UPDATE trials
SET outcome = ?, answer = ?, reason = ?, error_type = ?, prompt_tokens = ?, completion_tokens = ?,
    cached_tokens = ?, latency_s = ?, context_tokens = ?, retrieval = ?, cost = ?, own_prompt_tokens = ?,
    from_cache = ?, finished_at = strftime('%Y-%m-%dT%H:%M:%fZ')
WHERE trial_id = ?
"""


class RunStore:
    """An open run file. Use ``open_for_writing`` or ``open_for_reading``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._accounts: Accounts | None = None

    def keep_accounts(self, accounts: Accounts) -> None:
        """From now on, what a trial cost is counted, and filled in, when it is finished."""
        self._accounts = accounts

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start: always, where no accounts are kept."""
        return "yes" if self._accounts is None else self._accounts.admits(trial)

    def settle(self, trial: Trial, result: Result) -> Result:
        """The result with what it cost, where accounts are kept. Nothing is written."""
        return result if self._accounts is None else self._accounts.settle(trial, result)

    def begin(self, facts: dict[str, object], trials: Iterable[Trial]) -> None:
        """Enter the config and every planned trial; on a file begun before, check that it is the same config.

        Raises what ``check`` raises.
        """
        self.check(facts)
        with self._db:
            self._set_meta("config", facts)
            self._enter(list(trials))

    def check(self, facts: dict[str, object]) -> None:
        """Raise RunFileError where the file was begun with another config, and name what differs."""
        stored = self._meta("config")
        if stored is not None and stored != facts:
            differs = sorted(key for key in facts if stored.get(key) != facts[key])
            raise RunFileError(
                f"{self.path} belongs to another config (it differs in: {', '.join(differs)}).",
                "Name another file with --out, or delete this one.",
            )

    def record_reader(self, name: str, settings: dict[str, str | int]) -> None:
        """Enter how a reader is asked: what changes its answers beside the prompt."""
        with self._db:
            self._set_meta("readers", {**(self._meta("readers") or {}), name: settings})

    def record_invocation(self, settings: dict[str, Any], versions: dict[str, str]) -> None:
        """Enter how the run is being asked for: each setting with its source, and what does the work."""
        with self._db:
            self._db.execute(
                "INSERT INTO invocations VALUES (strftime('%Y-%m-%dT%H:%M:%fZ'), ?, ?)",
                (_json(settings), _json(versions)),
            )

    def invocations(self) -> list[Invocation]:
        """Every invocation that wrote to the file, the earliest first; none where versions 1 and 2 did."""
        if self._db.execute("PRAGMA user_version").fetchone()[0] < 3:
            return []
        rows = self._db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
        return [Invocation(started, orjson.loads(how), orjson.loads(what)) for started, how, what in rows]

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        rows = self._db.execute("SELECT trial_id, outcome FROM trials WHERE outcome <> 'not_run'")
        return {trial_id for trial_id, outcome in rows if outcome not in besides}

    def finish(self, trial: Trial, result: Result) -> None:
        """Settle and commit one finished trial with its verdict."""
        self.commit([(trial, self.settle(trial, result))])

    def commit(self, finished: Sequence[tuple[Trial, Result]]) -> None:
        """Commit finished trials with their verdicts: all or, when killed, none. Durable on return."""
        with self._db:
            self._db.executemany(_FINISH, [_finished_row(trial, result) for trial, result in finished])
            self._db.executemany(
                "UPDATE cases SET sha256 = ? WHERE case_id = ?",
                [(result.context_sha256, trial.case.case_id) for trial, result in finished],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)",
                [_verdict_row(trial.trial_id, r.verdict) for trial, r in finished if r.verdict],
            )

    def taken(self) -> dict[str, Finished]:
        """What each finished trial took, by trial id, the latest first."""
        rows = self._db.execute("SELECT * FROM trials WHERE outcome <> 'not_run' ORDER BY finished_at DESC")
        return {row["trial_id"]: _finished(row) for row in rows}

    def records(self) -> list[TrialRecord]:
        """Every trial of the run, in the order planned."""
        rows = self._db.execute(
            "SELECT trials.*, recipe FROM trials JOIN cases USING (case_id) ORDER BY place"
        )
        verdicts: dict[str, list[Verdict]] = {}
        for trial_id, text in self._db.execute("SELECT trial_id, verdict FROM verdicts ORDER BY judge"):
            verdicts.setdefault(trial_id, []).append(_verdict(text))
        primary = (self._meta("config") or {}).get("judge")
        return [_record(row, verdicts.get(row["trial_id"], []), primary) for row in rows]

    def cases(self) -> list[Case]:
        """The recipes of the run."""
        return [Case(**orjson.loads(row[0])) for row in self._db.execute("SELECT recipe FROM cases")]

    def _enter(self, trials: list[Trial]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO cases (case_id, recipe) VALUES (?, ?)",
            {
                trial.case.case_id: (trial.case.case_id, _json(asdict(trial.case))) for trial in trials
            }.values(),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO trials (trial_id, case_id, strategy, definition, reader, repeat)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (t.trial_id, t.case.case_id, t.strategy.name, t.strategy.definition, t.reader, t.repeat)
                for t in trials
            ],
        )

    def _meta(self, key: str) -> Any:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return orjson.loads(row[0]) if row else None

    def _set_meta(self, key: str, value: object) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, _json(value)))


@contextmanager
def open_for_writing(path: Path) -> Iterator[RunStore]:
    """The run file at ``path``, made if need be, for one writer at a time. Raises RunFileError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path), _connected(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _ensure_schema(path, connection)
        yield RunStore(path, connection)


@contextmanager
def open_for_reading(path: Path) -> Iterator[RunStore]:
    """The finished or unfinished run file at ``path``. Raises RunFileError."""
    if not path.is_file():
        raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
    with _connected(path) as connection:
        _check_schema(path, connection)
        yield RunStore(path, connection)


@contextmanager
def new_run_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A run file with empty tables, to be filled as a whole; it appears when the block has ended well.

    The connection begins and commits nothing by itself, and attaches files by URI. Raises RunFileError where
    ``path`` is there already.
    """
    _refuse_existing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with closing(sqlite3.connect(draft.resolve(), isolation_level=None, uri=True)) as connection:
            _ensure_schema(draft, connection)
            yield connection
        with _locked(path):
            _refuse_existing(path)
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise RunFileError(f"{path} is there already, and stays as it is.", "Name another file.")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """For one process at a time. The lock ends with the process, however that ends. Raises RunFileError."""
    from filelock import FileLock, Timeout

    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise RunFileError(f"{path} is being written by another niah run.", "Wait for it to end.") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    except sqlite3.DatabaseError as error:
        raise RunFileError(f"{path} is not a run file of niah: {error}.", "Name another file.") from None
    finally:
        connection.close()


def _ensure_schema(path: Path, connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        _migrate(connection, _check_schema(path, connection))
        return
    schema = f"{_SCHEMA} {_INVOCATIONS} PRAGMA user_version = {SCHEMA_VERSION};"
    connection.executescript(f"BEGIN; {schema} COMMIT;")
    with connection:
        connection.execute("INSERT INTO meta VALUES ('niah', ?)", (_json(version("niah")),))


def _check_schema(path: Path, connection: sqlite3.Connection) -> int:
    """The file's version: this one, or an older one that can be read as it is."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != SCHEMA_VERSION and found not in _MIGRATIONS:
        raise RunFileError(f"{path} is not a run file of this version of niah.", "Name another file.")
    return found


def _migrate(connection: sqlite3.Connection, found: int) -> None:
    """Bring a file to this version: wholly or, when killed, not at all."""
    for old in range(found, SCHEMA_VERSION):
        connection.executescript(f"BEGIN; {_MIGRATIONS[old]} PRAGMA user_version = {old + 1}; COMMIT;")


def _finished(row: sqlite3.Row) -> Finished:
    return Finished(
        reader=row["reader"],
        usage=Usage(row["prompt_tokens"], row["completion_tokens"], row["cached_tokens"]),
        # Files of version 1, opened for reading, lack these two.
        own_prompt_tokens=dict(row).get("own_prompt_tokens"),
        from_cache=bool(dict(row).get("from_cache")),
        cost=None if row["cost"] is None else Decimal(str(row["cost"])),
        latency_s=row["latency_s"],
    )


def _finished_row(trial: Trial, result: Result) -> tuple[object, ...]:
    return (
        result.outcome,
        result.answer,
        result.reason,
        result.error_type,
        result.usage.prompt_tokens,
        result.usage.completion_tokens,
        result.usage.cached_tokens,
        result.latency_s,
        result.context_tokens,
        _json(asdict(result.retrieval)) if result.retrieval else None,
        None if result.cost is None else float(result.cost),
        result.own_prompt_tokens,
        result.from_cache,
        trial.trial_id,
    )


def _verdict_row(trial_id: str, verdict: Verdict) -> tuple[object, ...]:
    return (trial_id, verdict.judge, verdict.version, verdict.score, _json(asdict(verdict)))


def _json(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _verdict(text: str) -> Verdict:
    fields = orjson.loads(text)
    for key in ("found", "missing", "wrong"):
        fields[key] = tuple(fields[key])
    return Verdict(**fields)


def _record(row: sqlite3.Row, verdicts: list[Verdict], primary: str | None) -> TrialRecord:
    case = Case(**orjson.loads(row["recipe"]))
    retrieval = orjson.loads(row["retrieval"]) if row["retrieval"] else {}
    chosen = next((verdict for verdict in verdicts if verdict.judge == primary), None)
    return TrialRecord(
        trial_id=row["trial_id"],
        case_id=row["case_id"],
        needle_set=case.needle_set,
        haystack=case.haystack,
        context_length=case.context_length,
        depth=case.depth,
        seed=case.seed,
        strategy=row["strategy"],
        reader=row["reader"],
        repeat=row["repeat"],
        outcome=row["outcome"],
        score=chosen.score if chosen else None,
        judge_scores={verdict.judge: verdict.score for verdict in verdicts} or None,
        missing=chosen.missing if chosen else (),
        wrong=chosen.wrong if chosen else (),
        self_doubt=chosen.self_doubt if chosen else None,
        error_type=row["error_type"],
        answer=row["answer"],
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        cached_tokens=row["cached_tokens"],
        cost=row["cost"],
        latency_s=row["latency_s"],
        retrieval_completeness=retrieval.get("completeness"),
        noise_ratio=retrieval.get("noise_ratio"),
        needle_ranks=tuple(retrieval["needle_ranks"]) if retrieval else None,
        context_tokens=row["context_tokens"],
        needle_split=tuple(retrieval["needle_split"]) if retrieval else None,
    )
