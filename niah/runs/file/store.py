"""The run file as it is written: one SQLite database, one writer, every finished trial committed."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

import orjson
from pydantic import BaseModel

from niah.cases.context import Placed
from niah.cases.left_out import LeftOut
from niah.cases.sample import AnswerKey, Sample
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import ReaderTraits
from niah.runs.file.database import (
    check_format,
    is_empty,
    make_tables,
    open_database,
    patiently,
    read_meta,
)
from niah.runs.file.read import AVOIDED, SAMPLE_COLUMNS, check_config, known_inserts, placed_insert
from niah.runs.trial import PreparationCall, Trial, TrialResult

_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ')"

_FINISH = f"""
UPDATE trials
SET outcome = ?, answer = ?, reason = ?, prompt_tokens = ?, completion_tokens = ?, cached_tokens = ?,
    latency_s = ?, context_tokens = ?, retrieval = ?, cost = ?, own_prompt_tokens = ?, from_cache = ?,
    reused_from = ?, thinking_tokens = ?, thinking_cost = ?, finished_at = {_NOW}
WHERE trial_id = ?
"""
_JUDGED_AGAIN = "UPDATE trials SET outcome = ?, reason = ? WHERE trial_id = ?"
_ADD_VERDICT = f"INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {_NOW})"

_ADD_PREPARATION = f"""
INSERT INTO preparations AS old VALUES ({", ".join("?" * 13)})
    ON CONFLICT (definition, document, trial_id, key, model) DO UPDATE SET
    prompt_tokens = excluded.prompt_tokens + iif(old.from_cache, 0, old.prompt_tokens),
    completion_tokens = excluded.completion_tokens + iif(old.from_cache, 0, old.completion_tokens),
    cost = excluded.cost + old.cost, from_cache = 0, reused_from = '',
    is_understood = excluded.is_understood, is_cut = excluded.is_cut
WHERE NOT excluded.from_cache
"""

_GLANCE_S = 0.2
"""Longer than whoever looks whether somebody writes holds the lock."""

_LEAST_DATABASE = 512
"""Bytes of the smallest that SQLite makes."""

_IN_COLUMNS = ("judge", "version", "score", "usage", "latency_s", "cost", "judged_at")
"""What stands in a verdict's columns; the rest is its body."""


class RunStore:
    """Writes to an open run file. Use ``open_for_writing``; ``read_run`` reads what is written."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.run_id: str = read_meta(connection).get("id", "")
        self._db = connection
        self._turn = Lock()
        """For one thread at a time: trials and preparation calls are finished side by side."""

    def begin(
        self, facts: Mapping[str, object], trials: Iterable[Trial], left_out: Sequence[LeftOut] = ()
    ) -> None:
        """Enter the config, every planned trial with its sample, and the cases left out of the plan.

        Trials and samples that are there already stay.

        Raises RunFileError where the file was begun with another config.
        """
        check_config(self.path, read_meta(self._db).get("config", {}), facts)
        trials = list(trials)
        samples = {trial.sample.sample_id: trial.sample for trial in trials}.values()
        columns = ("question_id", "source", "spans", *SAMPLE_COLUMNS)
        questions = {key: _question(key) for key in {sample.key for sample in samples}}
        self._write(
            _meta("config", facts),
            _meta("left_out", left_out),
            ("INSERT OR IGNORE INTO questions VALUES (?, ?)", list(questions.values())),
            (
                f"INSERT OR IGNORE INTO samples ({', '.join(columns)})"
                f" VALUES ({', '.join('?' * len(columns))})",
                [(questions[sample.key][0], *_sample_row(sample)) for sample in samples],
            ),
            (
                "INSERT OR IGNORE INTO trials (trial_id, sample_id, strategy, definition, reader, repeat)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(each.trial_id, each.sample.sample_id, each.strategy.name, each.strategy.definition),
                        *(each.reader, each.repeat),
                    )
                    for each in trials
                ],
            ),
        )

    def record_reader(self, name: str, settings: Mapping[str, str | int]) -> None:
        """Enter how a reader is asked: what changes its answers beside the prompt."""
        self._add_meta("readers", name, settings)

    def record_judge(self, name: str, settings: Mapping[str, str | int]) -> None:
        """Enter how a judge is asked."""
        self._add_meta("judges", name, settings)

    def record_traits(self, traits: Mapping[str, ReaderTraits]) -> None:
        """Enter what is said of the readers' models, in place of what was said before."""
        self._write(_meta("traits", traits))

    def record_stopped(self, reasons: Mapping[str, str]) -> None:
        """Enter why readers were asked no further, by name, in place of what was said before."""
        self._write(_meta("stopped", reasons))

    def record_invocation(self, settings: Mapping[str, Any], versions: Mapping[str, str]) -> None:
        """Enter how the run is being asked for: each setting with its source, and what does the work."""
        row = (_as_json(settings), _as_json(versions))
        self._write((f"INSERT INTO invocations VALUES ({_NOW}, ?, ?)", [row]))

    def commit(self, finished: Sequence[tuple[Trial, TrialResult]]) -> None:
        """Commit finished trials with their verdicts: all or, when killed, none. Durable on return."""
        new = [_finished_row(trial, result) for trial, result in finished if not result.answered_before]
        judged = [
            (result.outcome, result.reason, trial.trial_id)
            for trial, result in finished
            if result.answered_before
        ]
        verdicts = [
            _verdict_row(trial.trial_id, verdict) for trial, result in finished for verdict in result.verdicts
        ]
        self._write((_FINISH, new), (_JUDGED_AGAIN, judged), (_ADD_VERDICT, verdicts))

    def add_preparation(self, call: PreparationCall) -> None:
        """Enter a call of a model that prepares; one that was asked again is paid for twice."""
        cost = None if call.cost is None else float(call.cost)
        row = (
            *(call.definition, call.document, call.trial_id, call.key, call.step, call.model),
            *(call.usage.prompt_tokens, call.usage.completion_tokens, cost),
            *(call.from_cache, call.reused_from, call.is_understood, call.is_cut),
        )
        self._write((_ADD_PREPARATION, [row]))

    def add_verdict(self, trial_id: str, verdict: Verdict) -> None:
        """Commit one more verdict on an answer, beside those of other judges and versions."""
        self.add_verdicts([(trial_id, verdict)])

    def add_verdicts(self, verdicts: Iterable[tuple[str, Verdict]]) -> None:
        """Commit many at once: all or, when killed, none."""
        self._write((_ADD_VERDICT, [_verdict_row(*one) for one in verdicts]))

    def make_primary(self, judge: str) -> None:
        """From now on, this judge's score counts; answers that it has not judged are judge errors."""
        self._write(_meta("primary", judge))

    def _add_meta(self, key: str, name: str, value: object) -> None:
        known = patiently(self.path, lambda: read_meta(self._db).get(key, {}))
        self._write(_meta(key, {**known, name: value}))

    def _write(self, *statements: tuple[str, Iterable[Sequence[object]]]) -> None:
        """Commit statements, each with its rows: all or none, once no other program holds the file."""

        def once() -> None:
            with self._db:
                for statement, rows in statements:
                    self._db.executemany(statement, rows)

        with self._turn:
            patiently(self.path, once)


def _meta(key: str, value: object) -> tuple[str, list[tuple[str, str]]]:
    return "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, _as_json(value))]


def _question(key: AnswerKey) -> tuple[str, str]:
    """Its id, a digest, and its body."""
    body = _as_json(key)
    return hashlib.sha256(body.encode()).hexdigest()[:20], body


def _sample_row(sample: Sample) -> tuple[object, ...]:
    known = known_inserts(sample.key)
    spans: dict[str, list[object]] = {
        kind: [_span(known, placed) for placed in inserts]
        for kind in ("needles", "distractors", "passages")
        if (inserts := getattr(sample, kind))
    }
    if sample.avoided:
        spans[AVOIDED] = list(sample.avoided)
    columns = (getattr(sample, name) for name in SAMPLE_COLUMNS)
    return _as_json(sample.source), _as_json(spans), *columns


def _span(known: Mapping[str, tuple[Any, ...]], placed: Placed) -> tuple[object, ...]:
    """As ``placed_insert`` reads it: without what the key says as well."""
    row = (placed.id, placed.start, placed.end, placed.token_start, placed.asked_token)
    if placed.id in known and placed_insert(known, row) == placed:
        return row
    return *row, placed.text, placed.elements, placed.hardness


def _finished_row(trial: Trial, result: TrialResult) -> tuple[object, ...]:
    return (
        result.outcome,
        result.answer,
        result.reason,
        result.usage.prompt_tokens,
        result.usage.completion_tokens,
        result.usage.cached_tokens,
        result.latency_s,
        result.context_tokens,
        _as_json(result.retrieval) if result.retrieval else None,
        None if result.cost is None else float(result.cost),
        result.own_prompt_tokens,
        result.from_cache,
        result.reused_from,
        result.usage.thinking_tokens,
        None if result.thinking_cost is None else float(result.thinking_cost),
        trial.trial_id,
    )


def _verdict_row(trial_id: str, verdict: Verdict) -> tuple[object, ...]:
    body = {name: value for name, value in asdict(verdict).items() if name not in _IN_COLUMNS}
    return (
        trial_id,
        verdict.judge,
        verdict.version,
        verdict.score,
        _as_json(body),
        verdict.usage.prompt_tokens,
        verdict.usage.completion_tokens,
        None if verdict.cost is None else float(verdict.cost),
        verdict.latency_s,
    )


def _as_json(value: object) -> str:
    """The value as text that is the same for the same value."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_SORT_KEYS).decode()


def _plain(value: object) -> object:
    """What JSON can hold in place of the value."""
    return (
        value.model_dump(by_alias=True, exclude_defaults=True) if isinstance(value, BaseModel) else str(value)
    )


@contextmanager
def open_for_writing(path: Path) -> Iterator[RunStore]:
    """The run file at ``path``, made if need be, for one writer at a time. Raises RunFileError."""
    _refuse_no_file(path)
    with _folder_of(path):
        if path.is_file():
            with open_database(path) as connection:  # a file of somebody else's gets no lock beside it
                if not patiently(path, lambda: is_empty(connection)):
                    check_format(path, connection)
                elif 0 < path.stat().st_size < _LEAST_DATABASE:  # SQLite writes over it
                    raise RunFileError(f"{path} is not a run file of niah.", "Name another file.")
        with _locked(path), open_database(path) as connection:
            patiently(path, lambda: connection.execute("PRAGMA journal_mode = WAL"))
            connection.execute("PRAGMA synchronous = FULL")
            patiently(path, lambda: make_tables(path, connection))
            yield RunStore(path, connection)


@contextmanager
def _folder_of(path: Path) -> Iterator[None]:
    """Make the folder; a new one that nothing came into is taken away again."""
    is_new = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if is_new and not any(path.parent.iterdir()):
            path.parent.rmdir()


@contextmanager
def new_run_file(path: Path, check: Callable[[Path], None]) -> Iterator[sqlite3.Connection]:
    """A run file with empty tables, to be filled as a whole; it appears when the block has ended well, and
    ``check``, which gets the draft of it, raises nothing.

    The connection begins and commits nothing by itself, and attaches files by URI. Raises RunFileError where
    ``path`` is there already.
    """
    _refuse_existing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with closing(sqlite3.connect(draft.resolve(), isolation_level=None, uri=True)) as connection:
            make_tables(draft, connection)
            yield connection
        check(draft)
        with _locked(path):
            _refuse_existing(path)
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _refuse_no_file(path: Path) -> None:
    """A device or a pipe would be waited for, and of a link to itself nobody knows which file it is."""
    try:
        path.resolve()
        is_odd = path.exists() and not path.is_file()
    except (RuntimeError, OSError):  # the second from Python 3.13 on
        is_odd = True
    if is_odd:
        raise RunFileError(f"{path} is no file, or a link that leads to none.", "Name another file.")


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise RunFileError(f"{path} is there already, and stays as it is.", "Name another file.")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """For one process at a time. The lock ends with the process, however that ends. Raises RunFileError."""
    from filelock import FileLock, Timeout

    lock = FileLock(f"{path.resolve()}.lock")  # a link to it is the same file
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


def is_being_written(path: Path) -> bool:
    """Whether a niah run has the file open for writing now."""
    lock = Path(f"{path.resolve()}.lock")
    if not lock.exists():
        return False
    from filelock import FileLock, Timeout

    try:
        with FileLock(lock, timeout=0):
            return False
    except (Timeout, OSError):  # the latter where the folder is somebody else's
        return os.access(lock, os.W_OK)
