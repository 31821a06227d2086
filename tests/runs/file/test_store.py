import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.merge import merge
from niah.runs.file.read import read_run
from niah.runs.file.store import SCHEMA_VERSION, open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from tests.samples import unbuilt

TRIALS = [
    Trial(unbuilt(Case("three-gates", "essays", 700, depth)), parse("topk"), "simulated", 0, 64)
    for depth in (0, 50)
]
VERDICT = Verdict(7, ("50317", "82946"), ("17685",), (), False, "rubric", "1", "2 of 3 found")
FACTS: dict[str, object] = {"judge": "rubric", "strategies": {"topk": "minilm/top-auto/norm"}}
SCORED = TrialResult("scored", "two of them", "", Usage(700, 12, 300), 1.5, 640, verdicts=(VERDICT,))


def test_another_config_is_named(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin(FACTS, TRIALS)
        with pytest.raises(RunFileError, match="was begun with the judge rubric, not other"):
            store.begin({**FACTS, "judge": "other"}, TRIALS)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with (
        open_for_writing(path),
        pytest.raises(RunFileError, match="another niah run"),
        open_for_writing(path),
    ):
        pass


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    with pytest.raises(RunFileError, match="not a run file"), open_for_writing(path):
        pass
    with pytest.raises(RunFileError, match="no such run file"):
        read_run(tmp_path / "none.sqlite")


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A run file with one trial finished and one not."""
    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        store.commit([(TRIALS[0], SCORED)])
    return path


def set_format(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")


@pytest.mark.parametrize("number", [1, 4])
def test_an_older_file_is_named_in_one_line_and_stays_as_it_is(begun: Path, number: int) -> None:
    set_format(begun, number)
    before = begun.read_bytes()
    for opened in (open_for_writing, lambda path: nullcontext(read_run(path))):
        with pytest.raises(RunFileError) as caught, opened(begun):
            pass
        assert (
            caught.value.message
            == f"{begun} is not a run file of this version of niah (format {number}, not {SCHEMA_VERSION})."
        )
        assert "read it with the version that made it" in caught.value.remedy
    assert begun.read_bytes() == before


def test_a_file_that_is_no_run_file_gets_no_lock_beside_it(tmp_path: Path) -> None:
    notes = tmp_path / "notes.sqlite"
    notes.write_text("not a database at all")
    with pytest.raises(RunFileError, match="is not a run file of niah"), open_for_writing(notes):
        pass
    assert list(tmp_path.iterdir()) == [notes]


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    """As a kill between making and filling it leaves it."""
    path = tmp_path / "run.sqlite"
    path.touch()
    with open_for_writing(path):
        assert read_run(path).trials.empty


def test_a_truncated_run_file_is_called_damaged(begun: Path) -> None:
    with begun.open("r+b") as file:
        file.truncate(4096 + 100)
    with pytest.raises(RunFileError, match=r"is damaged: .*\.recover"):
        read_run(begun)


@pytest.mark.parametrize("value", ["", "{"])
def test_a_run_file_whose_word_of_itself_is_no_json_is_one_line(begun: Path, value: object) -> None:
    with closing(sqlite3.connect(begun)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'config'", (value,))
    with pytest.raises(RunFileError, match=r"is damaged: what it says of itself is no JSON"):
        read_run(begun)
    with pytest.raises(RunFileError, match=r"cannot be merged: what it says of itself is no JSON"):
        merge([begun], begun.with_name("merged.sqlite"))


@pytest.mark.parametrize("held", [b"x", b"xy", b"\n", b"a note\n" * 9])
def test_a_file_of_something_else_is_never_written_over(tmp_path: Path, held: bytes) -> None:
    (note := tmp_path / "note.txt").write_bytes(held)
    with pytest.raises(RunFileError, match=r"note\.txt is not a run file of niah"), open_for_writing(note):
        pass
    assert note.read_bytes() == held
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_a_folder_without_room_for_a_lock_is_not_called_busy() -> None:
    with pytest.raises(RunFileError, match=r"cannot be made here"), open_for_writing(Path("/proc/x.sqlite")):
        pass


def test_a_run_file_is_read_where_nothing_can_be_written(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WAL needs files beside the database. Root may write anywhere, so the answer of the system is given."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    before = sorted(begun.parent.iterdir())
    assert len(read_run(begun).trials) == len(TRIALS)
    assert sorted(begun.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("CREATE TRIGGER t AFTER UPDATE ON trials BEGIN DELETE FROM verdicts; END", "trigger"),
        (
            "CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT * FROM r",
            "view",
        ),
        ("CREATE TABLE more (n INTEGER)", "table"),
        ("CREATE INDEX i ON trials (abs(repeat))", "index"),
    ],
)
def test_a_file_that_does_something_by_itself_is_refused(tmp_path: Path, statement: str, kind: str) -> None:
    path = tmp_path / "run.sqlite"
    with open_for_writing(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    for opened in (lambda: read_run(path), lambda: open_for_writing(path).__enter__()):
        with pytest.raises(RunFileError, match=f"holds a {kind} called"):
            opened()
