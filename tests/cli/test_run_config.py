"""Flags, environment and run config together, as a user meets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.read_model import read_run
from niah.runs.provenance import Invocation
from tests.conftest import SimulatedServer

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: [0, 25, 50, 75, 100]
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("suite.yaml").write_text(SUITE)


def config(server: SimulatedServer, *lines: str) -> str:
    readers = f"readers: [{{model: simulated, api_base: '{server.base_url}', concurrency: 2}}]"
    Path("mine.yaml").write_text("\n".join(["suite: suite.yaml", "strategies: [lc]", readers, *lines]))
    return "mine.yaml"


def invocations(path: str) -> list[Invocation]:
    return list(read_run(Path(path)).invocations)


def settings(path: str = "runs/mine.sqlite") -> dict[str, dict[str, Any]]:
    return invocations(path)[-1].settings


def says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a mistake is refused."""
    before = sorted(Path().iterdir())
    capsys.readouterr()
    assert main(list(arguments)) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    return line


def test_flags_in_place_of_the_file(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(simulated_server, "seeds: {anchor: [3], rotating: 1}", "concurrency: 9")
    monkeypatch.setenv("NIAH_RUN_DATE", "2026-11-22")
    base = simulated_server.base_url.replace("http://", "http://me:planted@") + "?key=planted"
    arguments = ["--model", "other", "--api-base", base, "--shard", "2/2", "--plots", "figures"]
    assert main(["run", "mine.yaml", *arguments]) == 0
    path = "runs/mine-2026-11-22-other.shard-2-of-2.sqlite"
    found = settings(path)
    assert found["readers"] == {"value": ["other"], "source": "flag"}
    assert found["api_base"] == {"value": simulated_server.base_url, "source": "flag"}
    assert found["concurrency"] == {"value": {"other": 9}, "source": "file"}
    assert found["date"] == {"value": "2026-11-22", "source": "environment", "variable": "NIAH_RUN_DATE"}
    assert found["seeds"] == {"value": {"anchor": [3], "rotating": [2026112201]}, "source": "file"}
    assert found["shard"] == {"value": "2/2", "source": "flag"}
    assert found["plots"] == {"value": "figures", "source": "flag"}
    assert b"planted" not in Path(path).read_bytes()


def test_own_prices_make_a_budget_in_money_possible(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    name = config(simulated_server, "prices: {simulated: {input: 1000, output: 2000}}")
    # Five prompts of 512 tokens at 0.001 USD alone are more.
    assert "its budget is 1.00 USD" in says(capsys, "run", name, "--budget", "1usd")
    assert main(["run", name, "--budget", "100usd", "--limit", "1"]) == 0
    # The server says 7 tokens and 3: 7 x 0.001 + 3 x 0.002.
    records = read_run(Path("runs/mine.sqlite")).records
    assert [record.cost for record in records if record.cost is not None] == [0.013]
