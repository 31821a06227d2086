"""A run file's writer. What a stranger's file may not do to it is in tests/cli/hostile."""

from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
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


def test_another_config_is_named_and_a_second_writer_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        with pytest.raises(RunFileError, match="was begun with the judge rubric, not other"):
            store.begin({**FACTS, "judge": "other"}, TRIALS)
        with pytest.raises(RunFileError, match="being written by another niah run"), open_for_writing(path):
            pass


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    """As a kill between making and filling it leaves it."""
    path = tmp_path / "run.sqlite"
    path.touch()
    with open_for_writing(path):
        assert read_run(path).trials.empty


@pytest.mark.parametrize("held", [b"x", b"xy", b"\n", b"a note\n" * 9, b"not a database at all"])
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WAL needs files beside the database. Root may write anywhere, so the answer of the system is given."""
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin(FACTS, TRIALS)
        store.commit([(TRIALS[0], SCORED)])
    monkeypatch.setattr("os.access", lambda path, mode: False)
    before = sorted(tmp_path.iterdir())
    assert len(read_run(tmp_path / "run.sqlite").trials) == len(TRIALS)
    assert sorted(tmp_path.iterdir()) == before
