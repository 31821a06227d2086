"""``niah merge``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
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
        "1 were finished in several files: what is scored is taken, then the earlier.",
        "niah run with this config and --out all.sqlite asks what is missing.",
    ]
    assert err == ""
    assert main([*run, "--out", "all.sqlite"]) == 0
    assert len(simulated_server.prompts) == asked + 1
