"""A run that is killed while a model prepares, and started again: what was kept is not paid for twice."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from niah.runs.execution.cache import response_cache
from tests.caches import fresh_cache
from tests.runs.preparation.scripted_model import ScriptedModel, scripted

SUITE = """
haystacks: [essays]
needle_sets: [three-gates]
lengths: [2000, 6000]
depths: [50]
"""
_DELAY_S = 0.2
_SOON_S = 1.0


@dataclass
class Kills:
    """What kills left.

    Attributes:
        midway: kills of a run that had not ended.
        most_lost: replies that were sent and not kept, of one kill.
        twice: replies to prompts that were answered before.
        exit_code: of the run that was left alone.
        calls: different prompts, in the end.
    """

    midway: int
    most_lost: int
    twice: int
    exit_code: int
    calls: int


def killed_while_preparing(folder: Path, model: ScriptedModel, kills: int) -> Kills:
    """So many kills at any moment after the first call of a run, then an undisturbed end."""
    (folder / "grid.yaml").write_text(SUITE)
    reader = f"{{model: scripted, api_base: {model.base_url}, concurrency: 4}}"
    (folder / "small.yaml").write_text(
        f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: [tree-index, readagent]\n"
    )
    model.delay_s, rng = _DELAY_S, random.Random(kills)
    midway = lost = most_lost = 0
    for _ in range(kills):
        before, process = len(model.asked), _started(folder)
        while len(model.asked) == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, _SOON_S))
        midway += process.poll() is None
        process.kill()
        process.wait()
        time.sleep(2 * _DELAY_S)  # the endpoint answers what it was asked all the same
        before_it, lost = lost, len(model.prepared) - _kept(folder)
        most_lost = max(most_lost, lost - before_it)
    model.delay_s = 0.0
    last = _started(folder)
    last.wait()
    times = Counter(prompt for prompt, *_ in model.prepared)
    return Kills(midway, most_lost, sum(times.values()) - len(times), last.returncode, len(times))


def _started(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "niah", "run", "small.yaml", "--out", "small.sqlite"]
    environment = {**os.environ, "NIAH_CACHE": str(folder / "cache")}
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere, stderr=nowhere)


def _kept(folder: Path) -> int:
    path = folder / "cache" / response_cache("preparations").path.name
    if not path.exists():
        return 0
    with sqlite3.connect(path) as db:
        return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


@pytest.mark.slow
def test_no_reply_that_was_kept_is_paid_for_twice(tmp_path: Path) -> None:
    fresh_cache(tmp_path / "cache")
    with scripted() as model:
        kills = killed_while_preparing(tmp_path, model, 1)
        assert kills.exit_code == 0
        assert kills.midway
        assert kills.calls > 20
        # What was under way is asked again, four calls at most each time.
        assert kills.most_lost <= 4
        assert kills.twice <= 4
