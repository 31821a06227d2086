"""A run file: what is written and read. What a stranger's file may not do is in tests/cli/hostile."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.read import read_run
from niah.runs.file.store import JudgedAnswer, open_for_writing
from niah.runs.trial import Trial, TrialResult, rows_of
from niah.strategies.strategy import parse
from tests.runs.simulated_nights import write_night
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


def test_the_error_type_is_of_the_answer_that_is_stored(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin(FACTS, TRIALS)
        store.commit(
            [(trial, replace(SCORED, answer=said)) for trial, said in zip(TRIALS, "a ", strict=True)]
        )
    found = rows_of(read_run(tmp_path / "run.sqlite").trials)
    assert [one.error_type for one in found] == ["missing_only", "empty"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run with scores of 10 and 3 of the rubric's version 3."""
    return write_night(tmp_path, "2026-11-22", [10, 3], version="3")


def judged(path: Path, *verdicts: tuple[str, str, float]) -> str:
    """Add verdicts on the first trial, whose id is returned: judge, version, score."""
    run = read_run(path)
    first = rows_of(run.trials)[0]
    with open_for_writing(path) as store:
        for judge, version, score in verdicts:
            verdict = Verdict(score, (), ("347",), (), True, judge, version, "no")
            key = run.samples[first.case_id].key
            store.add_verdicts([JudgedAnswer(first.trial_id, verdict, first.answer, key)])
    return str(first.trial_id)


def test_the_latest_verdict_of_the_judge_that_counts_gives_the_score(path: Path) -> None:
    judged(path, ("a-model", "1", 1), ("a-model", "2", 3), ("rubric", "4", 5))
    first, second = rows_of(read_run(path).trials)
    assert (first.error_type, second.error_type) == ("self_doubt_incomplete", "wrong_answer")
    told = [(one.judge, one.version) for one in first.verdicts]
    assert told == [("rubric", "4"), ("rubric", "3"), ("a-model", "2"), ("a-model", "1")]
    assert (first.score, first.judge_scores, second.score) == (5, {"a-model": 3, "rubric": 5}, 3)
    with open_for_writing(path) as store:
        store.note("primary", "a-model")
    outcomes = [(record.outcome, record.score) for record in rows_of(read_run(path).trials)]
    assert outcomes == [("scored", 3), ("judge_error", None)]  # the second it has not judged


def test_scores_of_another_judge_leave_out_what_it_has_not_judged(path: Path) -> None:
    with pytest.raises(RunFileError, match=r"holds no verdict of a-model: it has those of rubric\.") as none:
        read_run(path, "a-model")
    assert "--judge a-model adds them" in none.value.remedy
    first = judged(path, ("a-model", "1", 1))
    run = read_run(path, "a-model")
    assert run.trials[["trial_id", "score"]].to_numpy().tolist() == [[first, 1]]


@pytest.mark.parametrize(
    ("where", "value"),
    [("trials.cost", ""), ("trials.prompt_tokens", 0.5), ("trials.outcome", "lost"), ("verdicts.score", 1e9)],
)
def test_a_file_takes_no_value_of_another_type_than_its_columns(
    where: str, value: object, path: Path
) -> None:
    table, _, column = where.partition(".")
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(f"UPDATE {table} SET {column} = ?", (value,))
