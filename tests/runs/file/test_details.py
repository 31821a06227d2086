import sqlite3
from pathlib import Path

import pytest

from niah.judges.rubric.rubric import RUBRIC
from niah.judges.verdict import Verdict
from niah.runs.file.details import RunData, read_run
from niah.runs.file.store import open_for_reading, open_for_writing
from tests.plots.html.simulated_run import Size, write_run

SIZE = Size(lengths=(512,), depths=(0,), readers=("simulated",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a night.sqlite"
    write_run(path, SIZE, dict.fromkeys(range(6), "347 lanterns"))
    return path


def read(path: Path) -> RunData:
    with open_for_reading(path) as store:
        return read_run(store, store.records())


def test_everything_beside_the_records(path: Path) -> None:
    run = read(path)
    assert (run.name, run.judge) == ("a night", "rubric")
    assert len(run.records) == len(run.details) == 6
    assert {case_id for case_id, _ in run.cases.items()} == {record.case_id for record in run.records}
    assert all(case.case_id == case_id and len(sha256) == 64 for case_id, (case, sha256) in run.cases.items())
    assert run.invocations[0].settings["suite"]["value"] == "simulated"
    for record in run.records:
        details = run.details[record.trial_id]
        assert [verdict.score for verdict in details.verdicts] == [record.score]
        assert (details.best is None) == (details.retrieved is None) == (record.strategy == "lc")
        assert details.retrieved is None or len(details.best or ()) <= details.retrieved


def test_the_verdicts_of_the_runs_own_judge_come_first_and_the_latest_before_it(path: Path) -> None:
    first = read(path).records[0]
    with open_for_writing(path) as store:
        for judge, version in (("a-model", "1"), ("a-model", "2"), ("rubric", "99")):
            store.add_verdict(first.trial_id, Verdict(1, (), ("347",), (), True, judge, version, "no"))
    told = [(one.judge, one.version) for one in read(path).details[first.trial_id].verdicts]
    assert told == [("rubric", "99"), ("rubric", RUBRIC.version), ("a-model", "2"), ("a-model", "1")]


def test_a_file_that_does_not_know_its_chunks(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE trials SET retrieval = json_remove(retrieval, '$.best')")
    assert all(details.best is None for details in read(path).details.values())


def test_nothing_is_written(path: Path) -> None:
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before
