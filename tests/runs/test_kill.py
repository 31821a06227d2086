"""A run that is killed many times, and started again: nothing lost, nothing paid twice.

Runs that are stopped once are in tests/contract/test_running.py.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from niah.runs.execution.prepare import prepare
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials
from tests.conftest import SimulatedServer
from tests.examples import repeats

CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
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


def start(folder: Path, base_url: str, out: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "niah", "run", "small.yaml", "--model", "simulated", "--out", out]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*command, "--api-base", base_url], cwd=folder, stdout=pipe, stderr=pipe, text=True
    )


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
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'trials'").fetchall():
            return set()
        rows = db.execute("SELECT trial_id FROM trials WHERE outcome <> 'not_run'")
        return {trial_id for (trial_id,) in rows}


def outcomes(path: Path) -> list[tuple[object, ...]]:
    """Everything about every trial that must not depend on how often a run was killed."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return db.execute(
            "SELECT trials.trial_id, sample_id, samples.body, sha256, strategy, reader, repeat, outcome,"
            " answer, reason, trials.prompt_tokens, trials.completion_tokens, context_tokens, retrieval,"
            " judge, score, verdicts.body"
            " FROM trials JOIN samples USING (sample_id) LEFT JOIN verdicts USING (trial_id) ORDER BY place"
        ).fetchall()


@pytest.mark.slow
def test_killed_many_times(in_folder: Path, simulated_server: SimulatedServer) -> None:
    (in_folder / "grid.yaml").write_text(MANY)
    (in_folder / "small.yaml").write_text(CONFIG)
    undisturbed = start(in_folder, simulated_server.base_url, "undisturbed.sqlite")
    _, said = undisturbed.communicate(timeout=300)
    assert undisturbed.returncode == 0, said
    assert len(simulated_server.prompts) == MANY_PLANNED
    simulated_server.prompts.clear()
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
    path, kept, killed_midway, lost = in_folder / "killed.sqlite", set[str](), 0, 0
    asked_ever = set[str]()
    for _ in range(KILLS):
        before = len(simulated_server.prompts)
        kill_at_random(start(in_folder, simulated_server.base_url, path.name), simulated_server, rng)
        asked = [trial_of[prompt] for prompt in simulated_server.prompts[before:]]
        left = finished_as_left(in_folder, path)
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
    last = start(in_folder, simulated_server.base_url, path.name)
    _, said = last.communicate(timeout=300)
    assert last.returncode == 0, said
    assert MANY_PLANNED <= len(simulated_server.prompts) <= MANY_PLANNED + lost
    expected = outcomes(in_folder / "undisturbed.sqlite")
    assert {row[7] for row in expected} == {"scored"}
    assert len(expected) == MANY_PLANNED
    assert outcomes(path) == expected
