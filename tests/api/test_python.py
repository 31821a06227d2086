"""Runs from Python: what changes a run's name, and where it is called."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.conftest import SimulatedServer

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512, 1024], depths: [0, 100]}"


@pytest.fixture(autouse=True)
def _folder(in_folder: Path, simulated_server: SimulatedServer) -> None:
    Path("small.yaml").write_text(SUITE)
    reader = f"{{model: simulated, api_base: '{simulated_server.base_url}'}}"
    Path("small-run.yaml").write_text(f"suite: small.yaml\nreaders: [{reader}]\nstrategies: [lc]\n")


def test_other_strategies_and_parts_of_a_suite_are_runs_of_their_own() -> None:
    whole = niah.run("small-run.yaml", progress=False)
    other = niah.run("small-run.yaml", strategies="closed-book", limit=2, progress=False)
    part = niah.run("small-run.yaml", lengths=512, depths=[0, 50], haystack="essays", progress=False)
    assert len({run.path for run in (whole, other, part)}) == 3
    assert [whole.contents.whole, other.contents.whole] == [True, False]
    assert set(other.frame()["strategy"]) == {"closed-book"}
    assert sorted(other.frame()["outcome"]) == ["not_run", "not_run", "scored", "scored"]
    assert (set(part.frame()["context_length"]), set(part.frame()["depth"])) == ({512}, {0, 50})
    settings = part.contents.invocations[-1].settings
    assert settings["lengths"] == {"value": [512], "source": "the argument lengths"}
    assert settings["strategies"] == {"value": ["lc"], "source": "the run config"}


def test_it_runs_where_an_event_loop_is_running() -> None:
    async def cell() -> Any:
        return niah.run("small-run.yaml", limit=3, progress=False)

    assert asyncio.run(cell()).frame()["scored"].sum() == 3


def test_the_package_of_cases_is_still_a_package() -> None:
    import niah.cases.suite as suite

    assert niah.cases.suite is suite  # type: ignore[attr-defined]


def test_one_earlier_night_and_a_path_of_a_model_need_no_list_and_no_text() -> None:
    run = niah.run("small-run.yaml", progress=False)
    other = niah.run("small-run.yaml", out="other.sqlite", progress=False)
    earlier: Any = run.path
    assert niah.compare(run, other, history=earlier).verdict.kind == "no regression"
    with pytest.raises(niah.UserError, match=r"the model x\.gguf cannot be read"):
        niah.run("small-run.yaml", readers=[Path("x.gguf")])
