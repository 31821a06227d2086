"""Which files of a folder are nights, and which of them can be used."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from niah.errors import UserError
from niah.runs.file.nights import Night, Skipped, night_before, nights
from niah.runs.file.store import open_for_writing


def write(folder: Path, *names: str) -> None:
    for name in names:
        with open_for_writing(folder / name) as store:
            store.begin({"judge": "rubric"}, [])


def test_nights_come_by_date_and_name(tmp_path: Path) -> None:
    write(tmp_path, "b-2026-11-22.sqlite", "a-2026-11-22.sqlite", "b-2025-12-31.sqlite")
    assert nights(tmp_path) == [
        Night("b", date(2025, 12, 31), tmp_path / "b-2025-12-31.sqlite"),
        Night("a", date(2026, 11, 22), tmp_path / "a-2026-11-22.sqlite"),
        Night("b", date(2026, 11, 22), tmp_path / "b-2026-11-22.sqlite"),
    ]


def test_one_run_alone(tmp_path: Path) -> None:
    write(tmp_path, "a-2026-11-22.sqlite", "b-2026-11-22.sqlite", "a-b-2026-11-22.sqlite")
    assert [night.path.name for night in nights(tmp_path, "b")] == ["b-2026-11-22.sqlite"]


def test_another_reader_makes_another_run(tmp_path: Path) -> None:
    write(tmp_path, "a-2026-11-22.sqlite", "a-2026-11-22--openai-gpt-4o.sqlite")
    assert [night.name for night in nights(tmp_path)] == ["a", "a--openai-gpt-4o"]


def test_a_date_may_stand_in_the_name(tmp_path: Path) -> None:
    write(tmp_path, "since-2026-01-01-2026-11-22.sqlite")
    assert [(night.name, night.date) for night in nights(tmp_path)] == [
        ("since-2026-01-01", date(2026, 11, 22))
    ]


def test_other_files_are_no_nights(tmp_path: Path) -> None:
    write(
        tmp_path,
        "quick.sqlite",
        "a-2026-11-22.shard-2-of-8.sqlite",
        "a-2026-11-22--openai-gpt-4.1.shard-2-of-8.sqlite",
        ".a-2026-11-22.sqlite",
        "2026-11-22.sqlite",
        "a-2026-11-22.db",
    )
    (tmp_path / "a-2026-11-23.sqlite-wal").write_text("x")
    (tmp_path / "a-2026-11-23.sqlite").mkdir()
    heard: list[Skipped] = []
    assert nights(tmp_path, skip=heard.append) == []
    assert heard == []
    assert (tmp_path / "quick.sqlite.lock").is_file()


def test_what_cannot_be_used_is_skipped_with_a_reason(tmp_path: Path) -> None:
    write(
        tmp_path, "a-2026-11-20.sqlite", "a-2026-11-22.sqlite", "a-2026-02-30.sqlite", "a-2026-11-24.sqlite"
    )
    (tmp_path / "a-2026-11-21.sqlite").write_bytes(b"no database at all, though long enough to be one")
    (tmp_path / "a-2026-11-23.sqlite").write_bytes(b"")
    with closing(sqlite3.connect(tmp_path / "a-2026-11-24.sqlite")) as db, db:
        db.execute("UPDATE meta SET value = '{' WHERE key = 'config'")
    with open_for_writing(tmp_path / "a-2026-11-25.sqlite"):
        pass
    write(tmp_path, "a-2026-11-26.sqlite")
    with closing(sqlite3.connect(tmp_path / "a-2026-11-26.sqlite")) as db, db:
        db.execute("PRAGMA user_version = 4")
    heard: list[Skipped] = []
    assert [night.date.day for night in nights(tmp_path, skip=heard.append)] == [20, 22]
    assert {skipped.path.name: skipped.reason.split(":")[0] for skipped in heard} == {
        "a-2026-02-30.sqlite": "its name holds a date that is not in the calendar.",
        "a-2026-11-21.sqlite": f"{tmp_path}/a-2026-11-21.sqlite is not a run file of niah",
        "a-2026-11-23.sqlite": f"{tmp_path}/a-2026-11-23.sqlite is empty",
        "a-2026-11-24.sqlite": f"{tmp_path}/a-2026-11-24.sqlite is damaged",
        "a-2026-11-26.sqlite": f"{tmp_path}/a-2026-11-26.sqlite is a run file of an older niah (format 4).",
        "a-2026-11-25.sqlite": "it holds no trials.",
    }


def test_the_night_before_is_the_latest_usable_one(tmp_path: Path) -> None:
    write(tmp_path, *(f"a-2026-11-{day}.sqlite" for day in (18, 20, 22, 23)), "b-2026-11-21.sqlite")
    (tmp_path / "a-2026-11-21.sqlite").write_bytes(b"")
    heard: list[Skipped] = []
    found = night_before(tmp_path, "a", date(2026, 11, 22), heard.append)
    assert found == Night("a", date(2026, 11, 20), tmp_path / "a-2026-11-20.sqlite")
    assert [skipped.path.name for skipped in heard] == ["a-2026-11-21.sqlite"]


def test_the_first_night_has_none_before(tmp_path: Path) -> None:
    write(tmp_path, "a-2026-11-22.sqlite")
    assert night_before(tmp_path, "a", date(2026, 11, 22)) is None


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: no such folder"):
        nights(tmp_path / "nowhere")
