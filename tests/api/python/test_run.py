"""Runs as objects: asked, read, drawn, compared."""

from __future__ import annotations

import asyncio
from functools import partial
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


def test_the_package_of_cases_is_still_a_package() -> None:
    import niah.cases.suite as suite

    assert niah.cases.suite is suite  # type: ignore[attr-defined]
