"""Endpoints, retrievers and applications in whole runs: they fail, die or hang; what they report counts."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import count, cycle
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from niah.cli.main import main
from niah.readers.reader import Patience
from niah.runs.file.read import read_run
from niah.runs.trial import rows_of
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("in_folder", "without_figures")


def write_run(server: SimulatedServer, depths: range, *strategies: str) -> None:
    grid = f"haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [1024]\ndepths: {list(depths)}\n"
    listed = "".join(f"  - {strategy}\n" for strategy in strategies)
    reader = f"{{model: simulated, api_base: {server.base_url}}}"
    Path("own.yaml").write_text(f"{grid}readers: [{reader}]\nstrategies:\n{listed}")


def test_a_module_that_ends_the_program_and_an_error_without_words_end_no_run(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = "class Silent(Exception):\n    def __str__(self):\n        raise ValueError\n"
    Path("silent_module.py").write_text(f"{silent}def f(question, chunks):\n    raise Silent\n")
    write_run(
        simulated_server, range(0, 20, 10), "lc", "{name: mine, retrieve: 'silent_module:f', scope: top-1}"
    )
    assert main(["run", "own.yaml"]) in (0, 3, 4)
    assert {(r.strategy, r.outcome) for r in records()} == {("lc", "scored"), ("mine", "reader_error")}
    Path("ending_module.py").write_text("import sys\nsys.exit(0)\n")
    write_run(simulated_server, range(0, 20, 10), "{name: ends, retrieve: 'ending_module:f'}")
    assert main(["plan", "own.yaml"]) == 2
    assert "py:ending_module:f cannot be loaded: SystemExit: 0" in capsys.readouterr().err


def records() -> list[Any]:
    return rows_of(read_run(Path("runs/own.sqlite")).trials)


NO_JSON = "HTTP 200: the reply is no JSON"
FAULTS = [
    (Reply({"detail": "no such collection"}, 404), "HTTP 404: no such collection"),
    (Reply({"error": {"message": "bad key"}}, 401), "HTTP 401: bad key"),
    (Reply(b"<h1>It works!</h1>"), f"{NO_JSON}: unexpected character, expected a JSON value"),
    (Reply(b'{"answer": "The access'), f"{NO_JSON}: unexpected end of data"),
    (Reply({"answer": None}), "there is no answer in its reply: its answer is nothing, not a text"),
    (Reply({"output": "50317"}), "there is no answer in its reply: it has no key answer; its keys: output"),
    (Reply({"answer": "50317", "chunks": 3}), "its chunks are a number, not a list"),
    (Reply(b"", 302, {"Location": "/login"}), "HTTP 302: no message"),
]


def test_eight_ways_to_fail_are_outcomes_and_never_scores(simulated_server: SimulatedServer) -> None:
    replies = cycle(fault for fault, _ in FAULTS)
    with replying(lambda post: next(replies)) as address:
        write_run(simulated_server, range(0, 80, 10), f'{{name: app, system: "{address}"}}', "lc")
        main(["run", "own.yaml"])
    own = [record for record in records() if record.strategy == "app"]
    assert {(r.outcome, r.score, r.cost) for r in own} == {("reader_error", None, None)}
    assert sorted(r.reason for r in own) == sorted(f"{address} failed: {says}." for _, says in FAULTS)
    assert {(r.outcome, r.score) for r in records() if r.strategy == "lc"} == {("scored", 10)}


@pytest.mark.parametrize(
    ("key", "good"),
    [("retrieve", {"chunks": [{"text": "A passage."}]}), ("system", {"answer": "I do not know."})],
)
def test_what_is_under_way_when_a_service_dies_is_not_run(
    key: str, good: dict[str, Any], simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.retrieval.user._PATIENCE", Patience(attempts=3, first_wait_s=0.01))
    asked = count()
    with replying(lambda post: Reply(good) if next(asked) < 5 else None) as address:
        write_run(simulated_server, range(0, 100, 4), "lc", f'{{name: mine, {key}: "{address}"}}')
        assert main(["run", "own.yaml"]) == 4
    outcomes = Counter((record.strategy, record.outcome) for record in records())
    tallied = {("mine", "scored"): 5, ("mine", "reader_error"): 10, ("mine", "not_run"): 10}
    assert outcomes == {("lc", "scored"): 25, **tallied}


def test_an_application_that_hangs_once_it_is_asked_no_further_is_broken_off(
    simulated_server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.runs.execution.ask._GRACE_S", 0.2)
    asked, is_over, was_waited_for = count(), Event(), SimpleQueue[bool]()

    def reply(post: Post) -> Reply:
        if not (number := next(asked)):
            was_waited_for.put(not is_over.wait(30))
        return Reply({"detail": "Not Found"}, (404, 405, 410, 501)[number % 4])

    with replying(reply) as address:
        system = f'{{name: mine, system: "{address}/nope", concurrency: 2}}'
        write_run(simulated_server, range(0, 100, 5), system)
        assert main(["run", "own.yaml"]) == 4
        is_over.set()
    assert not was_waited_for.get(timeout=60)
    assert Counter(record.outcome for record in records()) == {"reader_error": 3, "not_run": 17}


def test_a_budget_holds_what_an_application_reports(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = {"prompt_tokens": 300, "completion_tokens": 30, "cost": 0.0125}
    asked: list[Post] = []

    def reply(post: Post) -> Reply:
        asked.append(post)
        return Reply({"answer": "50317", "usage": usage})

    with replying(reply) as address:
        write_run(simulated_server, range(0, 100, 10), f'{{name: served, system: "{address}/answer"}}')
        assert main(["run", "own.yaml", "--budget", "1000tok"]) == 3
        assert "stopped by its budget of 1,000 tokens: 990 tokens spent, 7 of 10" in capsys.readouterr().err
        assert len(asked) == 3
        assert main(["plan", "own.yaml", "--json"]) == 0
        (planned,) = json.loads(capsys.readouterr().out)["systems"]
        assert (planned["calls"], planned["prompt_tokens"], planned["usd"]) == (7, None, None)
        assert main(["run", "own.yaml", "--budget", "0.03usd"]) == 2
        assert "took 0.037 USD before" in capsys.readouterr().err
        assert main(["run", "own.yaml", "--budget", "0.2usd"]) == 0
        assert len(asked) == 10
        assert "did not report" not in capsys.readouterr().err
    write_run(simulated_server, range(1), '{name: engine, system: "my_engine.py:answer"}')
    Path("my_engine.py").write_text("def answer(question, document):\n    return 'no'\n")
    assert main(["run", "own.yaml", "--budget", "1Mtok", "--out", "runs/other.sqlite"]) == 0
    assert "engine did not report what 1 answer took: the budget" in capsys.readouterr().err


def test_what_an_application_takes_leaves_the_total_unknown_and_the_budget_holds_the_rest(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(simulated_server, range(2), "lc", '{name: engine, system: "my_engine.py:answer"}')
    Path("my_engine.py").write_text("def answer(question, document):\n    return 'no'\n")
    priced = "prices: {simulated: {input: 1000, output: 1000}}\n"
    Path("own.yaml").write_text(Path("own.yaml").read_text() + priced)
    assert main(["plan", "own.yaml", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    (most,) = [reader["usd_at_most"] for reader in plan["readers"]]
    assert (plan["total"]["usd"], plan["total"]["budget_usd"]) == (None, None)
    assert main(["run", "own.yaml", "--budget", f"{most - 0.01}usd"]) == 2
    assert "the run may take" in capsys.readouterr().err
    assert main(["run", "own.yaml", "--budget", f"{most}usd"]) == 0


PLANNED = 24
DEPTHS = list(range(PLANNED))
SUITE = f"{{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: {DEPTHS}}}"
REFUSED = Reply({"error": {"message": "Incorrect API key"}}, 401)
UNKNOWN_MODEL = {"error": {"message": "The model `broken` does not exist", "code": "model_not_found"}}
EXHAUSTED = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
FATAL: dict[str, tuple[Reply, str]] = {
    "a refused key": (REFUSED, "Set a key for this model; a reader's key_variable names it."),
    "an exhausted account": (Reply(EXHAUSTED, 429), "Fill up the account"),
    "an unknown model": (Reply(UNKNOWN_MODEL, 404), "Correct the model's name"),
    "a wait till tomorrow": (Reply({}, 429, {"Retry-After": "86400"}), "asked to wait 86400 s"),
    "another address": (Reply(b"", 308, {"Location": "https://elsewhere.example/"}), "elsewhere.example"),
    "a page in place of answers": (Reply(b"<html>Sign in</html>"), "an OpenAI-compatible endpoint's"),
}


def test_a_reader_is_stopped_after_a_few_and_the_others_go_on(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = {f"r{at}": reply for at, (reply, _) in enumerate(FATAL.values())}
    asked: Counter[str] = Counter()

    def reply(post: Post) -> Reply:
        name = post.path.split("/")[1]
        asked[name] += 1
        return replies.get(name, Reply(completion("Three lanterns.")))

    Path("mine.yaml").write_text(SUITE)
    with replying(reply) as address:
        readers = [
            {"model": "broken", "name": name, "api_base": f"{address}/{name}/v1", "concurrency": 4}
            for name in (*replies, "sound")
        ]
        config = {"suite": "mine.yaml", "strategies": ["lc"], "readers": readers}
        Path("run.yaml").write_text(json.dumps(config))
        assert main(["run", "run.yaml", "--out", "run.sqlite"]) == 4
    said = capsys.readouterr().err
    trials = read_run(Path("run.sqlite")).trials
    outcomes = {name: Counter(own["outcome"]) for name, own in trials.groupby("reader")}
    assert outcomes.pop("sound") == {"scored": PLANNED}
    assert main(["show", "run.sqlite"]) == 0
    shown = capsys.readouterr().out
    for (name, given), (_, told) in zip(replies.items(), FATAL.values(), strict=True):
        few = 10 if given.status == 200 else 3
        assert outcomes[name] == {"reader_error": few, "not_run": PLANNED - few}, told
        assert asked[name] <= few + 8
        assert told in said
        assert f"{name} is asked no further: " in said
        assert re.search(rf"stopped: .*\b{name} ", shown)
