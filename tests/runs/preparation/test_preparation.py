"""Runs whose strategies ask a model first: paid once, planned, within the budget, failing aloud."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from niah import paths
from niah.cli.main import main
from niah.runs.file.read import RunContents, read_run
from tests.runs.preparation.scripted_model import ScriptedModel, scripted

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [4000]
depths: [50]
"""


@contextmanager
def folder(base_url: str, *strategies: str) -> Iterator[None]:
    """A run config in the working folder."""
    Path("grid.yaml").write_text(SUITE)
    reader = f"{{model: scripted, api_base: {base_url}, concurrency: 4}}"
    Path("small.yaml").write_text(
        f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: [{', '.join(strategies)}]\n"
    )
    yield


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted() as made:
        yield made


@pytest.fixture(autouse=True)
def fresh(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without_figures: None
) -> None:
    """A folder of its own for each, and a cache without answers."""
    (tmp_path / "cache").mkdir()
    for each in paths.cache().iterdir():
        if ".sqlite" not in each.name:
            (tmp_path / "cache" / each.name).symlink_to(each)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    model.asked.clear()
    model.failing = ""


def run(out: str = "small.sqlite", *more: str) -> tuple[int, RunContents]:
    code = main(["run", "small.yaml", "--out", out, *more])
    return code, read_run(Path(out))


@pytest.mark.slow
def test_a_plan_says_at_most_what_raptor_takes(
    model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    with folder(model.base_url, "raptor"):
        assert main(["plan", "small.yaml", "--json"]) == 0
        (planned,) = json.loads(capsys.readouterr().out)["preparation"]
        assert run()[0] == 0
        assert 0 < len(model.prepared) <= planned["calls"]
        assert sum(each[1] for each in model.prepared) <= planned["prompt_tokens_at_most"]
        assert sum(each[1] + each[2] for each in model.prepared) <= planned["tokens_at_most"]


def test_planned_paid_once_and_kept_for_later_runs(
    model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    with folder(model.base_url, "tree-index", "readagent"):
        assert main(["plan", "small.yaml", "--json"]) == 0
        (planned,) = json.loads(capsys.readouterr().out)["preparation"]
        code, contents = run()
        assert (code, {*contents.trials["outcome"]}) == (0, {"scored"})
        says = capsys.readouterr().err

        # The plan's bounds, and what the model then counted.
        prompts, replies = sum(each[1] for each in model.prepared), sum(each[2] for each in model.prepared)
        assert prompts <= planned["prompt_tokens_at_most"]
        assert prompts + replies <= planned["tokens_at_most"]
        assert len(model.prepared) <= planned["calls"]

        # No prompt was sent twice, though the contexts share pages; each call of each document is recorded.
        assert len({each[0] for each in model.prepared}) == len(model.prepared)
        kept = [call for call in contents.preparations if call.from_cache]
        assert len(contents.preparations) == len(model.prepared) + len(kept)
        assert kept
        paid = [call.usage for call in contents.preparations if not call.from_cache]
        assert sum(usage.prompt_tokens or 0 for usage in paid) == prompts
        assert "calls of scripted prepared 2 documents and the questions on them" in says
        assert all(call.is_understood and not call.is_cut for call in contents.preparations)

        # What is left of a run that has it all is nothing; another run that takes its replies pays nothing.
        capsys.readouterr()
        assert main(["plan", "small.yaml", "--json", "--out", "small.sqlite"]) == 0
        assert json.loads(capsys.readouterr().out)["preparation"] == []
        asked = list(model.asked)
        assert run("again.sqlite", "--reuse")[0] == 0
        assert model.asked == asked

    # Of seven pages the reader gets six whole, and the gist of the last.
    read = set(asked) - set(model.prepared)
    reading = [tokens for prompt, tokens, _ in read if "Gist: " in prompt]
    assert len(reading) == 2
    assert min(reading) > 2_500


def test_a_budget_stops_a_run_while_it_prepares(
    model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    with folder(model.base_url, "tree-index"):
        assert main(["plan", "small.yaml", "--json"]) == 0
        (planned,) = json.loads(capsys.readouterr().out)["preparation"]
        # A tokenizer of its own counts four times as much: the budget that the plan asks for does not do.
        model.reports = 4
        try:
            budget = planned["tokens_at_most"] + 12_000
            code, contents = run("small.sqlite", "--budget", f"{budget}tok")
            assert code == 3
            assert {*contents.trials["outcome"]} <= {"not_run"}
            spent = 4 * sum(prompt + reply for _, prompt, reply in model.asked)
            assert 0 < spent <= budget
            assert 0 < len(model.prepared) < planned["calls"]
            before = len(model.asked)
            code, contents = run("small.sqlite", "--budget", f"{8 * budget}tok")
            assert (code, {*contents.trials["outcome"]}) == (0, {"scored"})
            # What was paid for is not asked again.
            assert len({prompt for prompt, *_ in model.prepared}) == len(model.prepared)
            assert len(model.asked) > before
        finally:
            model.reports = 1
