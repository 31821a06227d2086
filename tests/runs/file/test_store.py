import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import RunFileError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.estimate import Finished
from niah.runs.cost.prices import Price, Rates
from niah.runs.file.queries import read_only
from niah.runs.file.store import open_for_reading, open_for_writing
from niah.runs.result import Result
from niah.runs.trial import Trial
from niah.strategies.facts import RetrievalFacts
from niah.strategies.strategy import parse
from tests.samples import unbuilt

TRIALS = [
    Trial(unbuilt(Case("three-gates", "essays", 700, depth)), parse("topk"), "simulated", 0, 64)
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
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    with pytest.raises(RunFileError, match="not a run file"), open_for_writing(path):
        pass
    with pytest.raises(RunFileError, match="no such run file"), open_for_reading(tmp_path / "none.sqlite"):
        pass


# The schema as version 1 of run files had it, word for word but for the tables that have not changed.
VERSION_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cases (case_id TEXT PRIMARY KEY, recipe TEXT NOT NULL, sha256 TEXT) WITHOUT ROWID;
CREATE TABLE trials (
    place INTEGER PRIMARY KEY,
    trial_id TEXT NOT NULL UNIQUE,
    case_id TEXT NOT NULL REFERENCES cases,
    strategy TEXT NOT NULL,
    definition TEXT NOT NULL,
    reader TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'not_run',
    answer TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    error_type TEXT,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    cost REAL,
    latency_s REAL,
    context_tokens INTEGER,
    retrieval TEXT,
    finished_at TEXT
);
CREATE TABLE verdicts (
    trial_id TEXT NOT NULL REFERENCES trials (trial_id),
    judge TEXT NOT NULL,
    version TEXT NOT NULL,
    score INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    PRIMARY KEY (trial_id, judge)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A run file of version 1: one trial finished, one not."""
    path, now = tmp_path / "old.sqlite", tmp_path / "now.sqlite"
    with open_for_writing(now) as store:
        store.begin(FACTS, TRIALS)
        store.finish(TRIALS[0], SCORED)
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    connection.execute("ATTACH ? AS now", (str(now),))
    for table in ("meta", "cases", "verdicts", "trials"):
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        connection.execute(f"INSERT INTO {table} SELECT {columns} FROM now.{table}")
    connection.commit()
    connection.close()
    return path


def test_a_file_of_the_old_schema_is_read_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    with open_for_reading(old) as store:
        assert [(record.outcome, record.cost) for record in store.records()] == [
            ("scored", None),
            ("not_run", None),
        ]
        assert store.taken() == {
            TRIALS[0].trial_id: Finished("simulated", Usage(700, 12, 300), latency_s=1.5)
        }
    assert old.read_bytes() == before


def test_a_file_of_the_old_schema_goes_on(old: Path) -> None:
    price = Price((Rates(0, Decimal("0.001"), Decimal("0.0005"), Decimal("0.01")),))
    with open_for_reading(old) as store:
        before = store.records()
    for _ in range(2):  # the second time there is nothing left to bring up to date
        with open_for_writing(old) as store:
            store.begin(FACTS, TRIALS)
            store.keep_accounts(BudgetLedger({"simulated": price}))
            assert store.records()[0] == before[0]
            store.finish(TRIALS[1], SCORED)
    with open_for_reading(old) as store:
        # 400 fresh x 0.001 + 300 cached x 0.0005 + 12 x 0.01 = 0.4 + 0.15 + 0.12
        assert [record.cost for record in store.records()] == [None, 0.67]
        assert store.taken()[TRIALS[1].trial_id].own_prompt_tokens is not None
        assert store.records()[0] == before[0]


def test_a_file_that_is_no_run_file_gets_no_lock_beside_it(tmp_path: Path) -> None:
    notes = tmp_path / "notes.sqlite"
    notes.write_text("not a database at all")
    with pytest.raises(RunFileError, match="is not a run file of niah"), open_for_writing(notes):
        pass
    assert list(tmp_path.iterdir()) == [notes]


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    """As a kill between making and filling it leaves it."""
    path = tmp_path / "run.sqlite"
    path.touch()
    with open_for_writing(path) as store:
        assert store.records() == []


def test_a_truncated_run_file_is_called_damaged(old: Path) -> None:
    with old.open("r+b") as file:
        file.truncate(4096 + 100)
    with pytest.raises(RunFileError, match=r"is damaged: .*\.recover"), open_for_reading(old) as store:
        store.records()


def test_a_folder_without_room_for_a_lock_is_not_called_busy() -> None:
    with pytest.raises(RunFileError, match=r"cannot be made here"), open_for_writing(Path("/proc/x.sqlite")):
        pass


def test_a_run_file_is_read_where_nothing_can_be_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WAL needs files beside the database. Root may write anywhere, so the answer of the system is given."""
    with open_for_writing(old):
        pass
    monkeypatch.setattr("os.access", lambda path, mode: False)
    before = sorted(old.parent.iterdir())
    with open_for_reading(old) as store:
        assert len(store.records()) == len(TRIALS)
    with read_only(old) as db:
        assert db.execute("SELECT count(*) FROM trials").fetchone()[0] == len(TRIALS)
    assert sorted(old.parent.iterdir()) == before


def test_a_full_disk_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"

    def begin_without_room() -> None:
        with open_for_writing(path) as store:
            store._db.execute("PRAGMA max_page_count = 1")  # SQLite's own way to have no room
            store.begin({"config": "x" * 10_000}, TRIALS)

    with pytest.raises(RunFileError, match="no space left"):
        begin_without_room()


def test_a_file_of_a_later_version_is_refused(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(RunFileError, match="not a run file of this version"), open_for_writing(old):
        pass
    with pytest.raises(RunFileError, match="not a run file of this version"), open_for_reading(old):
        pass


def test_the_latest_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin(FACTS, TRIALS)
        for trial in TRIALS:
            store.finish(trial, SCORED)
    connection = sqlite3.connect(path)
    for trial, stamp in zip(TRIALS, ("2026-01-01T23:59:59.999Z", "2026-01-02T00:00:00.000Z"), strict=True):
        connection.execute("UPDATE trials SET finished_at = ? WHERE trial_id = ?", (stamp, trial.trial_id))
    connection.commit()
    connection.close()
    with open_for_reading(path) as store:
        assert list(store.taken()) == [trial.trial_id for trial in reversed(TRIALS)]
