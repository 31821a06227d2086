"""A run on a Ray cluster of one node gives what a run on this machine gives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from tests.contract.conftest import run_niah, start_niah
from tests.contract.ledger import GRID, RIGHT, by_trial, make_world, serving_models


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a Ray node, started for this test; without ray the test is skipped."""
    pytest.importorskip("ray")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Ray keeps sockets in this folder, whose names may not be long.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    ray = str(Path(sys.executable).with_name("ray"))
    size = ("--num-cpus=2", "--object-store-memory=100000000", "--include-dashboard=false")
    command = [ray, "start", "--head", f"--port={port}", *size, f"--temp-dir={folder}", "--block"]
    env = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    node = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        end = time.monotonic() + 120
        while _is_free(port) and time.monotonic() < end:
            time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        os.killpg(node.pid, 9)
        node.wait(timeout=60)
        rmtree(folder, ignore_errors=True)


def test_a_cluster_gives_the_same_trials(tmp_path: Path, cluster: str) -> None:
    make_world(tmp_path, GRID.replace("[20]", "[0, 50, 100]"))
    with serving_models() as endpoint:
        endpoint.models["m"] = lambda prompt: prompt[-500:-300] + RIGHT
        asked = (
            f"run --suite grid.yaml --strategies lc,bm25/top-3/norm@100 --model m --api-base {endpoint.base}"
        )
        near = run_niah(*asked.split(), "--out", "near.sqlite", cwd=tmp_path)
        env = {"RAY_ADDRESS": cluster, "RAY_USAGE_STATS_ENABLED": "0"}
        far = start_niah(*asked.split(), "--on", "ray", "--out", "far.sqlite", cwd=tmp_path, env=env)
        _, said = far.communicate(timeout=200)
        assert (near.code, far.returncode, len(endpoint.posts)) == (0, 0, 12), said
    rows = [by_trial(run_niah("export", f"{name}.sqlite", cwd=tmp_path).rows) for name in ("near", "far")]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 6
