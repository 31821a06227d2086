"""A run that is killed many times, and started again: nothing lost, nothing paid twice.

Runs that are stopped once are in tests/contract/test_running.py.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path
from subprocess import Popen

import pytest

from tests.conftest import SimulatedServer
from tests.contract.conftest import start_niah
from tests.contract.ledger import Row, by_trial, exported
from tests.examples import repeats

KILLS = repeats(5, 20)
PLANNED = 400
SUITE = f"""
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: {list(range(400, 800, 20))}
depths: {list(range(0, 100, 5))}
"""
CONCURRENCY = 8
# A kill can lose what is being asked, what is being committed, and what waits for the next commit.
UNDER_WAY = 3 * CONCURRENCY


def start(folder: Path, server: SimulatedServer, out: str) -> Popen[str]:
    asked = ("--suite", "grid.yaml", "--strategies", "lc", "--model", "simulated")
    return start_niah("run", *asked, "--api-base", server.base_url, "--out", out, cwd=folder)


def kill_at_random(process: Popen[str], server: SimulatedServer, rng: random.Random) -> None:
    """SIGKILL at any moment: from the first import on, or a little after the n-th prompt of this start."""
    if rng.random() < 0.4:
        time.sleep(rng.uniform(0, 1.5))
    else:
        prompts = len(server.prompts) + rng.randint(1, 8 * CONCURRENCY)
        while len(server.prompts) < prompts and process.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 1.5 * server.delay_s))
    process.kill()
    process.communicate(timeout=300)


def finished(folder: Path, run: str) -> dict[str, Row]:
    """What a copy of the run file has of its finished trials, with the log that a dead process left."""
    for suffix in ("", "-wal"):
        (folder / f"copy.sqlite{suffix}").unlink(missing_ok=True)
        if (folder / f"{run}{suffix}").exists():
            shutil.copyfile(folder / f"{run}{suffix}", folder / f"copy.sqlite{suffix}")
    # An answer that was cached and not committed when the kill came is committed later, from the cache.
    rows = [row | {"from_cache": None} for row in exported(folder, "copy.sqlite")]
    return by_trial([row for row in rows if row["outcome"] != "not_run"])


@pytest.mark.slow
def test_killed_many_times(in_folder: Path, simulated_server: SimulatedServer) -> None:
    (in_folder / "grid.yaml").write_text(SUITE)
    undisturbed = start(in_folder, simulated_server, "undisturbed.sqlite")
    _, said = undisturbed.communicate(timeout=300)
    assert undisturbed.returncode == 0, said
    assert len(simulated_server.prompts) == len(set(simulated_server.prompts)) == PLANNED
    simulated_server.prompts.clear()

    simulated_server.delay_s, rng = 0.05, random.Random(20)
    kept, killed_midway, lost = dict[str, Row](), 0, 0
    for _ in range(KILLS):
        before = len(simulated_server.prompts)
        kill_at_random(start(in_folder, simulated_server, "killed.sqlite"), simulated_server, rng)
        asked, left = simulated_server.prompts[before:], finished(in_folder, "killed.sqlite")
        assert kept.items() <= left.items(), "a finished trial was lost or changed"
        assert len(asked) == len(set(asked))
        # A reply that an earlier round had cached but not committed is committed now, and not asked again.
        assert len(asked) - (len(left) - len(kept)) <= UNDER_WAY, "more was lost than was under way"
        lost += len(asked) - (len(left) - len(kept))
        killed_midway += bool(asked) and len(left) < PLANNED
        kept = left
    print(f"{killed_midway} of {KILLS} kills midway; {len(kept)} finished, {lost} asked in vain")
    assert killed_midway >= KILLS // 2, "the run was over too soon, or never began"
    assert kept, "no kill left anything to lose"

    simulated_server.delay_s = 0.0
    last = start(in_folder, simulated_server, "killed.sqlite")
    _, said = last.communicate(timeout=300)
    assert last.returncode == 0, said
    assert PLANNED <= len(simulated_server.prompts) <= PLANNED + lost
    expected = finished(in_folder, "undisturbed.sqlite")
    assert {row["outcome"] for row in expected.values()} == {"scored"}
    assert len(expected) == PLANNED
    assert finished(in_folder, "killed.sqlite") == expected
