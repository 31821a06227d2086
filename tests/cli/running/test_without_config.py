"""The config that ``niah init`` writes runs as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)


def at(server: SimulatedServer) -> list[str]:
    return ["--model", "simulated", "--api-base", server.base_url]


def test_the_config_that_init_writes_runs_as_it_is(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    assert capsys.readouterr().out == "runs/mine.yaml\n"
    assert [path for path in Path().rglob("*") if path.is_file()] == [Path("runs/mine.yaml")]
    assert main(["plan", "mine", "--json"]) == 0
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert reader["calls"] == 3 * 3 * 3
    assert main(["run", "mine", "--limit", "2", *at(simulated_server)]) == 0
    assert len(simulated_server.prompts) == 2
    assert main(["init"]) == 2
    assert "runs/mine.yaml is there already" in capsys.readouterr().err
