import sqlite3
from pathlib import Path

import pytest

from niah.errors import RunFileError
from niah.judges.rubric import RUBRIC
from niah.judges.verdict import Verdict
from niah.runs.file.read import read_run, read_scored_by
from niah.runs.file.store import open_for_writing
from tests.plots.html.simulated_run import Size, write_run

SIZE = Size(lengths=(512,), depths=(0,), readers=("simulated",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a night.sqlite"
    write_run(path, SIZE, dict.fromkeys(range(6), "347 lanterns"))
    return path


def test_the_verdicts_of_the_runs_own_judge_come_first_and_the_latest_before_it(path: Path) -> None:
    first = read_run(path).records[0]
    with open_for_writing(path) as store:
        for judge, version in (("a-model", "1"), ("a-model", "2"), ("rubric", "99")):
            store.add_verdicts([(first.trial_id, Verdict(1, (), ("347",), (), True, judge, version, "no"))])
    told = [(one.judge, one.version) for one in read_run(path).records[0].verdicts]
    assert told == [("rubric", "99"), ("rubric", RUBRIC.version), ("a-model", "2"), ("a-model", "1")]


@pytest.mark.parametrize(
    ("judge", "remedy"),
    [
        ("squad-f1", "niah judge '{path}' --judge squad-f1 adds them"),
    ],
)
def test_scores_of_a_judge_that_judged_nothing(path: Path, judge: str, remedy: str) -> None:
    with pytest.raises(RunFileError) as raised:
        read_scored_by(path, judge)
    assert "it has those of rubric." in raised.value.message
    assert remedy.format(path=path) in raised.value.remedy


def test_scores_of_another_judge_leave_out_what_it_has_not_judged(path: Path) -> None:
    first = read_run(path).records[0]
    with open_for_writing(path) as store:
        store.add_verdicts([(first.trial_id, Verdict(1, (), ("347",), (), True, "a-model", "1", "no"))])
    run = read_scored_by(path, "a-model")
    assert [(record.trial_id, record.score) for record in run.records] == [(first.trial_id, 1)]
    assert run.trials["score"].tolist() == [1]


def test_a_file_that_does_not_know_its_chunks(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE trials SET retrieval = json_remove(retrieval, '$.best')")
    assert all(record.best is None for record in read_run(path).records)


def test_nothing_is_written(path: Path) -> None:
    before = path.read_bytes()
    read_run(path)
    assert path.read_bytes() == before
