"""``niah plan`` and ``niah run --budget``: what readers and judges take, end to end."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Reply, completion, replying, verdict

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED, THOUGHTS = 6, 1500
SUITE = "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0, 20, 40, 60, 80, 100]}"
# US dollars for a million tokens: for one, a tenth of a cent and a cent; the judge's are a tenth of that.
PRICES = "prices: {simulated: {input: 1000, output: 10000}, strict: {input: 100, output: 1000}}\n"


@dataclass
class Endpoint:
    """Answers and judges; every answer took 500 and 20 tokens, every verdict 100 and 20.

    Model t thinks 1,500 tokens before it answers.
    """

    base_url: str = ""
    asked: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    finish: str = "stop"

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        messages = body["messages"]
        if body["model"] == "t":
            assert body["max_tokens"] >= THOUGHTS + 20
            made = completion("50317, 82946 and 17685", 500, THOUGHTS + 20)
            made["usage"]["completion_tokens_details"] = {"reasoning_tokens": THOUGHTS}
            made["choices"][0]["message"]["reasoning_content"] = "hm " * THOUGHTS  # like vLLM
            return made
        if messages[0]["role"] != "system":
            self.asked["m"] += 1
            return completion("50317, 82946 and 17685", 500, 20, finish_reason=self.finish)
        self.asked["judge"] += 1
        names = [each["name"] for each in json.loads(messages[1]["content"])["elements"]]
        return completion(verdict(names), 100, 20)


@pytest.fixture
def endpoint(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    made = Endpoint()
    with replying(lambda post: Reply(made.reply(post.body))) as address:
        made.base_url = f"{address}/v1"
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
        Path("grid.yaml").write_text(SUITE)
        write(made)
        yield made


def write(endpoint: Endpoint, prices: str = PRICES, judge: str | None = None) -> None:
    at = f"api_base: {endpoint.base_url}"
    Path("small.yaml").write_text(
        f"suite: grid.yaml\nreaders: [{{model: simulated, {at}, concurrency: 4}}]\nstrategies: [lc]\n"
        f"judge: {judge or f'{{model: strict, {at}}}'}\n{prices}"
    )


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


def spent(*columns: str) -> float:
    """What readers and judges took, by the run file."""
    tables = ("trials", "verdicts")
    parts = [f"(SELECT total({each}) FROM {table})" for each in columns for table in tables]
    with closing(sqlite3.connect("runs/small.sqlite")) as db:
        return float(db.execute(f"SELECT {' + '.join(parts)}").fetchone()[0])


def test_a_folder_is_no_file_and_a_price_of_no_model_is_said(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("logs").mkdir()
    for option in ("--log", "--out"):  # before any call is planned
        assert refused(capsys, option, "logs") == "niah: logs: Is a directory. Name another file or folder.\n"
    assert main(["plan", "small.yaml", "--judge", "rubric"]) == 0
    assert "prices: strict: no model of this run. Its models: simulated." in capsys.readouterr().out
    write(endpoint, judge="rubric")
    said = "niah: small.yaml: prices: no model of this run called 'strict'. Known: simulated.\n"
    assert refused(capsys) == said


def test_money_by_hand(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert main(["run", "small.yaml", "--budget", "1000usd", "--limit", "4"]) == 0
    before = Path("runs/small.sqlite").read_bytes()
    document = planned(capsys)
    (reader,), total = document["readers"], document["total"]
    assert (total["trials"], total["finished"], reader["calls"]) == (6, 4, 2)
    assert reader["answer_tokens"] == 2 * 20  # as long as the answers so far
    assert Path("runs/small.sqlite").read_bytes() == before
    with closing(sqlite3.connect("runs/small.sqlite")) as db, db:  # as of what was answered on the way
        db.execute("UPDATE trials SET own_prompt_tokens = NULL, completion_tokens = 0 WHERE place < 3")
    assert planned(capsys)["readers"][0]["answer_tokens"] == 2 * 20
    monkeypatch.setenv("NIAH_RUN_BUDGET", "2tok")
    assert "its budget is 3 tokens" in refused(capsys, "--budget", "3tok")
    assert "its budget is 2 tokens" in refused(capsys)
    assert endpoint.asked == {"m": 4, "judge": 4}
    # Behind rules a model judges about a third.
    write(endpoint, judge=f"{{model: rubric+strict, api_base: {endpoint.base_url}}}")
    assert planned(capsys, "--out", "x.sqlite")["judge"]["calls"] == 3  # 0.35 of 6


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
    assert not endpoint.asked
    assert main(["run", "small.yaml", "--budget", f"{needed:.10g}{unit}"]) == 0
    assert endpoint.asked == {"m": PLANNED, "judge": PLANNED}
    one = 500 * 0.001 + 20 * 0.01 + 100 * 0.0001 + 20 * 0.001
    assert spent("cost") == pytest.approx(PLANNED * one)
    assert spent("prompt_tokens", "completion_tokens") == PLANNED * (500 + 20 + 100 + 20)


def test_what_is_asked_again_stays_spent(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    endpoint.finish, budget = "length", f"{planned(capsys)['total']['budget_tokens'] + 5_000}tok"
    assert main(["run", "small.yaml", "--budget", budget]) == 4
    assert main(["run", "small.yaml", "--budget", budget, "--retry", "truncated"]) == 4
    assert endpoint.asked == {"m": 2 * PLANNED}
    assert main(["run", "small.yaml", "--budget", budget, "--retry", "truncated"]) == 2
    assert f"and took {2 * PLANNED * 520:,} tokens before" in capsys.readouterr().err


def test_thoughts_are_planned_budgeted_and_priced(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    thinking = "thinking_tokens: 2000, system: Say only the number."
    reader = f"{{model: t, api_base: {endpoint.base_url}, name: thinker, {thinking}}}"
    prices = "prices: {thinker: {input: 1, output: 10}}"
    Path("small.yaml").write_text(f"suite: grid.yaml\nstrategies: [lc]\nreaders: [{reader}]\n{prices}\n")
    (before,) = planned(capsys)["readers"]
    assert before["thinking_tokens"] == PLANNED * 2000
    assert before["tokens_at_most"] - before["prompt_tokens_at_most"] > PLANNED * 2000
    assert before["prompt_tokens"] == PLANNED * (512 + 5)  # "Say only the number."
    money = (before["prompt_tokens"] + 10 * (before["answer_tokens"] + before["thinking_tokens"])) / 1e6
    assert before["usd"] == pytest.approx(money)
    Path("small.yaml").write_text(Path("small.yaml").read_text().replace("{thinker: {", "{t: {"))
    assert planned(capsys)["readers"] == [before]  # a price by the model behind the name
    assert main(["plan", "small.yaml"]) == 0
    table = capsys.readouterr().out
    assert re.search(r"prompt +thinking +answer", table)
    assert max(len(line) for line in table.splitlines()[:3]) <= 80
    assert "the run may take" in refused(capsys, "--budget", "12ktok")  # six answers may take more
    assert not endpoint.bodies
    assert main(["run", "small.yaml", "--limit", "2"]) == 0
    assert endpoint.bodies[0]["messages"][0] == {"role": "system", "content": "Say only the number."}
    (after,) = planned(capsys)["readers"]
    assert (after["calls"], after["thinking_tokens"], after["answer_tokens"]) == (4, 4 * 1500, 4 * 20)
    assert main(["export", "small"]) == 0
    row = json.loads(capsys.readouterr().out.splitlines()[0])
    assert row["thinking_cost"] == pytest.approx(1500 * 10e-6)
    assert row["cost"] == pytest.approx(500e-6 + 20 * 10e-6 + 1500 * 10e-6)


def test_a_plan_says_what_it_does_not_count(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    model = "openai/text-embedding-3-small"
    assert main(["plan", "small.yaml", "--strategies", f"lc,{model}/top-1/norm"]) == 0
    assert f"What {model} takes for retrieval is in no plan and no budget." in capsys.readouterr().out
