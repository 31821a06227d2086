"""Grids that are too large to be planned: one line at once, and not an hour of work."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\n"
RUN = "suite: suite.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refusal(suite: str, run: str = "") -> str:
    Path("suite.yaml").write_text(SUITE + suite)
    Path("run.yaml").write_text(RUN + run)
    with pytest.raises(ConfigError) as caught:
        plan_trials(load_config("run.yaml"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("suite", "run", "says"),
    [
        (f"depths: [50]\nseeds: {list(range(100_001))}\n", "", "suite.yaml: makes 100,001 cases; at most"),
        (
            f"depths: {[step / 4 for step in range(400)]}\nseeds: {list(range(251))}\n",
            "",
            "suite.yaml: makes 100,400 cases; at most 100,000",
        ),
        (
            "depths: [0, 50]\n",
            f"seeds: {{anchor: {list(range(60_000))}}}\n",
            "run.yaml: seeds: makes 120,000 cases; at most",
        ),
        (
            f"depths: [50]\nseeds: {list(range(1_500))}\n",
            "repeats: 1000\n",
            "run.yaml: asks 1,500,000 trials; at most 1,000,000",
        ),
    ],
    ids=["seeds", "depths and seeds", "seeds of the run", "repeats"],
)
def test_a_grid_that_is_too_large_is_refused(suite: str, run: str, says: str) -> None:
    assert says in refusal(suite, run)
