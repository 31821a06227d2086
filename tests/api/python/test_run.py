"""Runs as objects: asked, read, drawn, compared."""

from __future__ import annotations

import asyncio
import io
import re
import sqlite3
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import niah
from niah.api.python.request.requested import requested_run
from niah.errors import ConfigError, RunFileError, UnknownName
from niah.readers.patience import Patience
from niah.readers.retry import RetryingReader
from tests.api.python.conftest import TRIALS, reader_at
from tests.conftest import SimulatedServer
from tests.loopback import Reply, completion, replying

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
    assert run.path == Path("runs/small-run--simulated--closed-book.sqlite")
    assert run.strategies == ("closed-book",)
    assert run.frame()["outcome"].value_counts()["scored"] == 2
    assert not run.is_whole


@pytest.mark.usefixtures("asked")
def test_a_suite_runs_with_readers_and_strategies(simulated: SimulatedServer) -> None:
    run = asked_anew(
        "small",
        readers=[reader_at(simulated)],
        strategies=["lc"],
        limit=1,
    )
    assert run.readers == ("simulated",)
    with pytest.raises(niah.UserError, match="small is a suite, which says nothing of strategies"):
        niah.run("small", readers=[reader_at(simulated)])


@pytest.mark.usefixtures("asked")
def test_parts_of_a_suite_are_a_run_of_their_own(simulated: SimulatedServer) -> None:
    reader = reader_at(simulated)
    run = asked_anew("small", readers=reader, strategies="lc", lengths=512, depths=[0, 50], haystack="essays")
    assert run.path == Path("runs/small--simulated--lc--512--0-50--essays.sqlite")
    assert set(run.frame()["context_length"]) == {512}
    assert set(run.frame()["depth"]) == {0, 50}
    settings = run.contents.invocations[-1].settings
    assert settings["lengths"] == {"value": [512], "source": "argument"}


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"strategies": ["dso"]}, "the argument: strategies.0: no strategy called 'dso'. Did you mean 'dos'"),
        ({"readers": [{"model": "x", "api_bse": "y"}]}, "the argument: readers.0.api_bse: "),
        ({"repeats": "3"}, "the argument: repeats: "),
        ({"judge": "rubrik"}, "the argument: judge: no judge called 'rubrik'"),
        ({"budget": "lots"}, "lots"),
        ({"readers": []}, "the argument: readers: should be a list of at least 1 entry"),
        ({"readers": 5}, "the argument: readers: should be a list"),
        ({"retry": ["reader_eror"]}, "no outcome to retry called 'reader_eror'. Did you mean 'reader_error'"),
        ({"lengths": "16x"}, "the argument lengths is '16x'. Write whole numbers of tokens"),
        ({"depths": [50, 101]}, "the argument depths is [50, 101]."),
        ({"depths": [50, 50.0]}, "the argument depths is [50, 50.0]: 50 stands twice. Take one out."),
        ({"lengths": [1024, 1024]}, "the argument lengths is [1024, 1024]: 1024 stands twice."),
        ({"needle_sets": ["nowhere"]}, "no needle set called 'nowhere'"),
        ({"limit": 0}, "the argument limit is 0."),
        ({"lenghts": 512}, "no argument called 'lenghts'. Did you mean 'lengths'?"),
        ({"shard": 2}, 'the argument shard is 2. Write "2/8"'),
        ({"shard": "3/2"}, "3/2"),
        ({"reader_options": {"temperatur": 1}}, "reader option temperatur"),
        ({"needle": "The code is 7316."}, "the argument question is missing."),
        ({"needle": "The code is 7316.", "question": "Which?", "expect": "7317"}, "the needle does not hold"),
        ({"concurrency": "8"}, "the argument concurrency is '8'."),
        ({"budget": 5}, 'the argument budget is 5. Write "25usd"'),
        ({"reader_options": ["temperature=1"]}, "the argument reader_options is ['temperature=1']."),
        ({"seeds": "1-8"}, "the argument seeds is '1-8'. Write a list, such as [1, 2, 3] or range(1, 9)"),
        (
            {"strategies": {"name": "mine", "retrieve": len}},
            "strategies.0.retrieve: is a function. Write its",
        ),
        ({"strategies": [len]}, "the argument: strategies.0: is a function. Write its name"),
        ({"wait": "soon"}, "the argument: wait: 'soon' is no duration. Write 30s, 10m or 2h"),
        ({"timeout": -1}, "the argument: timeout: '-1' is no duration."),
        ({"attempts": 0}, "the argument: attempts: should be at least 1 (given: 0)."),
        ({"skip": "imposible"}, "the argument skip is 'imposible'. Write 'nothing' or 'impossible'."),
        ({"accidents": True}, "the argument accidents is True. Write 'stop' or 'avoid'."),
        ({"reserve": -1}, "the argument reserve is -1. Write a number of tokens"),
        ({"metrics": ["rouge"]}, "the argument: metrics.0: no metric called 'rouge'. Did you mean 'rouge-l"),
        ({"date": "2026-11-22"}, "the argument date is '2026-11-22'."),
    ],
)
def test_a_wrong_argument_is_one_line_and_leaves_nothing(arguments: dict[str, object], problem: str) -> None:
    files = sorted(Path("runs").iterdir())
    with pytest.raises(niah.UserError, match=re.escape(problem)) as raised:
        niah.run("small-run", **arguments)  # type: ignore[arg-type]
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
    (made,) = set(Path().rglob("*.yaml")) - set(before)
    assert set(run.frame()["needle_set"]) == {made.stem}
    with pytest.raises(niah.UserError, match="there is nothing to run yet"):
        niah.run(readers=reader_at(simulated))


def test_notes_are_what_the_command_ends_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(
        "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 50, 100]}"
    )
    with replying(lambda post: Reply(completion(""))) as address:
        reader = {"model": "crude", "api_base": f"{address}/v1"}
        run = asked_anew("mine.yaml", readers=reader, strategies=["lc", "bm25/top-1/norm"])
    (empty,) = [line for line in run.notes if line.startswith("crude: 6 of 6 answers are empty")]
    assert empty.endswith("another out= asks again.")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("reply", "remedy"),
    [
        (
            Reply(completion("Well, let me", 7, 256, finish_reason="length")),
            'retry="truncated" asks with the same room again; more gives reader_options={"max_tokens": 512} '
            "with another out=, or max_tokens: 512 of the reader in the run config.",
        ),
        (Reply(b"{garbage"), 'The same call with retry="reader_error" asks again what failed.'),
    ],
)
def test_remedies_of_notes_name_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Reply, remedy: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(
        "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0]}"
    )
    Path("mine-run.yaml").write_text("{suite: mine.yaml, strategies: [lc], readers: [crude], wait: 0.1s}")
    with replying(lambda post: reply) as address:
        reader = {"model": "crude", "api_base": f"{address}/v1"}
        run = asked_anew("mine-run.yaml", readers=reader)
    assert any(line.endswith(remedy) for line in run.notes), run.notes
    assert not any("--" in line for line in run.notes)


@pytest.mark.usefixtures("asked")
def test_seeds_may_be_a_list(simulated: SimulatedServer) -> None:
    run = asked_anew("small-run", readers=reader_at(simulated), strategies="lc", seeds=[2, 3], limit=1)
    assert set(run.frame()["seed"]) == {2, 3}


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


@pytest.mark.usefixtures("asked")
def test_metrics_judge_what_was_answered_before(simulated: SimulatedServer) -> None:
    asked = len(simulated.prompts)
    run = niah.run("small-run", metrics=["contained-match"], progress=False)
    assert len(simulated.prompts) == asked
    assert all(set(each.judge_scores or ()) >= {"rubric", "contained-match"} for each in run.contents.records)
    # ... each with a column of its own, on its own scale.
    frame, table = run.frame(), run.table("metrics")
    assert set(frame["contained-match"]) <= {0.0, 1.0}
    assert table["n"].sum() == len(frame)
    means = frame.groupby("strategy", observed=True)["contained-match"].mean()
    assert dict(zip(table["strategy"], table["contained-match"], strict=True)) == means.to_dict()


def test_patience_and_what_stands_in_place_of_the_suites_own(simulated: SimulatedServer) -> None:
    arguments: Any = {
        **{"readers": reader_at(simulated), "strategies": "lc", "lengths": "1k", "depths": 0},
        **{"wait": "1m", "timeout": 30, "attempts": 2},
        **{"skip": "impossible", "accidents": "avoid", "reserve": 40},
    }
    with requested_run("single", arguments, only_planned=True) as wanted:
        (reader,) = wanted.config.readers
        assert wanted.config.skip == "impossible"
        assert {(case.accidents, case.reserve) for case in wanted.config.cases} == {("avoid", 40)}
    assert isinstance(reader, RetryingReader)
    patience = reader._endpoint.patience
    assert (patience.timeout_s, patience.attempts) == (30, 2)
    without: Any = {name: arguments[name] for name in ("readers", "strategies")}
    with requested_run("single", without, only_planned=True) as wanted:
        (reader,) = wanted.config.readers
    assert isinstance(reader, RetryingReader)
    assert reader._endpoint.patience == Patience()


def test_notebooks_show_every_argument() -> None:
    of_run, of_plan = (set(signature(function).parameters) for function in (niah.run, niah.plan))
    assert of_run - of_plan == {"limit", "retry", "progress"}
    assert of_plan > {"config", "readers", "strategies", "needle", "question", "expect", "shard", "reuse"}
    told = (niah.run.__doc__ or "").partition("Args:")[2]
    assert {name for name in of_run if not re.search(rf"\b{name}\b[,:]", told)} == set()


@pytest.mark.usefixtures("asked")
def test_unknown_names_are_told_apart() -> None:
    with pytest.raises(UnknownName, match=r"no run config or suite called 'smal-run'.*'small-run'"):
        niah.run("smal-run")
    with pytest.raises(UnknownName, match="no run file called"):
        niah.load_run("none")


@pytest.mark.usefixtures("asked")
def test_it_runs_where_an_event_loop_is_running(simulated: SimulatedServer) -> None:
    async def cell() -> niah.Run:
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
def test_heatmaps_are_figures_that_notebooks_show() -> None:
    run = niah.load_run("small-run")
    for figure in (run.heatmap("lc"), run.heatmap(), run.figure("score-by-length"), run.figure("heatmaps")):
        shown = figure._repr_png_()  # type: ignore[attr-defined]
        assert shown.startswith(b"\x89PNG")
        assert len(figure.get_axes()) > 0


@pytest.mark.usefixtures("asked")
def test_a_figure_says_nothing_of_fonts_when_its_user_draws_it(caplog: pytest.LogCaptureFixture) -> None:
    figure = niah.load_run("small-run").heatmap("lc")
    for form in ("png", "svg"):
        figure.savefig(io.BytesIO(), format=form)
    assert not caplog.records


@pytest.mark.usefixtures("asked")
def test_figures_and_tables_go_by_the_names_of_a_report() -> None:
    run = niah.load_run("small-run")
    table = run.table("win-rates")
    assert table.attrs["title"] == "Retrieval against full context"
    assert set(table["strategy"]) == {"bm25/top-5/norm"}
    assert {"score-by-length", "heatmaps"} <= set(run.figures)
    assert "mean-scores" in run.tables
    with pytest.raises(UnknownName, match=r"no figure called 'score-by-lenght'.*'score-by-length'"):
        run.figure("score-by-lenght")
    with pytest.raises(UnknownName, match=r"no table called 'winrates'.*'win-rates'"):
        run.table("winrates")
    with pytest.raises(UnknownName, match=r"no strategy in .*called 'dos'"):
        run.heatmap("dos")
    with pytest.raises(niah.UserError, match=r"no trials for the figure distractors"):
        run.figure("distractors")


def test_a_plan_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    planned = niah.plan("quick", readers=["openai/gpt-4o-mini"], strategies=["lc"])
    assert planned.calls
    assert any("needs OPENAI_API_KEY" in line for line in planned.plan.warnings)


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


@pytest.mark.usefixtures("asked")
def test_runs_and_comparisons_show_what_the_command_line_does() -> None:
    run = niah.load_run("small-run")
    assert "64 of 64 trials scored" in repr(run)
    assert "bm25/top-5/norm" in run._repr_html_()
    compared = niah.compare(run, _copied(run))
    assert compared.verdict.kind == "no regression"
    assert "No regression" in repr(compared)
    assert "No regression" in compared._repr_html_()
    frame = compared.frame()
    assert len(frame) == len(compared.comparison.rows)
    assert {"reader", "difference", "low", "high", "adjusted"} <= set(frame.columns)
    with pytest.raises(RunFileError, match=r'is named twice\..* readers: readers=\("X", "Y"\)\.$'):
        niah.compare(run, run)
    with pytest.raises(niah.UserError, match=r'one run alone .* readers: readers=\("X", "Y"\)\.$'):
        niah.compare(run)
    with pytest.raises(niah.UserError, match="1 readers are no pair"):
        niah.compare(run, readers=("simulated",))  # type: ignore[arg-type]
    with pytest.raises(niah.UserError, match="no run is named"):
        niah.report([])


def _copied(run: niah.Run) -> str:
    with sqlite3.connect(run.path) as db, sqlite3.connect("runs/copied.sqlite") as copy:
        db.backup(copy)
    return "copied"


@pytest.mark.usefixtures("asked")
def test_a_plan_asks_nothing(simulated: SimulatedServer) -> None:
    asked = len(simulated.prompts)
    plan = niah.plan("small-run", strategies=["lc", "closed-book"], readers=reader_at(simulated))
    assert plan.calls == TRIALS
    assert plan.as_dict()["total"]["calls"] == TRIALS
    assert "simulated" in repr(plan)
    assert "simulated" in plan._repr_html_()
    assert len(simulated.prompts) == asked


def test_cases_come_with_their_contexts() -> None:
    cases = niah.cases("quick")
    case = next(cases)
    assert (case.needle_set, case.context_length, case.depth) == ("ferry-lanterns", 512, 0)
    assert case.context in case.prompt
    assert case.prompt.rstrip().endswith(case.question) or case.question in case.prompt
    for placed in case.sample.needles:
        assert case.context[placed.start : placed.end] == placed.text


def test_the_package_of_cases_is_still_a_package() -> None:
    import niah.cases.suite as suite

    assert niah.cases.suite is suite  # type: ignore[attr-defined]


def test_judging_one_answer() -> None:
    assert niah.judge("I do not know.", "three-gates").score == 1
    case = next(niah.cases("quick"))
    assert niah.judge(case.answer, case).score == 10
    with pytest.raises(UnknownName):
        niah.judge("17685", "four-gates")
    with pytest.raises(niah.UserError, match="by a question, and 5 is none"):
        niah.judge("17685", 5)  # type: ignore[arg-type]
    with pytest.raises(niah.UserError, match="accuracy cannot judge"):
        niah.judge("17685", "three-gates", judge="accuracy")


def test_a_config_error_of_the_file_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.yaml").write_text("suite: quick\nreaders: [smollm2]\nstrategies: [dso]\n")
    with pytest.raises(ConfigError, match=r"wrong\.yaml: strategies\.0"):
        niah.run("wrong.yaml", repeats=2)
