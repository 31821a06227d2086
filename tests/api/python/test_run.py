"""Runs as objects: asked, read, drawn, compared."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.api.python.conftest import TRIALS, reader_at
from tests.conftest import SimulatedServer

asked_anew = partial(niah.run, progress=False)


@pytest.mark.usefixtures("asked")
def test_the_same_call_asks_nothing_twice(simulated: SimulatedServer) -> None:
    before = len(simulated.prompts)
    run = asked_anew(
        "small-run",
    )
    assert len(simulated.prompts) == before
    assert (run.path, len(run.frame())) == (Path("runs/small-run.sqlite"), TRIALS)


@pytest.mark.usefixtures("asked")
def test_a_frame_has_a_row_a_trial_with_its_answer() -> None:
    frame = niah.load_run("small-run").frame()
    assert len(frame) == TRIALS
    assert set(frame["outcome"]) == {"scored"}
    assert frame["answer"].str.len().min() > 0
    assert frame["score"].between(1, 10).all()
    assert frame["reason"].str.match(r"\d of \d found").all()
    assert (frame["length"] == frame["context_length"]).all()


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
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"strategies": ["dso"]}, "strategies.0: no strategy called 'dso'. Did you mean 'dos'"),
        ({"strategies": [len]}, "strategies.0: is a function."),
        ({"readers": [{"model": "x", "api_bse": "y"}]}, "readers.0.api_bse: "),
        ({"readers": 5}, "readers"),
        ({"judge": "rubrik"}, "judge: no judge called 'rubrik'"),
        ({"budget": "lots"}, "budget: 'lots'"),
        ({"retry": ["reader_eror"]}, "retry: no outcome to retry called 'reader_eror'"),
        ({"lengths": "16x"}, "lengths: '16x' is no context length."),
        ({"depths": [50, 101]}, "depths: 101 is no depth."),
        ({"depths": [50, 50.0]}, "depths: 50 stands twice."),
        ({"needle_sets": ["nowhere"]}, "no needle set called 'nowhere'"),
        ({"limit": 0}, "limit: 0 is no whole number"),
        ({"lenghts": 512}, "no argument called 'lenghts'. Did you mean 'lengths'?"),
        ({"shard": "3/2"}, "shard: there is no shard 3/2"),
        ({"reader_options": {"temperatur": 1}}, "reader option temperatur"),
        ({"needle": "The code is 7316."}, "the argument question is missing."),
        ({"needle": "The code is 7316.", "question": "Which?", "expect": "7317"}, "expect: no needle holds"),
        ({"wait": "soon"}, "wait: 'soon' is no duration."),
        ({"skip": "imposible"}, "skip: is 'imposible'."),
        ({"metrics": ["rouge"]}, "metrics.0: no metric called 'rouge'."),
        ({"date": "2026-11-22"}, "date has no effect"),
    ],
)
def test_a_wrong_argument_is_one_line_and_leaves_nothing(arguments: dict[str, object], problem: str) -> None:
    files = sorted(Path("runs").iterdir())
    with pytest.raises(niah.UserError, match=re.escape(problem)) as raised:
        niah.run("small-run", **arguments)
    assert "\n" not in str(raised.value)
    assert sorted(Path("runs").iterdir()) == files


FACT: dict[str, Any] = {
    "needle": "The locker's code is 7316.",
    "question": "Which code has the locker?",
    "expect": "7316",
}


@pytest.mark.usefixtures("asked")
def test_a_fact_of_ones_own_needs_no_config(simulated: SimulatedServer) -> None:
    before = sorted(Path().rglob("*.yaml"))
    where: dict[str, Any] = {"readers": reader_at(simulated), "lengths": 512, "depths": [0, 50]}
    assert niah.plan(**where, **FACT).calls == 2
    assert sorted(Path().rglob("*.yaml")) == before
    run = asked_anew(**where, **FACT)
    assert len(run.frame()) == 2
    assert "The locker's code is 7316." in simulated.prompts[-1]
    assert sorted(Path().rglob("*.yaml")) == before
    saved = asked_anew(**where, **FACT, save=True)
    (made,) = set(Path().rglob("*.yaml")) - set(before)
    assert (saved.path, set(saved.frame()["needle_set"])) == (run.path, {made.stem})
    with pytest.raises(niah.UserError, match="there is nothing to run yet"):
        niah.run(readers=reader_at(simulated))


@pytest.mark.usefixtures("asked")
def test_shards_and_reader_options(simulated: SimulatedServer) -> None:
    wanted: dict[str, Any] = {
        "readers": reader_at(simulated),
        "strategies": "lc",
        "reader_options": {"top_p": 0.5},
    }
    run = asked_anew("small-run", shard="2/2", **wanted)
    assert run.path.name.endswith(".shard-2-of-2.sqlite")
    planned = niah.plan("small-run", **wanted)
    assert planned.calls == 2 * len(run.frame())
    settings = run.contents.invocations[-1].settings
    assert settings["shard"] == {"value": "2/2", "source": "argument"}
    assert settings["reader_options"] == {"value": {"simulated": {"top_p": 0.5}}, "source": "argument"}


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
def test_arguments_are_in_the_run_file_with_their_source(simulated: SimulatedServer) -> None:
    run = asked_anew(
        "small-run",
        strategies=["lc"],
        readers=reader_at(simulated),
        limit=1,
    )
    settings = run.contents.invocations[-1].settings
    assert settings["strategies"] == {"value": ["lc"], "source": "argument"}
    assert settings["limit"] == {"value": 1, "source": "argument"}
    assert settings["suite"]["source"] == "file"
    assert settings["repeats"] == {"value": 1, "source": "default"}


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
