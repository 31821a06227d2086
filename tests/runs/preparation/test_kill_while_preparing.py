"""A run that is killed while a model prepares, and started again: what was kept is not paid for twice."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from niah.runs.execution.cache import ResponseCache
from tests.caches import fresh_cache
from tests.runs.preparation.scripted_model import scripted

SUITE = "{haystacks: [essays], needle_sets: [three-gates], lengths: [2000, 6000], depths: [50]}"
_DELAY_S = 0.2


def started(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "niah", "run", "small.yaml", "--out", "small.sqlite"]
    environment = {**os.environ, "NIAH_CACHE": str(folder / "cache")}
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere, stderr=nowhere)


def kept(folder: Path) -> int:
    with sqlite3.connect(folder / "cache" / ResponseCache("preparations").path.name) as db:
        return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


@pytest.mark.slow
def test_no_reply_that_was_kept_is_paid_for_twice(tmp_path: Path) -> None:
    fresh_cache(tmp_path / "cache")
    (tmp_path / "grid.yaml").write_text(SUITE)
    with scripted() as model:
        reader = f"{{model: scripted, api_base: {model.base_url}, concurrency: 4}}"
        (tmp_path / "small.yaml").write_text(
            f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: [tree-index, readagent]\n"
        )
        model.delay_s, process = _DELAY_S, started(tmp_path)
        while not model.asked and process.poll() is None:
            time.sleep(0.01)
        time.sleep(2 * _DELAY_S)
        assert process.poll() is None, "killed midway"
        process.kill()
        process.wait()
        time.sleep(2 * _DELAY_S)  # the endpoint answers what it was asked all the same
        # What was under way is asked again, four calls at most.
        assert len(model.prepared) - kept(tmp_path) <= 4
        model.delay_s = 0.0
        assert started(tmp_path).wait() == 0
        different = {prompt for prompt, *_ in model.prepared}
        assert len(different) > 20
        assert len(model.prepared) - len(different) <= 4
