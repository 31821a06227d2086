"""Prices of one's own make a budget in money possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read import read_run
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


def says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a mistake is refused."""
    before = sorted(Path().iterdir())
    capsys.readouterr()
    assert main(list(arguments)) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    return line


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
