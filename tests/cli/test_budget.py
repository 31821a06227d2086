"""``niah plan`` and ``niah run --budget``: what readers and judges take, end to end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 6
DEPTHS = "depths: [0, 20, 40, 60, 80, 100]"
SUITE = f"haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [512]\n{DEPTHS}\n"
# US dollars for a million tokens: for one, a tenth of a cent and a cent; the judge's are a tenth of that.
PRICES = "prices: {simulated: {input: 1000, output: 10000}, strict: {input: 100, output: 1000}}\n"
ANSWER = "50317, 82946 and 17685"


@dataclass
class Endpoint:
    """Answers and judges; says that every answer took so many tokens, and keeps what it was asked."""

    base_url: str = ""
    read_tokens: int = 500
    read: list[str] = field(default_factory=list)
    judged: int = 0

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        messages = body["messages"]
        if messages[0]["role"] != "system":
            self.read.append(messages[0]["content"])
            return completion(ANSWER, self.read_tokens, 20)
        self.judged += 1
        names = [each["name"] for each in json.loads(messages[1]["content"])["elements"]]
        verdict = {
            "missing": [],
            "wrong": [],
            "refused": False,
            "self_doubt": False,
            "reason": "",
            "score": 10,
        }
        verdict["evidence"] = [{"element": name, "quotation": name} for name in names]
        return completion(json.dumps(verdict), 100, 20)

    @property
    def asked(self) -> tuple[int, int]:
        return len(self.read), self.judged


@pytest.fixture
def endpoint(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    made = Endpoint()
    with replying(lambda post: Reply(made.reply(post.body))) as address:
        made.base_url = f"{address}/v1"
        monkeypatch.setenv("NIAH_CACHE", str(in_folder.with_name(f"{in_folder.name}-cache")))
        monkeypatch.setenv("OPENAI_API_BASE", made.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
        Path("grid.yaml").write_text(SUITE)
        write(made)
        yield made


def write(endpoint: Endpoint, prices: str = PRICES, strategy: str = "lc", judge: str = "strict") -> None:
    judged = f"{{model: {judge}, api_base: {endpoint.base_url}}}" if judge == "strict" else judge
    reader = f"{{model: simulated, api_base: {endpoint.base_url}, concurrency: 4}}"
    Path("small.yaml").write_text(
        f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: [{strategy}]\njudge: {judged}\n{prices}"
    )


def run(budget: str, *more: str) -> int:
    return main(["run", "small.yaml", "--budget", budget, *more])


def planned(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["plan", "small.yaml", "--json", *more]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a run that is not begun."""
    capsys.readouterr()
    before = sorted(Path().iterdir())
    assert main(["run", "small.yaml", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    return error


def spent(unit: str = "usd") -> float:
    """What readers and judges took, by the run file."""
    column = "cost" if unit == "usd" else "prompt_tokens) + total(completion_tokens"
    with closing(sqlite3.connect("runs/small.sqlite")) as db:
        parts = [f"(SELECT total({column}) FROM {table})" for table in ("trials", "verdicts")]
        return float(db.execute(f"SELECT {' + '.join(parts)}").fetchone()[0])


def test_money_by_hand(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_BASE")
    write(endpoint, prices="", judge="rubric")
    document = planned(capsys, "--model", "openai/gpt-4o")
    (reader,) = document["readers"]
    assert (reader["calls"], reader["prompt_tokens"]) == (PLANNED, PLANNED * 512)
    # gpt-4o: 2.50 USD and 10 USD for a million tokens.
    assert reader["usd"] == pytest.approx(reader["prompt_tokens"] * 2.5e-6 + reader["answer_tokens"] * 10e-6)
    answers = reader["tokens_at_most"] - reader["prompt_tokens_at_most"]
    at_most = reader["prompt_tokens_at_most"] * 2.5e-6 + answers * 10e-6
    assert document["total"]["budget_usd"] == pytest.approx(at_most)
    assert "sk-planted" not in json.dumps(document)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted-0123456789")
    unknown = ("--model", "anthropic/of-no-price", "--budget", "1000usd")
    assert "the price of anthropic/of-no-price is unknown" in refused(capsys, *unknown)


def test_finished_trials_are_subtracted_and_a_flag_comes_before_all(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("1000usd", "--limit", "4") == 0
    before = Path("runs/small.sqlite").read_bytes()
    document = planned(capsys)
    (reader,), total = document["readers"], document["total"]
    assert (total["trials"], total["finished"], reader["calls"]) == (6, 4, 2)
    assert reader["answer_tokens"] == 2 * 20  # as long as the answers so far
    assert Path("runs/small.sqlite").read_bytes() == before
    monkeypatch.setenv("NIAH_RUN_BUDGET", "2tok")
    assert "its budget is 3 tokens" in refused(capsys, "--budget", "3tok")
    assert "its budget is 2 tokens" in refused(capsys)
    assert endpoint.asked == (4, 4)


@pytest.mark.parametrize("unit", ["usd", "tok"])
def test_a_budget_that_holds_for_reader_and_judge(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str], unit: str
) -> None:
    document = planned(capsys)
    (reader,), judge, total = document["readers"], document["judge"], document["total"]
    assert (judge["calls"], judge["answer_tokens"], total["calls"]) == (PLANNED, PLANNED * 200, 2 * PLANNED)
    # A budget has to hold all that the reader may take, and what is expected of the judge.
    assert total["budget_usd"] == pytest.approx(reader["usd_at_most"] + judge["usd"])
    needed = total["budget_usd" if unit == "usd" else "budget_tokens"]
    less = needed - (0.001 if unit == "usd" else 1)
    assert "the run may take" in refused(capsys, "--budget", f"{less:.10g}{unit}")
    assert endpoint.asked == (0, 0)
    assert run(f"{needed:.10g}{unit}") == 0
    assert endpoint.asked == (PLANNED, PLANNED)
    one = 500 * 0.001 + 20 * 0.01 + 100 * 0.0001 + 20 * 0.001 if unit == "usd" else 500 + 20 + 100 + 20
    assert spent(unit) == pytest.approx(PLANNED * one)
