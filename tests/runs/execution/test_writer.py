"""Finished trials on their way into the run file."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.readers.reader import Usage
from niah.runs.execution.writer import Writer
from niah.runs.file.read_model import read_run
from niah.runs.file.store import RunStore, open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from tests.samples import unbuilt

SAMPLE = unbuilt(Case("three-gates", "essays", 700, 50))
TRIALS = [Trial(SAMPLE, parse("lc"), "simulated", n, 64) for n in range(600)]
RESULT = TrialResult("refused", "no", "", Usage(1, 1), 1.0, 640)


def finished_in(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        count = connection.execute("SELECT count(*) FROM trials WHERE outcome <> 'not_run'").fetchone()[0]
    finally:
        connection.close()
    return int(count)


def test_a_trial_is_reported_once_it_is_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    reported: list[Trial] = []

    def report(trial: Trial, result: TrialResult) -> None:
        reported.append(trial)
        assert finished_in(path) >= len(reported)

    async def write(store: RunStore) -> None:
        async with Writer(store, report) as writer:
            for trial in TRIALS:
                await writer.finish(trial, RESULT)

    with open_for_writing(path) as store:
        store.begin({}, TRIALS)
        asyncio.run(write(store))
    assert reported == TRIALS
    assert len(read_run(path).finished()) == len(TRIALS)


def test_what_is_waiting_is_committed_when_the_run_breaks_off(tmp_path: Path) -> None:
    async def write(store: RunStore) -> None:
        async with Writer(store, lambda trial, result: None) as writer:
            for trial in TRIALS[:20]:
                await writer.finish(trial, RESULT)
            raise KeyboardInterrupt

    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin({}, TRIALS)
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(write(store))
    assert finished_in(path) == 20


def test_a_disk_that_fails_ends_the_run(tmp_path: Path) -> None:
    async def write(store: RunStore) -> None:
        async with Writer(store, lambda trial, result: None) as writer:
            for trial in TRIALS:
                await writer.finish(trial, RESULT)

    path = tmp_path / "run.sqlite"
    with open_for_writing(path) as store:
        store.begin({}, TRIALS)
    full = sqlite3.connect(path, check_same_thread=False)
    full.row_factory = sqlite3.Row
    full.execute(f"PRAGMA max_page_count = {full.execute('PRAGMA page_count').fetchone()[0]}")
    try:
        with pytest.raises(sqlite3.OperationalError, match="full"):
            asyncio.run(write(RunStore(path, full)))
    finally:
        full.close()
