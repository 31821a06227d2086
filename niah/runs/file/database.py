"""A run file as a database: its tables, how it is opened, and what opening it may meet."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage
from typing import Any, TypeVar
from uuid import uuid4

import orjson

from niah import __version__
from niah.errors import RunFileError

SCHEMA_VERSION = 6

_Value = TypeVar("_Value")

_SCHEMA = f"""
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE questions (question_id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE samples (
    sample_id TEXT PRIMARY KEY,
    question_id TEXT NOT NULL REFERENCES questions,
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    prompt TEXT NOT NULL,
    tokenizer TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    spans TEXT NOT NULL,
    question_set TEXT,
    source_name TEXT,
    licence TEXT
) WITHOUT ROWID;
CREATE TABLE trials (
    place INTEGER PRIMARY KEY,
    trial_id TEXT NOT NULL UNIQUE,
    sample_id TEXT NOT NULL REFERENCES samples,
    strategy TEXT NOT NULL,
    definition TEXT NOT NULL,
    reader TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'not_run',
    answer TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    cost REAL,
    latency_s REAL,
    context_tokens INTEGER,
    retrieval TEXT,
    finished_at TEXT,
    own_prompt_tokens INTEGER,
    from_cache INTEGER NOT NULL DEFAULT 0,
    reused_from TEXT NOT NULL DEFAULT '',
    thinking_tokens INTEGER,
    thinking_cost REAL
);
CREATE TABLE verdicts (
    trial_id TEXT NOT NULL REFERENCES trials (trial_id),
    judge TEXT NOT NULL,
    version TEXT NOT NULL,
    score NUMERIC NOT NULL,
    body TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cost REAL,
    latency_s REAL,
    judged_at TEXT NOT NULL,
    PRIMARY KEY (trial_id, judge, version)
) WITHOUT ROWID;
CREATE TABLE invocations (started_at TEXT, settings TEXT, versions TEXT);
CREATE TABLE preparations (
    definition TEXT NOT NULL,
    document TEXT NOT NULL,
    trial_id TEXT NOT NULL,
    key TEXT NOT NULL,
    step TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cost REAL,
    from_cache INTEGER NOT NULL,
    reused_from TEXT NOT NULL,
    is_understood INTEGER NOT NULL,
    is_cut INTEGER NOT NULL,
    PRIMARY KEY (definition, document, trial_id, key, model)
) WITHOUT ROWID;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

_TABLES = frozenset(re.findall(r"CREATE TABLE (\w+)", _SCHEMA))
# The greatest value of a run is a document of some MiB, or an answer.
_LARGEST_VALUE = 256 * 2**20


_TRY_S = 2.0
_LOCKED_S = 600.0
"""So long another program may hold a run file, such as a backup or a viewer."""


def patiently(path: Path, work: Callable[[], _Value]) -> _Value:
    """What ``work`` returns; while another program holds the run file it waits, with one line on stderr.

    Args:
        path: of the file.
        work: one transaction, which is done as a whole or not at all.
    """
    began = time.monotonic()
    is_said = False
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            is_locked = getattr(error, "sqlite_errorcode", 0) & 0xFF == _BUSY
            if not is_locked or time.monotonic() - began > _LOCKED_S:
                raise
        if not is_said:
            is_said = True
            print(f"{path} is held by another program: waiting for it.", file=sys.stderr)
        time.sleep(_TRY_S / 10)


@contextmanager
def open_database(path: Path, *, immutable: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to a run file; what SQLite finds wrong is raised as RunFileError.

    Args:
        path: of the file; made where there is none.
        immutable: read it as one that nobody writes to.
    """
    where = f"{path.resolve().as_uri()}?immutable=1" if immutable else path
    connection = sqlite3.connect(where, _TRY_S, check_same_thread=False, uri=immutable)
    try:
        _defend(connection)
        yield connection
    except sqlite3.DatabaseError as error:
        raise _as_run_file_error(path, error) from None
    finally:
        connection.close()


def make_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Make the tables of a new file. Raises RunFileError where it holds anything but a run of this format."""
    if not is_empty(connection):
        check_format(path, connection)
        return
    connection.executescript(_SCHEMA)
    said = {"niah": __version__, "id": uuid4().hex}
    with connection:
        connection.executemany(
            "INSERT INTO meta VALUES (?, ?)",
            [(key, orjson.dumps(each).decode()) for key, each in said.items()],
        )


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether the file holds no tables."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def check_format(path: Path, connection: sqlite3.Connection, schema: str = "main") -> None:
    """Raise RunFileError for a file of another program, or of another version of niah."""
    found = connection.execute(f"PRAGMA {schema}.user_version").fetchone()[0]
    if 1 <= found < SCHEMA_VERSION:
        raise RunFileError(
            f"{path} is a run file of an older niah (format {found}).",
            "Run it again with this version under another name, or read it with the version that made it.",
        )
    if not found and is_empty(connection):
        raise RunFileError(f"{path} is empty: no run was begun in it.", "Name another file.")
    if found != SCHEMA_VERSION:
        raise RunFileError(f"{path} is not a run file of this version of niah.", "Name another file.")
    _check_nothing_else(path, connection, schema)


def read_meta(db: sqlite3.Connection, schema: str = "main") -> dict[str, Any]:
    """What a run file says of itself. Raises sqlite3.DatabaseError where it is damaged."""
    rows = db.execute(f"SELECT key, value FROM {schema}.meta")
    try:
        return {key: orjson.loads(value) for key, value in rows}
    except orjson.JSONDecodeError as error:
        damage = sqlite3.DatabaseError(f"what it says of itself is no JSON: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from None


def _check_nothing_else(path: Path, connection: sqlite3.Connection, schema: str) -> None:
    """Raise RunFileError where a file holds what would do something by itself: a trigger, or a view."""
    for kind, name in connection.execute(f"SELECT type, name FROM {schema}.sqlite_master"):
        ours = (kind == "table" and name in _TABLES) or (kind == "index" and name.startswith("sqlite_auto"))
        if not ours:
            raise RunFileError(
                f"{path} holds a {kind} called {name!r}, which no run file has.",
                "Somebody put it there: take the file from where it was made.",
            )


def _defend(connection: sqlite3.Connection) -> None:
    """Let a file of somebody else's do nothing but hold rows, of a size that a run has."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)


_FILES_BESIDE = 64 * 2**10
"""Bytes that SQLite's files beside a database take when it is opened, rounded up."""


def at_rest(path: Path) -> bool:
    """Whether the file can be read only as one that nobody writes to: nothing can be made in its folder.

    SQLite makes files beside the database, with which readers and a writer agree. Where the disk is full
    nobody writes either, unless one has begun to.
    """
    file = path.resolve()
    log = file.with_name(f"{file.name}-wal")
    if not os.access(file.parent, os.W_OK):
        return not log.exists()
    return disk_usage(file.parent).free < _FILES_BESIDE and not (log.exists() and log.stat().st_size)


# SQLite's codes that say something else than that the file is no database of ours.
_DAMAGED, _FULL, _DISK = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR
_BUSY, _NO_ACCESS = sqlite3.SQLITE_BUSY, (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _as_run_file_error(path: Path, error: sqlite3.DatabaseError) -> RunFileError:
    # The lower eight bits: the others say more exactly where it happened.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == _FULL:
        return RunFileError(f"{path}: no space left on the disk.", "Make room; what is finished is kept.")
    if code == _DISK:
        remedy = "Look after the disk and the room on it; what is finished is kept."
        return RunFileError(f"{path} cannot be written or read: {error}.", remedy)
    if code == _BUSY:
        return RunFileError(
            f"{path} is in use by another program.",
            f"It was waited for {_LOCKED_S / 60:.0f} minutes: end that program.",
        )
    if code in _NO_ACCESS:
        return RunFileError(f"{path} cannot be opened: {error}.", "It and its folder have to be writable.")
    if code == _DAMAGED:
        remedy = "Take it from a backup; `sqlite3 FILE .recover` may save what can still be read."
        return RunFileError(f"{path} is damaged: {error}.", remedy)
    return RunFileError(f"{path} is not a run file of niah: {error}.", "Name another file.")
