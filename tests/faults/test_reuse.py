"""Answers of other runs are taken with ``--reuse`` alone; what was not spent is not said to be spent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import niah as api
from tests.contract.conftest import Endpoint, Niah, Result, write
from tests.loopback import verdict

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{needle_sets: [lamp], haystacks: [essays], lengths: [600], depths: [0, 100]}"
RUN = """\
suite: small
readers: [{{model: m, api_base: "{base}"}}]
strategies: [{strategies}]
prices: {{m: {{input: 1000, output: 1000}}}}
"""
RIGHT, WRONG = "Answer: 48213", "Answer: 11111"


@pytest.fixture
def run(niah: Niah, folder: Path, lamp: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Any:
    """``run(OUT, *options)``: the command on a small config, with a cache of its own."""
    monkeypatch.setenv("NIAH_CACHE", str(folder / "cache"))
    write(folder / "cases" / "small.yaml", SUITE)
    config = write(folder / "run.yaml", RUN.format(base=endpoint.base, strategies="lc"))
    return lambda out, *options: niah("run", config.name, "--out", out, *options)


def column(niah: Niah, run: str, name: str) -> list[Any]:
    return [row[name] for row in niah("export", run).rows]


def prepares(prompt: str) -> str:
    """A reply that ReadAgent understands: where to pause, which page, a gist."""
    pauses = re.findall(r"<\d+>", prompt) if prompt.endswith("pause:") else []
    return str(pauses[-1]) if pauses else "[1]" if prompt.endswith("Pages:") else "A lamp."


def says(result: Result) -> str:
    return " ".join(result.out.split())


def test_another_model_behind_the_same_name_is_asked(run: Any, niah: Niah, endpoint: Endpoint) -> None:
    endpoint.models["m"] = lambda prompt: RIGHT
    assert run("runs/old.sqlite").code == 0
    endpoint.models["m"] = lambda prompt: WRONG
    assert run("runs/new.sqlite").code == 0
    assert column(niah, "runs/old.sqlite", "score") == [10, 10]
    assert column(niah, "runs/new.sqlite", "score") == [1, 1]
    assert len(endpoint.bodies("m")) == 4


def test_reused_answers_are_counted_dated_and_cost_nothing(
    run: Any, niah: Niah, endpoint: Endpoint, folder: Path
) -> None:
    endpoint.models["m"] = lambda prompt: RIGHT
    assert run("runs/old.sqlite", "--limit", "1").code == 0
    result = run("runs/new.sqlite", "--reuse")
    assert len(endpoint.bodies("m")) == 2
    (asked,) = [row for row in niah("export", "runs/new.sqlite").rows if not row["from_cache"]]
    assert "1 of 2 answers are from an earlier run (" in says(result)
    assert f" {asked['prompt_tokens']} {asked['cost']:.2f} " in says(result)
    assert niah("report", "runs/new.sqlite", "--out", "page").code == 0
    assert "1 of 2 answers are from an earlier run (" in (folder / "page" / "index.html").read_text()


def test_python_reuses_on_request_alone(
    run: Any, endpoint: Endpoint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    endpoint.models["m"] = lambda prompt: RIGHT
    api.run("run.yaml", out="runs/a.sqlite", progress=False)
    endpoint.models["m"] = lambda prompt: WRONG
    reused = api.run("run.yaml", out="runs/b.sqlite", progress=False, reuse=True)
    asked = api.run("run.yaml", out="runs/c.sqlite", progress=False)
    assert (set(reused.frame()["score"]), set(asked.frame()["score"])) == ({10.0}, {1.0})


def test_preparations_of_another_run_are_asked_again(
    run: Any, niah: Niah, endpoint: Endpoint, folder: Path
) -> None:
    write(folder / "run.yaml", RUN.format(base=endpoint.base, strategies="readagent"))
    write(folder / "cases" / "small.yaml", SUITE.replace(", 100]", "]"))
    endpoint.models["m"] = prepares
    asked = []
    for out, *options in (("old",), ("old",), ("new",), ("again", "--reuse")):
        assert run(f"runs/{out}.sqlite", *options, "--budget", "99usd").code == 0
        asked.append(len(endpoint.bodies("m")))
    assert asked == [asked[0], asked[0], 2 * asked[0], 2 * asked[0]]


@pytest.mark.parametrize(
    ("line", "option", "starts"),
    [("", (), True), ("budget: 0.01usd", (), False), ("budget: 9usd", ("--budget", "10tok"), False)],
)
def test_plan_says_whether_the_run_would_start(
    run: Any, niah: Niah, endpoint: Endpoint, folder: Path, line: str, option: tuple[str, ...], starts: bool
) -> None:
    config = folder / "run.yaml"
    write(config, f"{config.read_text()}{line}\n")
    endpoint.models["m"] = lambda prompt: RIGHT
    assert json.loads(niah("plan", "run.yaml", *option, "--json").out)["would_start"] == starts
    assert f"niah run would {'' if starts else 'not '}start" in says(niah("plan", "run.yaml", *option))
    assert run("runs/x.sqlite", *option).code == (0 if starts else 2)


def test_a_preparation_that_was_not_understood_is_asked_again(
    run: Any, niah: Niah, endpoint: Endpoint, folder: Path
) -> None:
    write(folder / "run.yaml", RUN.format(base=endpoint.base, strategies="tree-index"))
    write(folder / "cases" / "small.yaml", SUITE.replace("600", "9000").replace(", 100]", "]"))
    reply = {"choice": "none of them"}
    endpoint.models["m"] = lambda prompt: reply["choice"]
    run("runs/x.sqlite", "--budget", "99usd")
    assert column(niah, "runs/x.sqlite", "outcome") == ["preparation_error"]
    reply["choice"] = "1"
    assert run("runs/x.sqlite", "--retry", "preparation_error", "--budget", "99usd").code == 0
    assert column(niah, "runs/x.sqlite", "outcome") == ["scored"]


def test_invented_is_what_the_text_says_nowhere(niah: Niah, endpoint: Endpoint, folder: Path) -> None:
    document = "The mill has 62 sails. The barn has 17 doors. " * 9
    asked = {"id": "a", "document": document, "question": "How many sails has the mill?", "answers": ["62"]}
    write(folder / "cases" / "questions" / "q.jsonl", json.dumps(asked))
    models = [f'{{model: {name}, api_base: "{endpoint.base}"}}' for name in "mnj"]
    write(folder / "cases" / "asked.yaml", "questions: [q]")
    config = f"suite: asked\nreaders: [{models[0]}, {models[1]}]\nstrategies: [lc]\njudge: {models[2]}\n"
    write(folder / "q.yaml", config)
    endpoint.models |= {"m": lambda prompt: "Answer: 17", "n": lambda prompt: "Answer: 99", "j": blames}
    assert niah("run", "q.yaml", "--out", "q.sqlite").code == 0
    table = api.load_run(folder / "q.sqlite").table("causes").set_index("reader")
    assert (table.loc["m", "invented"], table.loc["n", "invented"]) == (0, 1)


def blames(prompt: str) -> str:
    """A judge that calls the answer's number wrong."""
    wrong = re.findall("17|99", json.loads(prompt[prompt.index("{") :])["answer"])
    return verdict(missing=["62"], wrong=wrong, score=1)
