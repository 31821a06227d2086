"""Runs whose strategies ask a model first: paid once, planned, within the budget."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.read import RunContents, read_run
from niah.text.tokenizer import count, get_tokenizer
from tests.loopback import Post, Reply, completion, replying

SUITE = "haystacks: [essays]\nneedle_sets: [three-gates, ferry-lanterns]\nlengths: [4000]\ndepths: [50]"
ANSWER = "violet, I think"
_TOKENIZER = get_tokenizer("cl100k")


@dataclass
class ScriptedModel:
    """An endpoint whose summaries, gists and choices are known, and which counts by niah's own tokenizer.

    Attributes:
        asked: every prompt that got a reply, with its tokens and the reply's.
        reports: so many times the tokens that there are.
    """

    base_url: str = ""
    asked: list[tuple[str, int, int]] = field(default_factory=list)
    reports: int = 1
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prepared(self) -> list[tuple[str, int, int]]:
        """All but readers' questions."""
        return [each for each in self.asked if said(each[0]) != ANSWER]

    def reply(self, post: Post) -> Reply:
        prompt = post.body["messages"][-1]["content"]
        text = said(prompt)
        tokens = count(_TOKENIZER, prompt), count(_TOKENIZER, text)
        with self.lock:
            self.asked.append((prompt, *tokens))
        return Reply(completion(text, *(self.reports * each for each in tokens)))


def said(prompt: str) -> str:
    """The reply to a prompt: it depends on nothing else."""
    if "QUERY: " in prompt:
        return "n"
    if prompt.rstrip().endswith("Summary:"):
        return "Summary of " + " ".join(prompt.split()[40:130])
    if "mark places where one could pause" in prompt:
        places = re.findall(r"<(\d+)>", prompt)[1:]
        return f"<{places[len(places) // 2]}>"
    if "Shorten the passage" in prompt:
        return "Gist: " + " ".join(prompt.split()[22:110])
    if "Which pages do you look up?" in prompt:
        return "[1, 2, 3, 4, 5, 6]"
    return "1" if "passages or summaries of one document" in prompt else ANSWER


def write(base_url: str, *strategies: str) -> None:
    """A run config in the working folder."""
    reader = f"{{model: scripted, api_base: {base_url}, concurrency: 4}}"
    config = f"{SUITE}\nreaders: [{reader}]\nstrategies: [{', '.join(strategies)}]\n"
    Path("small.yaml").write_text(config)


@pytest.fixture
def model(own_cache: Path, without_figures: None) -> Iterator[ScriptedModel]:
    made = ScriptedModel()
    with replying(made.reply) as address:
        made.base_url = f"{address}/v1"
        yield made


def run(out: str = "small.sqlite", *more: str) -> tuple[int, RunContents]:
    code = main(["run", "small.yaml", "--out", out, *more])
    return code, read_run(Path(out))


def planned(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    """What is planned to be taken for preparation."""
    capsys.readouterr()
    assert main(["plan", "small.yaml", "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)["preparation"]


@pytest.mark.parametrize(
    "strategies", [pytest.param(("raptor",), marks=pytest.mark.slow), ("tree-index", "readagent")]
)
def test_planned_paid_once_and_kept_for_later_runs(
    model: ScriptedModel, strategies: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write(model.base_url, *strategies)
    (plan,) = planned(capsys)
    code, contents = run()
    assert (code, {*contents.trials["outcome"]}) == (0, {"scored"})

    # The plan's bounds, and what the model then counted.
    prompts, replies = sum(each[1] for each in model.prepared), sum(each[2] for each in model.prepared)
    assert 0 < prompts <= plan["prompt_tokens_at_most"]
    assert prompts + replies <= plan["tokens_at_most"]
    assert len(model.prepared) <= plan["calls"]

    # No prompt was sent twice, though the contexts share pages; each call of each document is recorded.
    assert len({each[0] for each in model.prepared}) == len(model.prepared)
    kept = [call for call in contents.preparations if call.from_cache]
    assert {call.cost for call in kept} <= {0}
    assert len(contents.preparations) == len(model.prepared) + len(kept)
    paid = [call.usage for call in contents.preparations if not call.from_cache]
    assert sum(usage.prompt_tokens or 0 for usage in paid) == prompts
    said = capsys.readouterr().err
    assert f"preparing {2 * len(strategies)} documents by scripted" in said
    assert " of scripted prepared 2 documents and the questions on them" in said
    assert all(call.is_understood and not call.is_cut for call in contents.preparations)

    # What is left of a run that has it all is nothing; another run that takes its replies pays nothing.
    assert planned(capsys, "--out", "small.sqlite") == []
    asked = list(model.asked)
    assert run("again.sqlite", "--reuse")[0] == 0
    assert model.asked == asked

    # Of seven pages the reader gets six whole, and the gist of the last.
    if "readagent" in strategies:
        assert kept
        reading = [tokens for prompt, tokens, _ in set(asked) - set(model.prepared) if "Gist: " in prompt]
        assert len(reading) == 2
        assert min(reading) > 2_500
        # A question was asked of each document, so that it is prepared whole, with fewer calls than bounded.
        shutil.copy("small.sqlite", "killed.sqlite")  # as the last answer was on its way
        with closing(sqlite3.connect("killed.sqlite")) as file:
            file.execute("DELETE FROM trials WHERE rowid = (SELECT max(rowid) FROM trials)")
            file.commit()
        assert [each["calls"] for each in planned(capsys, "--out", "killed.sqlite")] == [0]


def test_a_budget_stops_a_run_while_it_prepares(
    model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    write(model.base_url, "tree-index")
    (plan,) = planned(capsys)
    # A tokenizer of its own counts four times as much: the budget that the plan asks for does not do.
    model.reports = 4
    budget = plan["tokens_at_most"] + 12_000
    code, contents = run("small.sqlite", "--budget", f"{budget}tok")
    assert code == 3
    assert {*contents.trials["outcome"]} <= {"not_run"}
    spent = 4 * sum(prompt + reply for _, prompt, reply in model.asked)
    assert 0 < spent <= budget
    assert 0 < len(model.prepared) < plan["calls"]
    (left,) = planned(capsys, "--out", "small.sqlite")
    assert left["calls"] == plan["calls"] - len(model.prepared)
    before = len(model.asked)
    code, contents = run("small.sqlite", "--budget", f"{8 * budget}tok")
    assert (code, {*contents.trials["outcome"]}) == (0, {"scored"})
    # What was paid for is not asked again.
    assert len({prompt for prompt, *_ in model.prepared}) == len(model.prepared)
    assert len(model.asked) > before


def test_a_budget_stops_a_run_whose_trials_all_wait_for_a_call_of_their_own(model: ScriptedModel) -> None:
    write(model.base_url, "self-route")
    seeds = ("--seeds", "1,2,3,4,5,6")
    model.reports, budget = 4, 120_000
    code, contents = run("small.sqlite", "--budget", f"{budget}tok", *seeds)
    spent = model.reports * sum(prompt + reply for _, prompt, reply in model.asked)
    assert (code, {*contents.trials["outcome"]}) == (3, {"scored", "not_run"})
    assert 0 < spent <= budget
