"""Run files that were damaged, or made to do harm: one line and exit code 2, or they do nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.hostile.conftest import Told

TABLES = ("meta", "questions", "samples", "trials", "verdicts", "invocations", "preparations")
RECURSIVE = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b31m\u202egnorw\r\x08"
READING = (
    "show bad.sqlite",
    "export bad.sqlite --out new.jsonl",
    "report bad.sqlite --figure heatmaps --out new.png",
    "compare good.sqlite bad.sqlite",
    "merge bad.sqlite --out new.sqlite",
    "judge bad.sqlite --judge rubric",
    "run good.yaml --out bad.sqlite",
)

Damage = Callable[[Path], object]


def sql(*statements: str) -> Damage:
    """Statements that a stranger had SQLite do to the file."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return damage


def overwritten(path: Path) -> None:
    """The first tenth of it is something else."""
    data = path.read_bytes()
    path.write_bytes(b"\xa5" * (len(data) // 10) + data[len(data) // 10 :])


def replaced(make: Callable[[Path], None]) -> Damage:
    """Something else in its place."""

    def damage(path: Path) -> None:
        path.unlink()
        make(path)

    return damage


REFUSED: dict[str, Damage] = {
    **{
        f"trigger {when} {what}": sql(
            f"CREATE TRIGGER t {when} {what} ON trials BEGIN UPDATE trials SET answer = 'mine'; END"
        )
        for when in ("BEFORE", "AFTER")
        for what in ("INSERT", "UPDATE", "DELETE")
    },
    **{
        f"view as {table}": sql(f"ALTER TABLE {table} RENAME TO kept", f"CREATE VIEW {table} AS {RECURSIVE}")
        for table in TABLES
    },
    **{f"without {table}": sql(f"DROP TABLE {table}") for table in TABLES},
    "another table": sql("CREATE TABLE more (n)"),
    "an index": sql("CREATE INDEX i ON trials (abs(repeat))"),
    "a virtual table": sql("CREATE VIRTUAL TABLE f USING fts5(n)"),
    "no column for answers": sql("ALTER TABLE trials RENAME COLUMN answer TO other"),
    "an older format": sql("PRAGMA user_version = 2"),
    "a later format": sql("PRAGMA user_version = 2147483647"),
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"trial_id,score\n1,10\n"),
    "zeros": lambda path: path.write_bytes(bytes(2**20)),
    "a head alone": lambda path: path.write_bytes(b"SQLite format 3\x00"),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "its head is something else": overwritten,
    "/dev/zero": replaced(lambda path: path.symlink_to("/dev/zero")),
    "a link to itself": replaced(lambda path: path.symlink_to("bad.sqlite")),
    "a named pipe": replaced(os.mkfifo),
    "a folder": replaced(Path.mkdir),
}

NO_VALUE = {
    "samples.body": ("{", "[" * 100_000, '{"needles": 1}', "null"),
    "trials.reason": (ESCAPES,),
    "trials.retrieval": ("{", "[" * 100_000, "[1]"),
    "trials.cost": ("-1e308",),
    "verdicts.body": ("{", "[]", '{"elements": 1}'),
    "questions.body": ("{", "null", '{"question": 1}'),
    "meta.value": ("{", "null"),
    "invocations.settings": ("{", "[" * 100_000),
}
"""Values that no run has, by column."""


@pytest.fixture(autouse=True)
def _beside_a_good_run(good_run: Path, in_folder: Path) -> None:
    for file in good_run.iterdir():
        if file.is_file():
            shutil.copy(file, in_folder)
    shutil.copy(good_run / "good.sqlite", in_folder / "bad.sqlite")


def commands(name: str, of: int = 3) -> list[str]:
    """A few of the commands, others for every file."""
    first = sum(name.encode())
    return [READING[(first + step * 3) % len(READING)] for step in range(of)]


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_run_is_refused_in_a_line(told: Told, name: str) -> None:
    REFUSED[name](Path("bad.sqlite"))
    for command in commands(name):
        if name in ("empty", "a link to itself") and command.startswith("run"):
            continue  # a new run may begin in it
        told.refused(command, "bad.sqlite holds a trigger" if "trigger" in name else "bad.sqlite")


@pytest.mark.parametrize(
    ("column", "value"), [(column, value) for column, values in NO_VALUE.items() for value in values]
)
def test_a_value_that_no_run_has_costs_a_line_at_most(told: Told, column: str, value: str) -> None:
    table, name = column.split(".")
    with closing(sqlite3.connect("bad.sqlite")) as connection:
        connection.execute(f"UPDATE {table} SET {name} = ?", [value])
        connection.commit()
    for command in commands(column + value[:20]):
        told.run(command)
