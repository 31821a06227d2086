from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from tests.conftest import SimulatedServer, simulating

SUITE = """\
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512, 1024]
depths: [0, 100]
seeds: [1, 2, 3, 4]
"""
TRIALS = 64


def reader_at(server: SimulatedServer) -> dict[str, str]:
    """The simulated reader, as a run config would have it."""
    return {"model": "simulated", "api_base": server.base_url}


@pytest.fixture(scope="session")
def simulated() -> Iterator[SimulatedServer]:
    with simulating() as server:
        yield server


@pytest.fixture(scope="session")
def _asked(simulated: SimulatedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run config, its suite, and its run file."""
    import niah

    folder = tmp_path_factory.mktemp("asked")
    with chdir(folder):
        Path("cases").mkdir()
        Path("cases/small.yaml").write_text(SUITE)
        Path("runs").mkdir()
        address = f"{{model: simulated, api_base: '{simulated.base_url}'}}"
        Path("runs/small-run.yaml").write_text(
            f"suite: small\nreaders: [{address}]\nstrategies: [lc, bm25/top-5/norm]\n"
        )
        assert niah.run("small-run", progress=False).is_whole
    return folder


@pytest.fixture
def asked(_asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a copy of it."""
    shutil.copytree(_asked, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
