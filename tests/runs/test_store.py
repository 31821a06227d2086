from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.result import Result
from niah.runs.store import open_for_reading, open_for_writing
from niah.runs.trial import Trial
from niah.strategies.facts import RetrievalFacts
from niah.strategies.strategy import parse

TRIALS = [
    Trial(Case("three-gates", "essays", 700, depth), parse("topk"), "simulated", 0, "f", 64)
    for depth in (0, 50)
]
VERDICT = Verdict(7, ("50317", "82946"), ("17685",), (), False, "rubric", "1", "2 of 3 found")
FACTS: dict[str, object] = {"judge": "rubric", "strategies": {"topk": "minilm/top-auto/norm"}}
SCORED = Result(
    outcome="scored",
    verdict=VERDICT,
    error_type="missing_only",
    answer="two of them",
    reason="",
    usage=Usage(700, 12, 300),
    latency_s=1.5,
    context_tokens=640,
    context_sha256="abc",
    retrieval=RetrievalFacts(
        completeness=2 / 3, needle_ranks=(1, 2, None), needle_split=(False, False, True), noise_ratio=0.6,
        retrieved=5, available=9,
    ),
)  # fmt: skip


def test_what_is_finished_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        store.finish(TRIALS[0], SCORED)
    with open_for_reading(path) as store:
        first, second = store.records()
        assert store.finished() == {TRIALS[0].trial_id}
        assert store.cases() == sorted((t.case for t in TRIALS), key=lambda case: case.case_id)
    assert (first.outcome, first.score, first.missing) == ("scored", 7, ("17685",))
    assert (first.judge_scores, first.needle_ranks) == ({"rubric": 7}, (1, 2, None))
    assert (first.prompt_tokens, first.cached_tokens, first.context_tokens) == (700, 300, 640)
    assert (second.outcome, second.score, second.needle_ranks) == ("not_run", None, None)


def test_beginning_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        store.finish(TRIALS[0], SCORED)
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        assert [record.outcome for record in store.records()] == ["scored", "not_run"]


def test_another_config_is_named(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin(FACTS, TRIALS)
        with pytest.raises(RunFileError, match="differs in: judge"):
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
    import sqlite3

    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    with pytest.raises(RunFileError, match="not a run file"), open_for_writing(path):
        pass
    with pytest.raises(RunFileError, match="no such run file"), open_for_reading(tmp_path / "none.sqlite"):
        pass
