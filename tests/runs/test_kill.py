"""A run that is killed, and started again: nothing lost, nothing paid twice."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
SUITE = """
haystacks: [essays]
needle_sets: [three-gates]
lengths: [512, 640, 768, 896]
depths: [0, 20, 40, 60, 80, 100]
"""
PLANNED = 24


def start(folder: Path, base_url: str) -> subprocess.Popen[str]:
    (folder / "grid.yaml").write_text(SUITE)
    (folder / "small.yaml").write_text(CONFIG)
    command = [
        sys.executable,
        "-m",
        "niah",
        "run",
        "small.yaml",
        "--model",
        "simulated",
        "--api-base",
        base_url,
    ]
    return subprocess.Popen(
        [*command, "--out", "small.sqlite"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
    end = time.monotonic() + 60
    while len(finished(folder)) < trials:
        assert time.monotonic() < end, "the run makes no progress"
        time.sleep(0.02)


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_stopped_and_started_again(tmp_path: Path, simulated_server: Any, stop: signal.Signals) -> None:
    simulated_server.delay_s = 0.3
    process = start(tmp_path, simulated_server.base_url)
    wait_for(tmp_path, 8)
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    kept = finished(tmp_path)
    assert 8 <= len(kept) < PLANNED
    if stop == signal.SIGINT:
        assert process.returncode == 130
        assert f"{len(kept)} of {PLANNED} trials are kept" in said
        assert "Traceback" not in said
    asked_before = len(simulated_server.prompts)

    simulated_server.delay_s = 0.0
    process = start(tmp_path, simulated_server.base_url)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    done = finished(tmp_path)
    assert len(done) == len(set(done)) == PLANNED
    assert set(kept) <= set(done)
    # What had been finished was not asked again; only what was under way when the end came.
    assert len(simulated_server.prompts) - asked_before == PLANNED - len(kept)


def test_two_at_once_do_not_share_a_run_file(tmp_path: Path, simulated_server: Any) -> None:
    simulated_server.delay_s = 2.0
    first = start(tmp_path, simulated_server.base_url)
    wait_for(tmp_path, 1)
    second = start(tmp_path, simulated_server.base_url)
    _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert "being written by another niah run" in said
    simulated_server.delay_s = 0.0
    first.communicate(timeout=120)
    assert len(finished(tmp_path)) == PLANNED
