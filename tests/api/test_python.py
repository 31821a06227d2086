"""Runs from Python: what changes a run's name, and where it is called."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import niah
from niah.judges.registry import resolve_judge
from niah.runs.execution.judging import rejudge, unjudged
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
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
    limits: dict[str, Any] = {"alpha": 0.5, "missing": 1, "detect": 0.5}
    assert niah.compare(run, other, history=earlier, **limits).verdict.kind == "no regression"
    with pytest.raises(niah.UserError, match=r"the model x\.gguf cannot be read"):
        niah.run("small-run.yaml", readers=[Path("x.gguf")])


def test_a_run_loaded_with_another_judge_is_compared_by_its_scores_within_limits() -> None:
    run = niah.run("small-run.yaml", metrics="contained-match", progress=False)
    niah.run("small-run.yaml", out="other.sqlite", metrics="contained-match", progress=False)
    other = niah.load_run("other.sqlite", "contained-match")
    with pytest.raises(niah.UserError, match="judge: contained-match"):
        niah.compare(other, run)
    assert other.report().page.parent.name == "other--contained-match"
    for wrong in ({"alpha": 0}, {"alpha": 2}, {"missing": 1.5}, {"detect": 9.5}, {"detect": float("nan")}):
        with pytest.raises(niah.UserError, match="no limits of a comparison"):
            niah.compare(other, other, **wrong)


@pytest.mark.parametrize(("name", "recorded"), [("contained-match", []), ("rubric+m", ["rubric+m"])])
def test_judging_stops_when_asked_and_keeps_its_verdicts(
    simulated_server: SimulatedServer, name: str, recorded: list[str]
) -> None:
    run = niah.run("small-run.yaml", progress=False).contents
    judge = resolve_judge(name, api_base=simulated_server.base_url, concurrency=1)

    async def stopped(answers: list[Any]) -> None:
        task = asyncio.current_task()

        def stop() -> None:
            assert task
            task.cancel()

        await rejudge(store, judge, answers, run.samples, None, stop)

    with open_for_writing(run.path) as store, pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped(unjudged(run, judge)))
    after = read_run(run.path)
    assert (len(unjudged(after, judge)), [*after.judges]) == (3, recorded)
