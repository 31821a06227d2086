"""Plans and budgets of runs whose judge and embedder are asked over the network, end to end."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.text.tokenizer import count, get_tokenizer
from tests.cli.judging.endpoint import verdict_on
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 6
SUITE = f"""
haystacks: [essays]
needle_sets: [three-gates]
lengths: [512]
depths: {[20 * i for i in range(PLANNED)]}
"""
EMBEDDER = "openai/text-embedding-3-small"
# US dollars for a million tokens: for one, a tenth of a cent and a cent; the judge's are a tenth of that.
PRICES = "prices: {simulated: {input: 1000, output: 10000}, strict: {input: 100, output: 1000}}\n"
# What the endpoint says of every call: of a reader's 500 tokens read, of a judge's 100, and 20 written.
READ, VERDICT = 500 * 0.001 + 20 * 0.01, 100 * 0.0001 + 20 * 0.001
ANSWER = "50317, 82946 and 17685"


@dataclass
class Endpoint:
    """Answers, judges (unless it is broken) and embeds; keeps what it was asked."""

    base_url: str = ""
    broken: bool = False
    read: int = 0
    judged: int = 0
    at_once: int = 0
    most_at_once: int = 0
    embedded: list[str] = field(default_factory=list)

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        if "input" in body:
            self.embedded += body["input"]
            data = [
                {"object": "embedding", "index": i, "embedding": [1.0, float(len(text))]}
                for i, text in enumerate(body["input"])
            ]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            return {"object": "list", "model": body["model"], "data": data, "usage": usage}
        read = 100 if body["messages"][0]["role"] == "system" else 500
        return completion(self._said(body["messages"]), read, 20)

    def _said(self, messages: list[dict[str, str]]) -> str:
        if messages[0]["role"] != "system":
            self.read += 1
            return ANSWER
        self.judged += 1
        asked = json.loads(messages[1]["content"])
        verdict = verdict_on(asked) | {"wrong": [], "score": 10}
        return "I would rather not." if self.broken else json.dumps(verdict)


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    made, lock = Endpoint(), threading.Lock()

    def reply(post: Post) -> Reply:
        with lock:
            made.at_once += 1
            made.most_at_once = max(made.most_at_once, made.at_once)
            answered = made.reply(post.body)
        time.sleep(0.05)
        with lock:
            made.at_once -= 1
        return Reply(answered)

    with replying(reply) as address:
        made.base_url = f"{address}/v1"
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("NIAH_BUDGET", raising=False)
        monkeypatch.setenv("NIAH_CACHE", str(tmp_path.with_name(f"{tmp_path.name}-cache")))
        monkeypatch.setenv("OPENAI_API_BASE", made.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "planted-0123456789")
        Path("grid.yaml").write_text(SUITE)
        write(made)
        yield made


def write(endpoint: Endpoint, prices: str = PRICES, strategy: str = "lc") -> None:
    Path("small.yaml").write_text(
        "suite: grid.yaml\n"
        f"readers: [{{model: simulated, api_base: {endpoint.base_url}, concurrency: 4}}]\n"
        f"strategies: [{strategy}]\n"
        f"judge: {{model: strict, api_base: {endpoint.base_url}}}\n{prices}"
    )


def run(budget: str, *more: str) -> int:
    return main(["run", "small.yaml", "--budget", budget, *more])


def planned(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["plan", "small.yaml", "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def spent() -> float:
    """What readers and judges cost, by the run file."""
    with sqlite3.connect("runs/small.sqlite") as db:
        (usd,) = db.execute(
            "SELECT (SELECT total(cost) FROM trials) + (SELECT total(cost) FROM verdicts)"
        ).fetchone()
    return float(usd)


def refused(capsys: pytest.CaptureFixture[str], budget: str) -> str:
    capsys.readouterr()
    assert run(budget) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_the_plan_has_the_judge(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    document = planned(capsys)
    (reader,), judge = document["readers"], document["judge"]
    assert (judge["judge"], judge["calls"], judge["answer_tokens"]) == ("strict", PLANNED, PLANNED * 200)
    assert judge["usd"] == pytest.approx(judge["prompt_tokens"] * 0.0001 + judge["answer_tokens"] * 0.001)
    # A budget has to hold all that the reader may take, and what is expected of the judge.
    assert document["total"]["budget_usd"] == pytest.approx(reader["usd_at_most"] + judge["usd"])
    assert document["total"]["calls"] == 2 * PLANNED
    assert main(["plan", "small.yaml"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[2].split()[:3] == ["judge", "strict", str(PLANNED)]
    assert "free and asks nobody" not in out
    # Nothing was asked for that.
    assert (endpoint.read, endpoint.judged) == (0, 0)


@pytest.mark.parametrize("unit", ["usd", "tok"])
def test_a_budget_that_holds_for_reader_and_judge(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str], unit: str
) -> None:
    needed = planned(capsys)["total"]["budget_usd" if unit == "usd" else "budget_tokens"]
    less = needed - (0.001 if unit == "usd" else 1)
    assert "the run may take" in refused(capsys, f"{less:.10g}{unit}")
    assert sorted(path.name for path in Path().iterdir()) == ["grid.yaml", "small.yaml"]
    assert (endpoint.read, endpoint.judged) == (0, 0)
    assert run(f"{needed:.10g}{unit}") == 0
    assert (endpoint.read, endpoint.judged) == (PLANNED, PLANNED)
    assert spent() == pytest.approx(PLANNED * (READ + VERDICT))


def test_a_trial_starts_only_if_its_verdict_can_be_paid_for(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = planned(capsys)["total"]["budget_usd"] / PLANNED
    # The plan would refuse this budget; here it is let through, as if more had been taken than planned.
    monkeypatch.setattr("niah.runs.cost.budget.check_budget", lambda *_: None)
    taken = READ + VERDICT
    # After two trials there is room for a third; after that, a cent is missing.
    budget = one + 3 * taken - 0.01
    assert one > taken
    assert run(f"{budget:.10g}usd") == 3
    assert (endpoint.read, endpoint.judged, endpoint.most_at_once) == (3, 3, 1)
    assert spent() == pytest.approx(3 * taken)
    assert f"{spent():.2f} USD spent, 3 of 6 trials not run" in capsys.readouterr().err
    # The verdicts of before count, and show that the next take less than was expected: one more can start.
    for _ in range(2):
        assert run(f"{budget:.10g}usd") == 3
        assert endpoint.read == endpoint.judged == 4
    assert run("1000usd") == 0
    assert endpoint.read == endpoint.judged == PLANNED


def test_embedders_are_planned_and_set_aside(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    write(endpoint, f"{PRICES[:-2]}, {EMBEDDER}: {{input: 1000}}}}\n", f"{EMBEDDER}/top-2/norm@100")
    document = planned(capsys)
    (embedder,) = document["embedders"]
    assert embedder["embedder"] == EMBEDDER
    assert embedder["usd"] == pytest.approx(embedder["prompt_tokens"] * 0.001)
    assert main(["plan", "small.yaml"]) == 0
    assert endpoint.embedded == []
    needed = document["total"]["budget_usd"]
    assert "the run may take" in refused(capsys, f"{needed - 0.001:.10g}usd")
    assert run(f"{needed:.10g}usd") == 0
    embedded = sum(count(get_tokenizer("cl100k"), text) for text in endpoint.embedded)
    assert 0.5 <= embedder["prompt_tokens"] / embedded <= 2
    # What nobody meters stays set aside when the run goes on.
    assert run(f"{spent() + 0.001:.10g}usd") == 2
    (left,) = [planned(capsys)["embedders"]]
    assert left == []
