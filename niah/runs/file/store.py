"""The run file: one SQLite database, one writer, every finished trial committed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.runs.cost.budget import Admission, BudgetLedger
from niah.runs.cost.estimate import Finished, Judged
from niah.runs.file.queries import at_rest, meta_value, verdict_order
from niah.runs.file.rows import (
    ADD_VERDICT,
    FINISH,
    answered_of,
    as_json,
    case_of,
    finished_of,
    finished_row,
    judged_of,
    record_of,
    verdict_of,
    verdict_row,
    verdict_rows,
)
from niah.runs.file.schema import check_free_or_ours, check_schema, ensure_schema
from niah.runs.provenance import Invocation
from niah.runs.result import Judging, Result
from niah.runs.trial import Outcome, Trial, TrialRecord


class RunStore:
    """An open run file. Use ``open_for_writing`` or ``open_for_reading``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._accounts: BudgetLedger | None = None

    def keep_accounts(self, accounts: BudgetLedger) -> None:
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

    def texts(self) -> list[str]:
        """Fingerprints of the files behind the run's cases."""
        return list((self._meta("config") or {}).get("texts", ()))

    def record_reader(self, name: str, settings: dict[str, str | int]) -> None:
        """Enter how a reader is asked: what changes its answers beside the prompt."""
        with self._db:
            self._set_meta("readers", {**(self._meta("readers") or {}), name: settings})

    def record_judge(self, name: str, settings: dict[str, str | int]) -> None:
        """Enter how a judge is asked."""
        with self._db:
            self._set_meta("judges", {**(self._meta("judges") or {}), name: settings})

    def record_invocation(self, settings: dict[str, Any], versions: dict[str, str]) -> None:
        """Enter how the run is being asked for: each setting with its source, and what does the work."""
        with self._db:
            self._db.execute(
                "INSERT INTO invocations VALUES (strftime('%Y-%m-%dT%H:%M:%fZ'), ?, ?)",
                (as_json(settings), as_json(versions)),
            )

    def invocations(self) -> list[Invocation]:
        """Every invocation that wrote to the file, the earliest first; none where versions 1 and 2 did."""
        if self._version() < 3:
            return []
        rows = self._db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
        return [Invocation(started, orjson.loads(how), orjson.loads(what)) for started, how, what in rows]

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        rows = self._db.execute("SELECT trial_id, outcome FROM trials WHERE outcome <> 'not_run'")
        return {trial_id for trial_id, outcome in rows if outcome not in besides}

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return self._db.execute("SELECT 1 FROM trials WHERE outcome = 'not_run' LIMIT 1").fetchone() is None

    def finish(self, trial: Trial, result: Result) -> None:
        """Settle and commit one finished trial with its verdict."""
        self.commit([(trial, self.settle(trial, result))])

    def commit(self, finished: Sequence[tuple[Trial, Result]]) -> None:
        """Commit finished trials with their verdicts: all or, when killed, none. Durable on return."""
        with self._db:
            self._db.executemany(FINISH, [finished_row(trial, result) for trial, result in finished])
            self._db.executemany(
                "UPDATE cases SET sha256 = ? WHERE case_id = ?",
                [(result.context_sha256, trial.case.case_id) for trial, result in finished],
            )
            rows = [row for trial, result in finished for row in verdict_rows(trial.trial_id, result)]
            self._db.executemany(ADD_VERDICT, rows)

    def answered(self) -> dict[str, Result]:
        """The answers that lack a verdict since their judge failed, by trial id."""
        rows = self._db.execute(
            "SELECT trials.*, sha256 FROM trials JOIN cases USING (case_id) WHERE outcome = 'judge_error'"
        )
        return {row["trial_id"]: answered_of(row) for row in rows}

    def taken(self) -> dict[str, Finished]:
        """What each finished trial took, by trial id, the latest first."""
        rows = self._db.execute("SELECT * FROM trials WHERE outcome <> 'not_run' ORDER BY finished_at DESC")
        return {row["trial_id"]: finished_of(row) for row in rows}

    def judging_taken(self) -> list[Judged]:
        """What each verdict took, the latest first."""
        if self._version() < 4:  # verdicts had no time then
            return []
        rows = self._db.execute("SELECT * FROM verdicts WHERE judged_at IS NOT NULL ORDER BY judged_at DESC")
        return [judged_of(row) for row in rows]

    def records(self) -> list[TrialRecord]:
        """Every trial of the run, in the order planned."""
        rows = self._db.execute(
            "SELECT trials.*, recipe FROM trials JOIN cases USING (case_id) ORDER BY place"
        )
        verdicts, primary = self.verdicts(), self.primary
        return [record_of(row, verdicts.get(row["trial_id"], ()), primary) for row in rows]

    @property
    def primary(self) -> str | None:
        """The judge whose score counts."""
        primary: str | None = self._meta("primary") or (self._meta("config") or {}).get("judge")
        return primary

    def make_primary(self, judge: str) -> None:
        """From now on, this judge's score counts; answers that it has not judged are judge errors."""
        with self._db:
            self._set_meta("primary", judge)

    def verdicts(self) -> dict[str, list[Verdict]]:
        """Every verdict by trial id; by judge, a judge's latest last."""
        verdicts: dict[str, list[Verdict]] = {}
        for trial_id, text in self._db.execute(
            f"SELECT trial_id, verdict FROM verdicts {verdict_order(self._db)}"
        ):
            verdicts.setdefault(trial_id, []).append(verdict_of(text))
        return verdicts

    def add_verdict(self, trial_id: str, verdict: Verdict, took: Judging | None = None) -> None:
        """Commit one more verdict on an answer, beside those of other judges and versions."""
        with self._db:
            self._db.execute(ADD_VERDICT, verdict_row(trial_id, verdict, took))

    def cases(self) -> list[Case]:
        """The recipes of the run."""
        return [case_of(row[0]) for row in self._db.execute("SELECT recipe FROM cases")]

    def _enter(self, trials: list[Trial]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO cases (case_id, recipe) VALUES (?, ?)",
            {
                trial.case.case_id: (trial.case.case_id, as_json(asdict(trial.case))) for trial in trials
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

    def _version(self) -> int:
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        return version

    def _meta(self, key: str) -> Any:
        return meta_value(self._db, key)

    def _set_meta(self, key: str, value: object) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, as_json(value)))


@contextmanager
def open_for_writing(path: Path) -> Iterator[RunStore]:
    """The run file at ``path``, made if need be, for one writer at a time. Raises RunFileError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        with _connected(path) as connection:  # a file of somebody else's gets no lock beside it
            check_free_or_ours(path, connection)
    with _locked(path), _connected(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        ensure_schema(path, connection)
        yield RunStore(path, connection)


@contextmanager
def open_for_reading(path: Path) -> Iterator[RunStore]:
    """The finished or unfinished run file at ``path``. Raises RunFileError."""
    if not path.is_file():
        raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
    with _connected(path, immutable=at_rest(path)) as connection:
        check_schema(path, connection)
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
            ensure_schema(draft, connection)
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
        if not Path(lock.lock_file).exists():
            raise RunFileError(f"{path} cannot be made here.", "Name another folder.") from None
        raise RunFileError(f"{path} is being written by another niah run.", "Wait for it to end.") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _connected(path: Path, *, immutable: bool = False) -> Iterator[sqlite3.Connection]:
    where = f"{path.resolve().as_uri()}?immutable=1" if immutable else path
    connection = sqlite3.connect(where, check_same_thread=False, uri=immutable)
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    except sqlite3.DatabaseError as error:
        raise _as_run_file_error(path, error) from None
    finally:
        connection.close()


# SQLite's codes that say something else than that the file is no database of ours.
_DAMAGED, _FULL = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL
_BUSY, _NO_ACCESS = sqlite3.SQLITE_BUSY, (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _as_run_file_error(path: Path, error: sqlite3.DatabaseError) -> RunFileError:
    # The lower eight bits: the others say more exactly where it happened.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == _FULL:
        return RunFileError(f"{path}: no space left on the disk.", "Make room; what is finished is kept.")
    if code == _BUSY:
        return RunFileError(f"{path} is in use by another program.", "Wait for it to end.")
    if code in _NO_ACCESS:
        return RunFileError(f"{path} cannot be opened: {error}.", "It and its folder have to be writable.")
    if code == _DAMAGED:
        remedy = "Take it from a backup; `sqlite3 FILE .recover` may save what can still be read."
        return RunFileError(f"{path} is damaged: {error}.", remedy)
    return RunFileError(f"{path} is not a run file of niah: {error}.", "Name another file.")
