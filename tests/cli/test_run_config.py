"""Flags, environment and run config together, as a user meets them."""

from __future__ import annotations

import json
import sqlite3
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


def test_a_variable_does_what_its_flag_does(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIAH_RUN_LIMIT", "2")
    assert main(["run", config(simulated_server)]) == 0
    assert len(simulated_server.prompts) == 2
    assert main(["run", "mine.yaml", "--limit", "1"]) == 0  # the flag wins
    assert len(simulated_server.prompts) == 3


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("NIAH_RUN_LIMIT", "many", "NIAH_RUN_LIMIT: 'many' is no whole number"),
        ("NIAH_RUN_RETRY", "scored", "NIAH_RUN_RETRY: no outcome to retry called 'scored'"),
        ("NIAH_RUN_BUDGET", "a lot", "NIAH_RUN_BUDGET: 'a lot' is no budget"),
        ("NIAH_RUN_REUSE", "perhaps", "NIAH_RUN_REUSE: 'perhaps' is not a valid boolean"),
        ("NIAH_RUN_SHARD", "3/2", "NIAH_RUN_SHARD: there is no shard 3/2"),
        ("NIAH_RUN_DATE", "tomorrow", "NIAH_RUN_DATE: 'tomorrow' is no date"),
        ("NIAH_RUN_DATE", "2026-11-22", "NIAH_RUN_DATE has no effect: mine.yaml has no rotating"),
        ("NIAH_RUN_API_BASE", "http://h/v1", "NIAH_RUN_API_BASE needs --model"),
    ],
)
def test_a_mistake_in_a_variable_is_named_after_it(
    variable: str,
    value: str,
    expected: str,
    simulated_server: SimulatedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config(simulated_server)
    monkeypatch.setenv(variable, value)
    assert expected in says(capsys, "run", "mine.yaml")


def test_the_source_of_every_setting(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIAH_RUN_RETRY", "reader_error")
    monkeypatch.setenv("NIAH_RUN_BUDGET", "1Mtok")
    name = config(simulated_server, "repeats: 2", "budget: 2Mtok")
    assert main(["run", name, "--limit", "1"]) == 0
    base = simulated_server.base_url
    assert settings() == {
        "config": {"value": "mine.yaml", "source": "flag"},
        "suite": {"value": "suite.yaml", "source": "file"},
        "skip": {"value": "nothing", "source": "default"},
        "accidents": {"value": "stop", "source": "default"},
        "reserve": {"value": 0, "source": "default"},
        "readers": {"value": ["simulated"], "source": "file"},
        "reader_options": {"value": None, "source": "default"},
        "strategies": {"value": ["lc"], "source": "file"},
        "judge": {"value": "rubric", "source": "default"},
        "metrics": {"value": None, "source": "default"},
        "filter": {"value": None, "source": "default"},
        "repeats": {"value": 2, "source": "file"},
        "seeds": {"value": {"anchor": [1], "rotating": []}, "source": "default"},
        "date": {"value": None, "source": "default"},
        "budget": {"value": "1,000,000 tokens", "source": "environment", "variable": "NIAH_RUN_BUDGET"},
        "prices": {"value": None, "source": "default"},
        "concurrency": {"value": {"simulated": 2}, "source": "file"},
        "api_base": {"value": {"simulated": base}, "source": "file"},
        "reuse": {"value": False, "source": "default"},
        "limit": {"value": 1, "source": "flag"},
        "retry": {"value": ["reader_error"], "source": "environment", "variable": "NIAH_RUN_RETRY"},
        "shard": {"value": None, "source": "default"},
        "on": {"value": "local", "source": "default"},
        "out": {"value": "runs/mine.sqlite", "source": "default"},
        "plots": {"value": "plots/mine", "source": "default"},
    }


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


def test_each_night_is_a_run_of_its_own(simulated_server: SimulatedServer) -> None:
    config(simulated_server, "seeds: {anchor: [1], rotating: 1}")
    assert main(["run", "mine.yaml", "--date", "2026-11-22", "--limit", "4"]) == 0
    assert main(["run", "mine.yaml", "--date", "2026-11-22"]) == 0  # goes on
    assert len(simulated_server.prompts) == 2 * 5
    assert main(["run", "mine.yaml", "--date", "2026-11-23"]) == 0
    assert len(simulated_server.prompts) == 4 * 5
    assert {path.stem for path in Path("runs").glob("*.sqlite")} == {"mine-2026-11-22", "mine-2026-11-23"}
    assert Path("plots/mine-2026-11-22").is_dir()


def trials(path: str) -> set[str]:
    with sqlite3.connect(path) as connection:
        return {row[0] for row in connection.execute("SELECT trial_id FROM trials")}


def test_shards_are_the_whole_run(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    config(simulated_server)
    for part in ("1/2", "2/2"):
        assert main(["run", "mine.yaml", "--shard", part]) == 0
    one, two = (trials(f"runs/mine.shard-{index}-of-2.sqlite") for index in (1, 2))
    assert main(["run", "mine.yaml"]) == 0
    assert one | two == trials("runs/mine.sqlite")
    assert not one & two
    assert (len(one), len(two)) == (2, 3)
    shard = read_run(Path("runs/mine.shard-1-of-2.sqlite"))
    assert {record.outcome for record in shard.records} == {"scored"}
    capsys.readouterr()
    assert main(["plan", "mine.yaml", "--shard", "1/2", "--out", "none.sqlite"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["simulated", "2"]


def test_show_says_how_a_run_was_made(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config(simulated_server)
    assert main(["run", "mine.yaml", "--limit", "2"]) == 0
    monkeypatch.setenv("NIAH_RUN_LIMIT", "1")
    assert main(["run", "mine.yaml"]) == 0
    capsys.readouterr()
    for name in ("mine", "runs/mine.sqlite"):
        assert main(["show", name]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "runs/mine.sqlite: 5 trials"
        assert lines[1] == "outcomes: 3 scored, 2 not_run"
        assert any(line.startswith("versions: ") and "niah 0" in line for line in lines)
        rows = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
        assert rows["limit"] == "1 the environment variable"  # whose name is on the next line
        assert "NIAH_RUN_LIMIT" in rows
        assert rows["suite"] == "suite.yaml the run config"
        assert rows["judge"] == "rubric the default"
        assert lines[-1].startswith("earlier: ")
        assert lines[-1].endswith(": limit 2")
    assert main(["show", "mine", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["trials"] == 5
    assert shown["outcomes"] == {"scored": 3, "not_run": 2}
    limits = [each["settings"]["limit"] for each in shown["invocations"]]
    assert limits == [
        {"value": 2, "source": "flag"},
        {"value": 1, "source": "environment", "variable": "NIAH_RUN_LIMIT"},
    ]


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
