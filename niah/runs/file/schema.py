"""The tables of a run file, and how older files come to have them."""

from __future__ import annotations

import sqlite3
from importlib.metadata import version
from pathlib import Path

import orjson

from niah.errors import RunFileError

SCHEMA_VERSION = 4

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
"""
_VERDICTS = """
CREATE TABLE verdicts (
    trial_id TEXT NOT NULL REFERENCES trials (trial_id),
    judge TEXT NOT NULL,
    version TEXT NOT NULL,
    score INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cost REAL,
    judged_at TEXT,
    PRIMARY KEY (trial_id, judge, version)
) WITHOUT ROWID;
"""
_INVOCATIONS = "CREATE TABLE invocations (started_at TEXT, settings TEXT, versions TEXT);"


# What brings a file of that version to the next one.
_MIGRATIONS = {
    1: "ALTER TABLE trials ADD COLUMN own_prompt_tokens INTEGER;"
    " ALTER TABLE trials ADD COLUMN from_cache INTEGER NOT NULL DEFAULT 0;",
    2: _INVOCATIONS,
    3: "ALTER TABLE verdicts RENAME TO old_verdicts;"
    f" {_VERDICTS}"
    " INSERT INTO verdicts SELECT trial_id, judge, version, score, verdict, NULL, NULL, NULL, NULL"
    " FROM old_verdicts; DROP TABLE old_verdicts;",
}


def ensure_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, or bring an older one to this version. Raises RunFileError."""
    if _tables(connection):
        _migrate(connection, check_schema(path, connection))
        return
    schema = f"{_SCHEMA} {_VERDICTS} {_INVOCATIONS} PRAGMA user_version = {SCHEMA_VERSION};"
    connection.executescript(f"BEGIN; {schema} COMMIT;")
    with connection:
        connection.execute("INSERT INTO meta VALUES ('niah', ?)", (orjson.dumps(version("niah")).decode(),))


def check_schema(path: Path, connection: sqlite3.Connection) -> int:
    """The file's version: this one, or an older one that can be read as it is."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != SCHEMA_VERSION and found not in _MIGRATIONS:
        raise RunFileError(f"{path} is not a run file of this version of niah.", "Name another file.")
    return found


def check_free_or_ours(path: Path, connection: sqlite3.Connection) -> None:
    """Raise RunFileError where the file holds something that is no run of this version or an older one."""
    if _tables(connection):
        check_schema(path, connection)


def _tables(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return number


def _migrate(connection: sqlite3.Connection, found: int) -> None:
    """Bring a file to this version: wholly or, when killed, not at all."""
    for old in range(found, SCHEMA_VERSION):
        connection.executescript(f"BEGIN; {_MIGRATIONS[old]} PRAGMA user_version = {old + 1}; COMMIT;")
