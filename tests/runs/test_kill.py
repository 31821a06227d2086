"""A run that is killed, and started again: nothing lost, nothing paid twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from niah.runs.execution.prepare import prepare
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials
from tests.conftest import SimulatedServer
from tests.examples import repeats

CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
SUITE = """
haystacks: [essays]
needle_sets: [three-gates]
lengths: [512, 640, 768, 896]
depths: [0, 20, 40, 60, 80, 100]
"""
PLANNED = 24

KILLS = repeats(5, 20)
MANY_PLANNED = 400
MANY = f"""
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: {list(range(400, 800, 20))}
depths: {list(range(0, 100, 5))}
"""
CONCURRENCY = 8
# A kill can lose what is being asked, what is being committed, and what waits for the next commit.
UNDER_WAY = 3 * CONCURRENCY


def start(
    folder: Path,
    base_url: str,
    suite: str = SUITE,
    out: str = "small.sqlite",
    config: str = CONFIG,
    **environment: str,
) -> subprocess.Popen[str]:
    (folder / "grid.yaml").write_text(suite)
    (folder / "small.yaml").write_text(config)
    command = [sys.executable, "-m", "niah", "run", "small.yaml", "--model", "simulated"]
    return subprocess.Popen(
        [*command, "--api-base", base_url, "--out", out],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        preexec_fn=_hears_signals,
    )


def _hears_signals() -> None:
    """Tests under nohup ignore SIGHUP, tests in the background of a shell SIGINT: so would all they start."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finished(folder: Path) -> list[str]:
    path = folder / "small.sqlite"
    if not path.exists():
        return []
    connection = sqlite3.connect(path)
    try:
        return [
            row[0] for row in connection.execute("SELECT trial_id FROM trials WHERE outcome <> 'not_run'")
        ]
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def wait_for(folder: Path, trials: int) -> None:
    end = time.monotonic() + 300
    while len(finished(folder)) < trials:
        assert time.monotonic() < end, "the run makes no progress"
        time.sleep(0.02)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])  # others: tests/contract
def test_stopped_and_started_again(
    tmp_path: Path, simulated_server: SimulatedServer, stop: signal.Signals
) -> None:
    simulated_server.held_from = 13  # the rest waits, so that there is time to hear the signal
    process = start(tmp_path, simulated_server.base_url)
    wait_for(tmp_path, 8)
    process.send_signal(stop)
    _, said = process.communicate(timeout=300)
    kept = finished(tmp_path)
    assert 8 <= len(kept) < PLANNED
    assert process.returncode == 130
    assert f"{len(kept)} of {PLANNED} trials are finished" in said
    assert "Traceback" not in said
    asked_before = len(simulated_server.prompts)

    simulated_server.held_from = None
    process = start(tmp_path, simulated_server.base_url)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    done = finished(tmp_path)
    assert len(done) == len(set(done)) == PLANNED
    assert set(kept) <= set(done)
    # What had been finished was not asked again; what came just before the end may be kept without its trial.
    assert len(simulated_server.prompts) - asked_before <= PLANNED - len(kept)


def test_two_at_once_do_not_share_a_run_file(tmp_path: Path, simulated_server: SimulatedServer) -> None:
    simulated_server.delay_s = 2.0
    first = start(tmp_path, simulated_server.base_url)
    wait_for(tmp_path, 1)
    simulated_server.delay_s = 3600.0  # until the second has ended, however slow this machine is
    second = start(tmp_path, simulated_server.base_url)
    _, said = second.communicate(timeout=300)
    assert second.returncode == 2
    assert "being written by another niah run" in said
    simulated_server.delay_s = 0.0
    first.communicate(timeout=300)
    assert len(finished(tmp_path)) == PLANNED


def kill_at_random(process: subprocess.Popen[str], server: SimulatedServer, rng: random.Random) -> None:
    """SIGKILL at any moment: from the first import on, or a little after the n-th prompt of this start."""
    asked_before = len(server.prompts)
    if rng.random() < 0.4:
        time.sleep(rng.uniform(0, 1.5))
    else:
        prompts = rng.randint(1, 8 * CONCURRENCY)
        while len(server.prompts) - asked_before < prompts and process.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 1.5 * server.delay_s))
    process.kill()
    process.communicate(timeout=300)


def finished_as_left(folder: Path, path: Path) -> set[str]:
    """Finished trials in a run file as a dead process left it, read from a copy: nothing is mended."""
    copy = folder / "copy.sqlite"
    for suffix in ("", "-wal"):
        (folder / f"copy.sqlite{suffix}").unlink(missing_ok=True)
        if Path(f"{path}{suffix}").exists():
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    if not copy.exists():
        return set()
    connection = sqlite3.connect(copy)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'trials'").fetchall():
            return set()
        rows = connection.execute("SELECT trial_id FROM trials WHERE outcome <> 'not_run'")
        return {trial_id for (trial_id,) in rows}
    finally:
        connection.close()


def outcomes(path: Path) -> list[tuple[object, ...]]:
    """Everything about every trial that must not depend on how often a run was killed."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute(
            "SELECT trials.trial_id, sample_id, samples.body, sha256, strategy, reader, repeat, outcome,"
            " answer, reason, trials.prompt_tokens, trials.completion_tokens, context_tokens, retrieval,"
            " judge, score, verdicts.body"
            " FROM trials JOIN samples USING (sample_id) LEFT JOIN verdicts USING (trial_id) ORDER BY place"
        ).fetchall()
    finally:
        connection.close()


@pytest.mark.slow
def test_killed_many_times(
    tmp_path: Path, simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = start(tmp_path, simulated_server.base_url, MANY, "undisturbed.sqlite")
    _, said = undisturbed.communicate(timeout=300)
    assert undisturbed.returncode == 0, said
    assert len(simulated_server.prompts) == MANY_PLANNED
    simulated_server.prompts.clear()
    monkeypatch.chdir(tmp_path)
    trials = plan_trials(
        load_config(
            "small.yaml",
            {"readers": [{"model": "simulated", "api_base": simulated_server.base_url}]},
            by_hand=True,
        )
    ).trials
    trial_of = {prepare(trial, print).request.prompt: trial.trial_id for trial in trials}
    assert len(trial_of) == len(trials) == MANY_PLANNED

    simulated_server.delay_s = 0.05
    rng = random.Random(20)
    path, kept, killed_midway, lost = tmp_path / "killed.sqlite", set[str](), 0, 0
    asked_ever = set[str]()
    for _ in range(KILLS):
        before = len(simulated_server.prompts)
        kill_at_random(start(tmp_path, simulated_server.base_url, MANY, path.name), simulated_server, rng)
        asked = [trial_of[prompt] for prompt in simulated_server.prompts[before:]]
        left = finished_as_left(tmp_path, path)
        assert kept <= left, "a finished trial was lost"
        assert not kept & set(asked), "a finished trial was asked again"
        assert len(asked) == len(set(asked))
        # A reply that an earlier round had cached but not committed is committed now, and not asked again.
        asked_ever |= set(asked)
        assert left <= asked_ever
        assert len(asked) - len(left - kept) <= UNDER_WAY, "more was lost than was under way"
        lost += len(asked) - len(left - kept)
        killed_midway += bool(asked) and len(left) < MANY_PLANNED
        kept = left
    print(f"{killed_midway} of {KILLS} kills midway; {len(kept)} finished, {lost} asked in vain")
    assert killed_midway >= KILLS // 2, "the run was over too soon, or never began"
    assert kept, "no kill left anything to lose"

    simulated_server.delay_s = 0.0
    last = start(tmp_path, simulated_server.base_url, MANY, path.name)
    _, said = last.communicate(timeout=300)
    assert last.returncode == 0, said
    assert MANY_PLANNED <= len(simulated_server.prompts) <= MANY_PLANNED + lost
    expected = outcomes(tmp_path / "undisturbed.sqlite")
    assert {row[7] for row in expected} == {"scored"}
    assert len(expected) == MANY_PLANNED
    assert outcomes(path) == expected
