"""A run file: what is written, read and merged. What strangers' files may not do: cli/test_hostile.py."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Score, Verdict
from niah.readers.reader import Usage
from niah.runs.config import RunConfig
from niah.runs.file.merge import merge
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials, run_facts
from niah.runs.trial import Trial, TrialResult, rows_of
from niah.strategies.strategy import parse
from tests.samples import unbuilt

READER = "simulated"


def write_night(folder: Path, day: date | str, scores: Sequence[Score | None], version: str = "3") -> Path:
    """Write nightly-DAY.sqlite, and return its path.

    Args:
        scores: of anchor cases, of seeds 1, 2, ...; None is a refusal.
        version: of the rubric.
    """
    path, lc = folder / f"nightly-{day}.sqlite", parse("lc")
    samples = [unbuilt(Case("ferry-lanterns", "essays", 1000, 50, seed)) for seed, _ in enumerate(scores, 1)]
    trials = [Trial(sample, lc, READER, 0, 64) for sample in samples]
    refusal = TrialResult("refused", "simulated", "", Usage(1000, 10, 0), 2.0, 900)
    results = [
        replace(
            refusal,
            outcome="scored",
            verdicts=(Verdict(score, (), (), (), False, "rubric", version, "as chosen"),),
        )
        if score
        else refusal
        for score in scores
    ]
    facts: dict[str, object] = {"suite": "simulated", "readers": [READER], "judge": "rubric"}
    with open_for_writing(path) as store:
        store.begin({**facts, "strategies": {"lc": lc.definition}}, trials)
        store.commit(list(zip(trials, results, strict=True)))
    return path


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
        with pytest.raises(RunFileError, match=r"judge rubric, not other.*--primary .with --api-base"):
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
    assert found[0].verdicts == (VERDICT,)


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
            store.add_verdicts([(first.trial_id, verdict, first.answer, key)])
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
    assert "--judge NAME adds another's" in none.value.remedy
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


SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512, 640], depths: [0, 50, 100]}"
CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 2\n"
PLANNED = 12
ALL_FOUND = Verdict(10, ("a",), (), (), False, "rubric", "1", "all found")
ANSWERED = TrialResult("scored", "an answer", "", Usage(700, 12), 1.5, 640, verdicts=(ALL_FOUND,))
FAILED = replace(ANSWERED, outcome="reader_error", verdicts=(), answer="", reason="no")

BODY = json.dumps(
    dict.fromkeys(("found", "missing", "wrong"), ())
    | dict.fromkeys(("value", "unsure", "own_score"))
    | {"self_doubt": False, "reason": ""}
)
"""Of a verdict that says nothing but its score."""


@pytest.fixture
def configured(in_folder: Path) -> None:
    Path("grid.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG)


def config() -> RunConfig:
    reader = {"model": "simulated", "api_base": "http://127.0.0.1:1/v1"}
    return load_config("small.yaml", {"readers": [reader]}, by_hand=True)


def entered(name: str, results: dict[int, TrialResult]) -> Path:
    """A run file with results by the place of their trials, finished in this order."""
    run, path = config(), Path(name)
    plan = plan_trials(run)
    planned = plan.trials
    with open_for_writing(path) as store:
        store.begin(run_facts(run, plan), planned)
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


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize("turned", [False, True])
def test_which_of_two_is_kept(turned: bool) -> None:
    late, early = (replace(ANSWERED, answer=when) for when in ("late", "early"))
    failed_late, failed_early = (replace(FAILED, reason=when) for when in ("late", "early"))
    one = entered("one.sqlite", {0: FAILED, 1: late, 2: failed_late, 3: ANSWERED})
    two = entered("two.sqlite", {0: late, 1: early, 2: failed_early})
    for path, place, hour in ((one, 0, 1), (one, 1, 2), (one, 2, 2), (two, 0, 2), (two, 1, 1), (two, 2, 1)):
        stamp(path, place, f"2026-01-01T0{hour}:00:00.000Z")
    for path in (one, two):
        with open_for_writing(path) as store:
            store.note("stopped", {f"reader of {path}": "gone"})
            store.note("traits", {f"{path}": {"cache": "cold", "engine": "e", "at_once": 1}})
            store.record("readers", "r", {"api_base": f"{path}"} | ({} if path == one else {"not_sent": "n"}))
    assert len(merge([one], Path("alone.sqlite")).run.latest_first) == 4
    merged = merge([two, one] if turned else [one, two], Path("merged.sqlite"))
    run = merged.run
    assert (len(run.planned), len(run.latest_first), merged.dropped) == (PLANNED, 4, 3)
    assert run.stopped == {f"reader of {path}": "gone" for path in (one, two)}
    (differs,) = merged.differences
    assert differs.startswith("r had other settings (api_base) in ")
    run = read_run(Path("merged.sqlite"))
    assert run.readers["r"]["api_base"] == f"{two if turned else one}"
    assert {*run.traits} == {"one.sqlite", "two.sqlite"}
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


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize("turned", [False, True])
def test_verdicts_go_with_the_answers_that_they_judge(turned: bool) -> None:
    planned = plan_trials(config()).trials
    one = entered("one.sqlite", {0: ANSWERED, 1: replace(ANSWERED, answer="late")})
    two = entered("two.sqlite", {0: ANSWERED, 1: ANSWERED})
    stamp(one, 1, "2030-01-01T00:00:00.000Z")
    for path in (one, two):
        with changed(path) as db:
            columns = "trial_id, judge, version, score, body, judged_at"
            given = [(trial.trial_id, f"judge of {path}", BODY) for trial in planned[:2]]
            db.executemany(f"INSERT INTO verdicts ({columns}) VALUES (?, ?, '1', 7, ?, '2026-11-28')", given)
        with open_for_writing(path) as store:
            store.note("primary", f"judge of {path if turned else one}")  # of all files, or of none
    merge([two, one] if turned else [one, two], Path("merged.sqlite"))
    assert read_run(Path("merged.sqlite")).judge == ("rubric" if turned else "judge of one.sqlite")
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
    good, bad = entered("good.sqlite", {0: ANSWERED}), Path("bad.sqlite")
    if kind == "never begun":
        with open_for_writing(bad):
            pass
    elif kind == "another config":
        Path("small.yaml").write_text(CONFIG.replace("repeats: 2", "repeats: 1"))
        entered("bad.sqlite", {})
    elif kind == "twice":
        bad = Path("..", good.resolve().parent.name, "good.sqlite")
    else:
        bad.symlink_to(good)
    return [good, bad]


@pytest.mark.usefixtures("configured")
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
