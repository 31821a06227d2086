"""``niah merge``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.config.load import load_config
from niah.runs.config.run_config import Instead
from niah.runs.file.store import open_for_writing
from niah.runs.plan import plan_trials, run_facts
from niah.runs.shards import Shard
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: [0, 50, 100]
"""
CONFIG = "suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def begun(name: str, server: SimulatedServer, shard: Shard) -> None:
    config = load_config("small.yaml", Instead(model="simulated", api_base=server.base_url))
    trials = plan_trials(config).trials
    with open_for_writing(Path(name)) as store:
        store.begin(run_facts(config, trials), shard.part(trials))


def test_what_is_missing_is_said_and_then_asked(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["run", "small.yaml", "--model", "simulated", "--api-base", simulated_server.base_url]
    assert main([*run, "--limit", "1", "--out", "runs/first.sqlite"]) == 0
    assert main([*run, "--limit", "2", "--out", "runs/second.sqlite"]) == 0
    asked = len(simulated_server.prompts)
    capsys.readouterr()
    # The first trial stands in both. Names in runs/ are enough.
    assert main(["merge", "first", "second", "--out", "all.sqlite"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "all.sqlite: 3 trials of 2 files, 2 finished, 1 not run.",
        "1 finished trials were finished in another file too: what is scored was kept, then the earlier.",
        "`niah run` with this config and --out all.sqlite asks what is missing.",
    ]
    assert err == ""
    assert main([*run, "--out", "all.sqlite"]) == 0
    assert len(simulated_server.prompts) == asked + 1


def test_trials_that_no_file_has_are_counted(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    begun("one.sqlite", simulated_server, Shard(1, 3))
    begun("three.sqlite", simulated_server, Shard(3, 3))
    assert main(["merge", "one.sqlite", "three.sqlite", "--out", "all.sqlite"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "all.sqlite: 2 trials of 2 files, 0 finished, 2 not run.",
        "1 more are planned, and stand in none of the files.",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["one.sqlite", "none.sqlite", "--out", "all.sqlite"], "no run file called 'none.sqlite'"),
        (
            ["one.sqlite", "grid.yaml", "--out", "all.sqlite"],
            "grid.yaml cannot be merged: file is not a database",
        ),
        (
            ["one.sqlite", "./one.sqlite", "--out", "all.sqlite"],
            "one.sqlite is named twice. Name each file once.",
        ),
        (["one.sqlite", "--out", "one.sqlite"], "one.sqlite is there already"),
        (["one.sqlite", "--out", "a" * 256], f"niah: {'a' * 256} cannot be made: File name too long."),
        (["one.sqlite", "--out", "grid.yaml/all"], "grid.yaml/all cannot be made: "),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], says: str, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    begun("one.sqlite", simulated_server, Shard(1, 2))
    before = present()
    assert main(["merge", *arguments]) == 2
    out, err = capsys.readouterr()
    assert says in err
    assert err.count("\n") == 1
    assert out == ""
    assert present() == before
