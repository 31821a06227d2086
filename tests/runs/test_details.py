import sqlite3
from pathlib import Path

import orjson
import pytest

from niah.runs.details import RunData, read_run
from niah.runs.store import open_for_reading
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


def test_the_verdict_of_the_runs_own_judge_comes_first(path: Path) -> None:
    trial_id = read(path).records[0].trial_id
    verdict = {
        "score": 1, "found": [], "missing": ["347"], "wrong": [], "self_doubt": True,
        "judge": "a-model", "version": "9", "reason": "no",
    }  # fmt: skip
    with sqlite3.connect(path) as db:
        db.execute(
            "INSERT INTO verdicts (trial_id, judge, version, score, verdict) VALUES (?, 'a-model', '9', 1, ?)",
            (trial_id, orjson.dumps(verdict).decode()),
        )
    verdicts = read(path).details[trial_id].verdicts
    assert [(one.judge, one.missing) for one in verdicts][1] == ("a-model", ("347",))
    assert verdicts[0].judge == "rubric"


def test_a_file_that_does_not_know_its_chunks(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE trials SET retrieval = json_remove(retrieval, '$.best')")
    assert all(details.best is None for details in read(path).details.values())


def test_nothing_is_written(path: Path) -> None:
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before
