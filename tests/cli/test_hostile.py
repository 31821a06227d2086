"""Files that somebody else made on purpose, given to the real command line: one clean line, nothing done."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from niah.cases.prompts import load_prompt
from niah.cli.main import main
from niah.cli.terminal import CleanStream
from tests.conftest import simulating
from tests.examples import mistake_rows

SUITE = "haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [512]\ndepths: [0, 100]\n"
CONFIG = "suite: suite.yaml\nreaders: [{{model: small, api_base: '{address}'}}]\nstrategies: [lc, topk@4]\n"
MOST_LETTERS = 2_500
"""Of a line, which may list all names that ship; a file's own words must not fill the screen."""


class Told:
    """Runs commands, and holds them to one rule: a mistake is one clean line, and nothing is written."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, command: str) -> tuple[int, str, str]:
        """Exit code, output and errors, both without control characters; a mistake has one line."""
        before = _everything()
        # As the console's entry does it.
        with redirect_stdout(CleanStream(sys.stdout)), redirect_stderr(CleanStream(sys.stderr, redraws=True)):
            code = main(command.split())
        out, err = self._capsys.readouterr()
        said = re.sub(r"\x1b\[[0-9;]*m", "", out + err)
        assert all(letter.isprintable() or letter in "\n\t" for letter in said), ascii(said)
        assert code in (0, 1, 2, 3), f"{command!r} ends with {code}"
        if code == 2:
            (line,) = err.splitlines()
            assert line.startswith("niah: ")
            assert len(line) < MOST_LETTERS
            assert out == ""
            assert _everything() == before, f"{command!r} was refused, and wrote"
        return code, out, err

    def refused(self, command: str, says: str = "") -> None:
        """The command has to be refused, in a line that says so."""
        code, out, err = self.run(command)
        assert code == 2, f"{command!r} ends with {code}: {out[:300]} {err[:300]}"
        assert says in err


def _everything() -> dict[Path, int]:
    beside = ("-wal", "-shm", ".lock")
    return {path: path.lstat().st_size for path in Path().rglob("*") if not path.name.endswith(beside)}


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    load_prompt.cache_clear()  # what a process has read it reads no more
    return Told(capsys)


@pytest.fixture(scope="module")
def good_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a finished run, good.sqlite, its suite and its config, whose reader still answers."""
    folder = tmp_path_factory.mktemp("good")
    with simulating() as server, pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        (folder / "suite.yaml").write_text(SUITE)
        (folder / "good.yaml").write_text(CONFIG.format(address=server.base_url))
        assert main(["run", "good.yaml", "--out", "good.sqlite"]) == 0
        yield folder


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
    "its head is something else": lambda path: path.write_bytes(b"\xa5" * 9000 + path.read_bytes()[9000:]),
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


@pytest.fixture
def beside_a_good_run(good_run: Path, in_folder: Path) -> None:
    for file in good_run.iterdir():
        if file.is_file():
            shutil.copy(file, in_folder)
    shutil.copy(good_run / "good.sqlite", in_folder / "bad.sqlite")


def commands(name: str, of: int = 3) -> list[str]:
    """A few of the commands, others for every file."""
    first = sum(name.encode())
    return [READING[(first + step * 3) % len(READING)] for step in range(of)]


@pytest.mark.usefixtures("beside_a_good_run")
@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_run_is_refused_in_a_line(told: Told, name: str) -> None:
    REFUSED[name](Path("bad.sqlite"))
    for command in commands(name):
        if name in ("empty", "a link to itself") and command.startswith("run"):
            continue  # a new run may begin in it
        told.refused(command, "bad.sqlite holds a trigger" if "trigger" in name else "bad.sqlite")


@pytest.mark.usefixtures("beside_a_good_run")
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


GRID = {"haystacks": ["essays"], "needle_sets": ["three-gates"], "lengths": [512], "depths": [50]}
RUN: dict[str, Any] = {
    "suite": "suite.yaml",
    "readers": [{"model": "small", "api_base": "http://127.0.0.1:9"}],
    "strategies": ["lc"],
}
NEEDLES: dict[str, Any] = {
    "question": "Which colour has the gate?",
    "answer": "Moss.",
    "elements": [{"name": "moss"}],
    "needles": [{"text": "The gate is moss.", "elements": ["moss"]}],
}
# Each in another command's file; all that a file of YAML can do is in tests/test_files.py.
FILES: dict[str, bytes] = {
    "a Python object": b"suite: !!python/object/apply:os.system ['touch owned']\n",
    "escapes": f"suite: {ESCAPES}\n".encode(),
    "escapes in a key": f'"{ESCAPES}": 1\n'.encode(),
}
COMMANDS = {
    "suite": "generate bad.yaml --out new.jsonl",
    "run": "plan bad.yaml",
    "reader": "plan bad.yaml",
    "needles": "check bad.yaml",
}
WHOLE = {"suite": GRID, "run": RUN, "reader": RUN["readers"][0], "needles": NEEDLES}


@pytest.fixture
def empty_folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "VLLM_API_KEY"):
        monkeypatch.setenv(variable, "sk-planted-0123456789")
    Path("suite.yaml").write_text(json.dumps(GRID))


def write_bad(kind: str, changed: dict[str, Any]) -> str:
    """bad.yaml (JSON is YAML) with these values in the place of good ones; the command that reads it."""
    values = WHOLE[kind] | changed
    Path("bad.yaml").write_text(json.dumps(RUN | {"readers": [values]} if kind == "reader" else values))
    return COMMANDS[kind]


@pytest.mark.usefixtures("empty_folder")
@pytest.mark.parametrize("kind", WHOLE)
def test_the_good_ones_are_good(told: Told, kind: str) -> None:
    code, _, err = told.run(write_bad(kind, {}))
    assert code == 0, err


@pytest.mark.usefixtures("empty_folder")
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_config_is_refused_in_a_line(told: Told, name: str) -> None:
    Path("bad.yaml").write_bytes(FILES[name])
    commands = sorted({*COMMANDS.values()})
    told.refused(commands[len(name) % len(commands)], "bad.yaml")
    assert not Path("owned").exists()


@pytest.mark.usefixtures("empty_folder")
@pytest.mark.parametrize(("name", "kind", "changed", "says"), mistake_rows("planted"))
def test_what_is_planted_is_refused_in_a_line(
    told: Told, name: str, kind: str, changed: dict[str, Any], says: str
) -> None:
    told.refused(write_bad(kind, changed), says)
