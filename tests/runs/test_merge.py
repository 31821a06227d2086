"""Shards that were really run, put together."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.config import RunConfig
from niah.runs.file.merge import merge
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials, run_facts
from niah.runs.trial import TrialResult, rows_of

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 640]
depths: [0, 50, 100]
"""
CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 2\n"
PLANNED = 12
VERDICT = Verdict(10, ("a",), (), (), False, "rubric", "1", "all found")
SCORED = TrialResult("scored", "an answer", "", Usage(700, 12), 1.5, 640, verdicts=(VERDICT,))
FAILED = replace(SCORED, outcome="reader_error", verdicts=(), answer="", reason="no")

BODY = json.dumps(
    dict.fromkeys(("found", "missing", "wrong", "evidence"), ())
    | dict.fromkeys(("value", "unsure", "own_score"))
    | {"self_doubt": False, "reason": ""}
)
"""Of a verdict that says nothing but its score."""


@pytest.fixture(autouse=True)
def _in_a_folder(in_folder: Path) -> None:
    Path("grid.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG)


def config() -> RunConfig:
    return load_config(
        "small.yaml", {"readers": [{"model": "simulated", "api_base": "http://127.0.0.1:1/v1"}]}, by_hand=True
    )


def entered(name: str, results: dict[int, TrialResult]) -> Path:
    """A run file with results by the place of their trials, finished in this order."""
    run, path = config(), Path(name)
    planned = plan_trials(run).trials
    with open_for_writing(path) as store:
        store.begin(run_facts(run, planned), planned)
        for place, result in results.items():
            store.commit([(planned[place], result)])
    return path


@contextmanager
def changed(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as db, db:
        yield db


def stamp(path: Path, place: int, finished_at: str) -> None:
    with changed(path) as db:
        trial = plan_trials(config()).trials[place].trial_id
        db.execute("UPDATE trials SET finished_at = ? WHERE trial_id = ?", (finished_at, trial))


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "judged_at"]
        return db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()


def outcomes(path: Path) -> dict[str, tuple[str, str]]:
    return {one.trial_id: (one.outcome, one.answer) for one in rows_of(read_run(path).trials)}


@pytest.mark.parametrize("turned", [False, True])
def test_which_of_two_is_kept(turned: bool) -> None:
    late, early = (replace(SCORED, answer=when) for when in ("late", "early"))
    failed_late, failed_early = (replace(FAILED, reason=when) for when in ("late", "early"))
    one = entered("one.sqlite", {0: FAILED, 1: late, 2: failed_late, 3: SCORED})
    two = entered("two.sqlite", {0: late, 1: early, 2: failed_early})
    for path, place, hour in ((one, 0, 1), (one, 1, 2), (one, 2, 2), (two, 0, 2), (two, 1, 1), (two, 2, 1)):
        stamp(path, place, f"2026-01-01T0{hour}:00:00.000Z")
    merged = merge([two, one] if turned else [one, two], Path("merged.sqlite"))
    assert (merged.trials, merged.finished, merged.dropped) == (PLANNED, 4, 3)
    ids = [trial.trial_id for trial in plan_trials(config()).trials]
    found = outcomes(Path("merged.sqlite"))
    assert [found[ids[place]] for place in range(5)] == [
        ("scored", "late"),  # later, but the other one failed
        ("scored", "early"),
        ("reader_error", ""),
        ("scored", "an answer"),
        ("not_run", ""),
    ]
    reasons = {row[1]: row[9] for row in rows(Path("merged.sqlite"), "trials")}
    assert reasons[ids[2]] == "early"
    # As planned, and one verdict for each scored trial.
    assert list(found) == ids
    assert {row[0] for row in rows(Path("merged.sqlite"), "verdicts")} == {ids[0], ids[1], ids[3]}


@pytest.mark.parametrize("turned", [False, True])
def test_verdicts_go_with_the_answers_that_they_judge(turned: bool) -> None:
    planned = plan_trials(config()).trials
    one = entered("one.sqlite", {0: SCORED, 1: replace(SCORED, answer="late")})
    two = entered("two.sqlite", {0: SCORED, 1: SCORED})
    stamp(one, 1, "2030-01-01T00:00:00.000Z")
    for path in (one, two):
        with changed(path) as db:
            judge = f"judge of {path}"
            for trial in planned[:2]:
                db.execute(
                    "INSERT INTO verdicts (trial_id, judge, version, score, body, judged_at)"
                    " VALUES (?, ?, '1', 7, ?, '2026-11-28')",
                    (trial.trial_id, judge, BODY),
                )
    merge([two, one] if turned else [one, two], Path("merged.sqlite"))
    judges = {(row[0], row[1]) for row in rows(Path("merged.sqlite"), "verdicts")}
    assert judges == {
        (planned[0].trial_id, "rubric"),
        (planned[0].trial_id, "judge of one.sqlite"),
        (planned[0].trial_id, "judge of two.sqlite"),
        # One's answer to this one came later, and was dropped with what was said of it.
        (planned[1].trial_id, "rubric"),
        (planned[1].trial_id, "judge of two.sqlite"),
    }


def wrong(kind: str) -> list[Path]:
    good, bad = entered("good.sqlite", {0: SCORED}), Path("bad.sqlite")
    match kind:
        case "never begun":
            with open_for_writing(bad):
                pass
        case "another config":
            Path("small.yaml").write_text(CONFIG.replace("repeats: 2", "repeats: 1"))
            entered("bad.sqlite", {})
        case "twice":
            return [good, Path("..", good.resolve().parent.name, "good.sqlite")]
        case "twice by a link":
            bad.symlink_to(good)
    return [good, bad]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("never begun", "bad.sqlite holds no run"),
        ("another config", r"another config than good.sqlite \(it differs in: repeats\)"),
        ("twice", "good.sqlite is named twice"),
        ("twice by a link", "bad.sqlite is named twice"),
    ],
)
def test_wrong_input_writes_nothing(kind: str, says: str) -> None:
    paths = wrong(kind)
    present = sorted(Path().iterdir())
    with pytest.raises(RunFileError, match=says) as caught:
        merge(paths, Path("out", "merged.sqlite"))
    assert "\n" not in str(caught.value)
    assert [path for path in sorted(Path().iterdir()) if path.name != "out"] == present
    assert list(Path("out").glob("*")) == []
