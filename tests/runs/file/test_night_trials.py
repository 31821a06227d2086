"""What nights are compared by."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from tests.runs.simulated_nights import write_night

DAY = date(2026, 11, 22)


def test_the_latest_verdict_of_the_judge_that_counts(tmp_path: Path) -> None:
    path = write_night(tmp_path, DAY, [10], version="3")
    trial_id = read_run(path).records[0].trial_id
    with open_for_writing(path) as store:
        store.add_verdicts([(trial_id, Verdict(3, (), (), (), False, "other", "1", ""))])
        store.add_verdicts([(trial_id, Verdict(5, (), (), (), False, "rubric", "4", ""))])
    night = read_run(path)
    assert (night.records[0].score, night.judge, night.records[0].verdicts[0].version) == (5, "rubric", "4")
    with open_for_writing(path) as store:
        store.make_primary("other")
    assert (read_run(path).records[0].score, read_run(path).judge) == (3, "other")


def test_an_answer_that_the_judge_has_not_judged_has_no_score(tmp_path: Path) -> None:
    path = write_night(tmp_path, DAY, [10])
    with open_for_writing(path) as store:
        store.make_primary("other")
    assert [(r.outcome, r.score) for r in read_run(path).records] == [("judge_error", None)]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE samples SET body = '{}'", "UPDATE verdicts SET body = '{'", "DELETE FROM questions"],
)
def test_a_damaged_file_is_one_line(tmp_path: Path, statement: str) -> None:
    path = write_night(tmp_path, DAY, [10])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)
    with pytest.raises(RunFileError, match=r"nightly-2026-11-22\.sqlite is damaged: ") as caught:
        read_run(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "value"),
    [("trials.cost", ""), ("trials.prompt_tokens", 0.5), ("trials.outcome", "lost"), ("verdicts.score", 1e9)],
)
def test_a_file_takes_no_value_of_another_type_than_its_columns(
    where: str, value: object, tmp_path: Path
) -> None:
    path = write_night(tmp_path, DAY, [10, 3])
    table, _, column = where.partition(".")
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(f"UPDATE {table} SET {column} = ?", (value,))
