"""What is read from a run file: the verdicts that count, and values that its columns do not take."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.runs.file.read import read_run
from niah.runs.file.store import JudgedAnswer, open_for_writing
from niah.runs.trial import rows_of
from tests.runs.simulated_nights import write_night


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
