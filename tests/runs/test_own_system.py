"""Applications of users in whole runs: the examples of docs/own-rag.md, and eight ways to fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.read_model import read_run
from niah.runs.trial import TrialRecord
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, replying

PAGE = (Path(__file__).parents[2] / "docs" / "own-rag.md").read_text(encoding="utf-8")
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
    assert main(["plan", "own.yaml"]) == 0
    planned = capsys.readouterr()
    assert "served answers 2 times by itself, which is not in the plan." in planned.out + planned.err
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
    (Reply(b"<h1>It works!</h1>"), "HTTP 200: the reply is no JSON"),
    (Reply(b'{"answer": "The access'), "HTTP 200: the reply is no JSON"),
    (Reply({"answer": None}), "there is no answer in its reply: answer is a NoneType, not text"),
    (Reply({"output": "50317"}), "there is no answer in its reply: answer is a NoneType, not text"),
    (Reply({"answer": "50317", "chunks": 3}), "its chunks are a int, not a list"),
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
    assert "8 reader errors; --retry reader_error asks again." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ('{name: app, system: "my_app:ask"}', "module 'my_app' has no attribute 'ask'"),
        ('{name: oracle, system: "my_app:answer"}', "'oracle' is no name for a strategy of your own."),
        ('{name: app, system: "my_app:answer", order: norm}', "has system and order. A system retrieves by"),
        ('{name: app, system: "http://127.0.0.1:9/answer"}', "nothing answers at http://127.0.0.1:9/answer:"),
        ("system:my_app", "'py:my_app' names no Python function."),
    ],
)
def test_mistakes_are_met_before_anything_is_asked(
    strategy: str, says: str, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(simulated_server, [0], "lc", strategy)
    assert main(["run", "own.yaml"]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert not Path("runs").exists()
    assert not simulated_server.prompts


def test_what_needs_a_retriever_or_a_budget_takes_no_application(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(simulated_server, [0], "lc", '{name: app, system: "my_app:answer"}')
    assert main(["run", "own.yaml", "--budget", "1Mtok"]) == 2
    assert "a budget does not hold what app takes, which pays for itself." in capsys.readouterr().err
    assert not Path("runs").exists()
    assert main(["retrieve", "gates", "--strategies", "system:my_app:answer"]) == 2
    assert "system:my_app:answer is a whole application" in capsys.readouterr().err
