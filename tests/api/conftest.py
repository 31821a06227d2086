from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from tests.api.nights import FIRST, PLANNED, Nights
from tests.conftest import SimulatedServer, simulating


@pytest.fixture(scope="session")
def _server() -> Iterator[SimulatedServer]:
    with simulating() as server:
        yield server


@pytest.fixture(scope="session")
def _first_night(_server: SimulatedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run file of a night that nothing is compared with."""
    folder, nights = tmp_path_factory.mktemp("first-night"), Nights(_server)
    with chdir(folder):
        nights.write_config()
        verdict = nights.run(FIRST)
    assert (verdict.kind, verdict.comparisons, verdict.scored) == ("no regression", {}, PLANNED)
    return folder / nights.path(FIRST)


@pytest.fixture
def nights(_server: SimulatedServer, _first_night: Path, in_folder: Path) -> Nights:
    """A folder with the first night's run file."""
    _server.prompts.clear()
    _server.broken = False
    nights = Nights(_server)
    nights.write_config()
    Path("runs").mkdir()
    shutil.copy(_first_night, nights.path(FIRST))
    return nights
