"""A run on a Ray cluster of one node gives what a run on this machine gives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from tests.contract.conftest import Endpoint, run_niah, start_niah
from tests.contract.ledger import GRID, RIGHT, by_trial, exported, make_world


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Ray node, started for this test; without ray the test is skipped."""
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # its sockets' names may not be long
    size = {"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False}
    yield ray.init(**size, _temp_dir=folder, logging_level=50).address_info["gcs_address"]
    ray.shutdown()
    rmtree(folder, ignore_errors=True)


def test_a_cluster_gives_the_same_trials(folder: Path, endpoint: Endpoint, cluster: str) -> None:
    make_world(folder, GRID.replace("[20]", "[0, 50, 100]"))
    endpoint.models["m"] = lambda prompt: prompt[-500:-300] + RIGHT
    reader = ("--model", "m", "--api-base", endpoint.base)
    asked = ("run", "--suite", "grid.yaml", "--strategies", "lc,bm25/top-3/norm@100", *reader)
    near = run_niah(*asked, "--out", "near.sqlite", cwd=folder)
    env = {"RAY_ADDRESS": cluster}
    far = start_niah(*asked, "--on", "ray", "--out", "far.sqlite", cwd=folder, env=env)
    _, said = far.communicate(timeout=200)
    assert (near.code, far.returncode, len(endpoint.posts)) == (0, 0, 12), said
    rows = by_trial(exported(folder, "near.sqlite"))
    assert rows == by_trial(exported(folder, "far.sqlite"))
    assert len(rows) == 6
