"""Runs as objects: asked, read, drawn, compared."""

from __future__ import annotations

import asyncio
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.api.python.conftest import reader_at
from tests.conftest import SimulatedServer

asked_anew = partial(niah.run, progress=False)


@pytest.mark.usefixtures("asked")
def test_other_strategies_are_a_run_of_their_own(simulated: SimulatedServer) -> None:
    run = niah.run(
        "small-run",
        strategies="closed-book",
        readers=reader_at(simulated),
        limit=2,
        progress=False,
    )
    assert run.path != Path("runs/small-run.sqlite")
    assert run.strategies == ("closed-book",)
    assert run.frame()["outcome"].value_counts()["scored"] == 2
    assert not run.is_whole


@pytest.mark.usefixtures("asked")
def test_parts_of_a_suite_are_a_run_of_their_own(simulated: SimulatedServer) -> None:
    reader = reader_at(simulated)
    run = asked_anew("small", readers=reader, strategies="lc", lengths=512, depths=[0, 50], haystack="essays")
    assert set(run.frame()["context_length"]) == {512}
    assert set(run.frame()["depth"]) == {0, 50}
    settings = run.contents.invocations[-1].settings
    assert settings["lengths"] == {"value": [512], "source": "argument"}


def test_notebooks_show_every_argument() -> None:
    of_run, of_plan = (set(signature(function).parameters) for function in (niah.run, niah.plan))
    assert of_run > of_plan > {"config", "readers", "strategies", "needle", "shard", "reuse"}
    assert all(f"{name}: " in str(niah.run.__doc__) for name in of_run - {"config"})


@pytest.mark.usefixtures("asked")
def test_it_runs_where_an_event_loop_is_running(simulated: SimulatedServer) -> None:
    async def cell() -> Any:
        return asked_anew(
            "small-run",
            strategies=["lc"],
            readers=reader_at(simulated),
            limit=3,
        )

    assert asyncio.run(cell()).frame()["scored"].sum() == 3


@pytest.mark.usefixtures("asked")
def test_means_have_intervals() -> None:
    run = niah.load_run("small-run")
    whole = run.mean(strategy="lc", length=1024)
    assert (whole.n, whole.clusters) == (16, 8)
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low <= whole.estimate <= whole.high
    frame = run.frame()
    own = frame[(frame["strategy"] == "lc") & (frame["context_length"] == 1024)]
    assert whole.estimate == pytest.approx(own["score"].mean())


def test_the_package_of_cases_is_still_a_package() -> None:
    import niah.cases.suite as suite

    assert niah.cases.suite is suite  # type: ignore[attr-defined]
