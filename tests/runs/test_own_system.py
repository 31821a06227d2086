"""Applications of users in whole runs: the examples of docs/strategies.md, and eight ways to fail."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import cycle
from pathlib import Path
from threading import Event, Lock
from types import SimpleNamespace
from typing import Any

import pytest

from niah.cli.main import main
from niah.retrieval.user import code_of
from niah.runs.file.read_model import read_run
from niah.runs.trial import TrialRecord
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, replying

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))
GATE = re.compile(r"[^.?!]*access code[^.?!]*\.")

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _with_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    for name, text in EXAMPLES.items():
        Path(f"{name}.py").write_text(text)
    Path("cases").mkdir()


def write_run(server: SimulatedServer, depths: list[int], *strategies: str) -> None:
    Path("cases/gates.yaml").write_text(
        f"haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [1024]\ndepths: {depths}\n"
    )
    listed = "".join(f"  - {strategy}\n" for strategy in strategies)
    reader = f"{{model: simulated, api_base: {server.base_url}}}"
    Path("own.yaml").write_text(f"suite: gates\nreaders: [{reader}]\nstrategies:\n{listed}")


def records() -> list[TrialRecord]:
    return list(read_run(Path("runs/own.sqlite")).records)


class QueryEngine:
    """As LlamaIndex's: ``query`` gives a response with source nodes."""

    def __init__(self, documents: list[str]) -> None:
        self.text = documents[0]

    def as_query_engine(self) -> QueryEngine:
        return self

    def query(self, question: str) -> Any:
        told = [match[0].strip() for match in GATE.finditer(self.text)]
        nodes = [
            SimpleNamespace(node=SimpleNamespace(get_content=lambda s=said: s), score=1) for said in told
        ]
        return SimpleNamespace(response=" ".join(told), source_nodes=nodes)


@pytest.fixture
def served() -> Iterator[tuple[str, list[Any]]]:
    asked: list[Any] = []

    def reply(post: Post) -> Reply:
        asked.append(post.body)
        told = [match[0].strip() for match in GATE.finditer(post.body["document"])]
        usage = {"prompt_tokens": 300, "completion_tokens": 30, "cost": 0.0125}
        return Reply({"answer": " ".join(told), "chunks": [*told, "Nobody wrote this."], "usage": usage})

    with replying(reply) as address:
        yield f"{address}/answer", asked


def test_applications_stand_beside_full_context_and_retrieval(
    simulated_server: SimulatedServer,
    served: tuple[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(".")
    monkeypatch.setattr(import_module("engine"), "build_index", QueryEngine, raising=False)
    address, asked = served
    own = ('{name: app, system: "my_app:answer"}', '{name: engine, system: "engine:answer"}')
    http = f'{{name: served, system: "{address}"}}'
    write_run(simulated_server, [0, 50], "lc", "bm25/top-5/norm@100", *own, http, "system:py:my_app:answer")
    assert main(["run", "own.yaml"]) == 2
    assert "'system:py:my_app:answer' is the same strategy as 'app'" in capsys.readouterr().err
    write_run(simulated_server, [0, 50], "lc", "bm25/top-5/norm@100", *own, http)
    assert main(["plan", "own.yaml", "--json"]) == 0
    systems = {each["system"]: each for each in json.loads(capsys.readouterr().out)["systems"]}
    assert {name: each["calls"] for name, each in systems.items()} == {"app": 2, "engine": 2, "served": 2}
    assert {each[key] for each in systems.values() for key in ("usd", "prompt_tokens")} == {None}
    assert main(["run", "own.yaml"]) == 0
    said = capsys.readouterr().err
    found = {name: [r for r in records() if r.strategy == name] for name in ("lc", "app", "engine", "served")}
    assert {r.outcome for r in records()} == {"scored"}
    assert {(r.score, r.retrieval_completeness, r.foreign) for r in found["engine"]} == {(10, 1.0, 0)}
    assert {(r.score, r.retrieval_completeness, r.foreign) for r in found["served"]} == {(10, 1.0, 1)}
    assert {(r.prompt_tokens, r.completion_tokens, r.cost) for r in found["served"]} == {(300, 30, 0.0125)}
    assert {(r.prompt_tokens, r.cost, r.context_tokens) for r in found["engine"]} == {(None, None, None)}
    assert {(r.prompt_tokens, r.cost) for r in found["app"]} == {(210, 0.0004)}
    assert {r.retrieved for r in found["app"]} == {1}
    assert found["served"][0].definition == f"system:{address}"
    assert "served: for 2 questions its retriever gave 2 chunks that are none of the context's" in said
    assert sorted(asked[0]) == ["document", "question"]
    assert (len(simulated_server.prompts), len(asked)) == (4, 2)
    assert main(["run", "own.yaml"]) == 0
    assert (len(simulated_server.prompts), len(asked)) == (4, 2)
    assert main(["report", "runs/own.sqlite"]) == 0
    (page,) = Path("plots").rglob("index.html")
    assert all(name in page.read_text() for name in found)


FAULTS = [
    (Reply({"detail": "no such collection"}, 404), "HTTP 404: no such collection"),
    (Reply({"error": {"message": "bad key"}}, 401), "HTTP 401: bad key"),
    (
        Reply(b"<h1>It works!</h1>", 200, {"Content-Type": "text/html; charset=utf-8"}),
        "HTTP 200: the reply is no JSON: unexpected character, expected a JSON value",
    ),
    (Reply(b'{"answer": "The access'), "HTTP 200: the reply is no JSON: unexpected end of data"),
    (Reply({"answer": None}), "there is no answer in its reply: its answer is nothing, not a text"),
    (Reply({"output": "50317"}), "there is no answer in its reply: it has no key answer; its keys: output"),
    (Reply({"answer": "50317", "chunks": 3}), "its chunks are a number, not a list"),
    (Reply(b"", 302, {"Location": "/login"}), "HTTP 302: no message"),
]


def test_eight_ways_to_fail_are_outcomes_and_never_scores(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = cycle(fault for fault, _ in FAULTS)
    with replying(lambda post: next(replies)) as address:
        write_run(simulated_server, list(range(0, 80, 10)), f'{{name: app, system: "{address}"}}', "lc")
        main(["run", "own.yaml"])
    own = [record for record in records() if record.strategy == "app"]
    assert {(r.outcome, r.score, r.cost) for r in own} == {("reader_error", None, None)}
    assert sorted(r.reason for r in own) == sorted(f"{address} failed: {says}." for _, says in FAULTS)
    assert {(r.outcome, r.score) for r in records() if r.strategy == "lc"} == {("scored", 10)}


def test_what_was_answered_before_is_not_asked_again(
    simulated_server: SimulatedServer,
    served: tuple[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(Path("kept").resolve()))
    address, asked = served
    Path("counting.py").write_text(
        "import pathlib\n"
        "def answer(question, document):\n"
        "    with pathlib.Path('asked').open('a') as file:\n"
        "        print(question, file=file)\n"
        "    return 'nothing'\n"
    )
    systems = [f'{{name: served, system: "{address}"}}', '{name: counting, system: "counting.py:answer"}']
    write_run(simulated_server, [0, 50], *systems)
    assert main(["run", "own.yaml"]) == 0
    first = {record.case_id: record for record in records() if record.strategy == "served"}
    assert main(["run", "own.yaml", "--out", "runs/again.sqlite", "--reuse"]) == 0
    assert (len(asked), len(Path("asked").read_text().splitlines())) == (2, 2)
    assert "4 of 4 answers are from an earlier run (" in capsys.readouterr().out
    again = [r for r in read_run(Path("runs/again.sqlite")).records if r.strategy == "served"]
    for record in again:
        before = first[record.case_id]
        assert (record.answer, record.score, record.best) == (before.answer, before.score, before.best)
        assert (record.from_cache, record.cost, record.foreign) == (True, None, 1)
    assert main(["run", "own.yaml", "--out", "runs/anew.sqlite"]) == 0
    assert (len(asked), len(Path("asked").read_text().splitlines())) == (4, 4)
    write_run(simulated_server, [0, 50], systems[0].replace("}", ", version: 2}"))
    assert main(["run", "own.yaml", "--out", "runs/second.sqlite"]) == 0
    assert len(asked) == 6


@pytest.mark.parametrize("at_once", [1, 4])
def test_an_application_is_asked_as_much_at_once_as_it_may_be(
    at_once: int, simulated_server: SimulatedServer
) -> None:
    lock, as_many, under_way, most = Lock(), Event(), 0, 0

    def reply(post: Post) -> Reply:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
            if most == at_once:
                as_many.set()
        as_many.wait(30)
        time.sleep(0.1)  # so that one more than may be would be seen
        with lock:
            under_way -= 1
        return Reply({"answer": "50317"})

    with replying(reply) as address:
        system = f'{{name: app, system: "{address}", concurrency: {at_once}}}'
        write_run(simulated_server, list(range(0, 80, 10)), system)
        assert main(["run", "own.yaml"]) == 0
    assert most == at_once
    assert {record.outcome for record in records()} == {"scored"}


def test_code_that_was_changed_is_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "changing.py"
    file.write_text("def answer(question, document):\n    return 'one'\n")
    one = code_of(f"py:{file}:answer")
    assert one == code_of(f"py:{file}:other")
    file.write_text("def answer(question, document):\n    return 'two'\n")
    assert code_of(f"py:{file}:answer") not in ("", one)
    assert len(code_of("py:json:loads")) == 16
    assert {code_of("py:no_such_module:f"), code_of("py:sys:exit"), code_of("http://127.0.0.1/x")} == {""}


def test_a_budget_holds_what_an_application_reports(
    simulated_server: SimulatedServer, served: tuple[str, list[Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    address, asked = served
    write_run(simulated_server, list(range(0, 100, 10)), f'{{name: served, system: "{address}"}}')
    assert main(["run", "own.yaml", "--budget", "1000tok"]) == 3
    assert "stopped by its budget of 1,000 tokens: 990 tokens spent, 7 of 10" in capsys.readouterr().err
    assert len(asked) == 3
    assert main(["plan", "own.yaml", "--json"]) == 0
    (planned,) = json.loads(capsys.readouterr().out)["systems"]
    assert (planned["calls"], planned["prompt_tokens"], planned["usd"]) == (7, 2100, 0.0875)
    assert main(["run", "own.yaml", "--budget", "0.1usd"]) == 2
    assert "the run may take 0.087 USD, and took 0.037 USD before" in capsys.readouterr().err
    assert main(["run", "own.yaml", "--budget", "0.2usd"]) == 0
    assert len(asked) == 10
    write_run(simulated_server, [0], '{name: engine, system: "my_engine.py:answer"}')
    Path("my_engine.py").write_text("def answer(question, document):\n    return 'no'\n")
    assert main(["run", "own.yaml", "--budget", "1Mtok", "--out", "runs/other.sqlite"]) == 0
    assert "engine did not report what 1 answers took: the budget" in capsys.readouterr().err
