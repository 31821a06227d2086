"""A run that its budget stops, and one that goes on with a greater one, end to end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 24
SUITE = f"""
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: {list(range(0, 96, 4))}
"""
CONFIG = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\nconcurrency: 4\n"
# US dollars for a million tokens: a tenth of a cent and a cent for one.
PRICES = "prices: {simulated: {input: 1000, output: 10000, cached_input: 500}}\n"
# Each prompt has 512 tokens by our count, and the chat's roles may make 544 of it. It is sold as twice that.
REPORTED_PROMPT = 2 * 544
REPORTED_ANSWER = 10
TAKEN = {"tok": REPORTED_PROMPT + REPORTED_ANSWER, "usd": REPORTED_PROMPT * 0.001 + REPORTED_ANSWER * 0.01}


@dataclass
class Dear:
    """A real endpoint that counts more prompt tokens than there are; ``prompts`` lists what it was asked."""

    base_url: str = ""
    prompts: list[str] = field(default_factory=list)


@pytest.fixture
def dear() -> Iterator[Dear]:
    endpoint = Dear()

    def reply(post: Post) -> Reply:
        endpoint.prompts.append(post.body["messages"][0]["content"])
        return Reply(completion("Three lanterns.", REPORTED_PROMPT, REPORTED_ANSWER))

    with replying(reply) as address:
        endpoint.base_url = f"{address}/v1"
        yield endpoint


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("mine.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG + PRICES)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def arguments(command: str, server: Dear) -> list[str]:
    where = ["--model", "simulated", "--api-base", server.base_url, "--out", "run.sqlite"]
    return [command, "small.yaml", *where]


def run(server: Dear, budget: str) -> int:
    return main([*arguments("run", server), "--budget", budget])


def planned(server: Dear, capsys: pytest.CaptureFixture[str], unit: str) -> float:
    """What the whole run may take at most, as ``niah plan`` says."""
    capsys.readouterr()
    assert main([*arguments("plan", server), "--json"]) == 0
    total = json.loads(capsys.readouterr().out)["total"]
    return float(total["budget_usd" if unit == "usd" else "budget_tokens"])


def exported() -> list[dict[str, Any]]:
    assert main(["export", "run.sqlite", "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def taken(rows: list[dict[str, Any]], unit: str) -> float:
    if unit == "usd":
        return float(sum(row["cost"] or 0 for row in rows))
    return sum((row["prompt_tokens"] or 0) + (row["completion_tokens"] or 0) for row in rows)


@pytest.mark.parametrize(("unit", "less"), [("usd", 0.001), ("tok", 1)])
def test_a_plan_above_the_budget_is_refused(
    dear: Dear, capsys: pytest.CaptureFixture[str], unit: str, less: float
) -> None:
    at_most = planned(dear, capsys, unit)
    assert run(dear, f"{at_most - less:.10g}{unit}") == 2
    error = capsys.readouterr().err
    assert "the run may take" in error
    assert error.count("\n") == 1
    assert dear.prompts == []
    assert present() == ["mine.yaml", "small.yaml"]


def test_money_without_a_price_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(CONFIG)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted-0123456789")
    # litellm's table has no such model; nothing is asked before the prices are looked at.
    model = ["--model", "anthropic/claude-of-no-price"]
    assert main(["run", "small.yaml", *model, "--budget", "1000usd"]) == 2
    error = capsys.readouterr().err
    assert "the price of anthropic/claude-of-no-price is unknown" in error
    assert error.count("\n") == 1
    assert present() == ["mine.yaml", "small.yaml"]


@pytest.mark.parametrize("unit", ["usd", "tok"])
def test_a_provider_that_counts_more_is_stopped_in_time(
    dear: Dear, capsys: pytest.CaptureFixture[str], unit: str
) -> None:
    at_most = planned(dear, capsys, unit)
    assert PLANNED * TAKEN[unit] > at_most, "all of it would be above the budget"
    assert run(dear, f"{at_most:.10g}{unit}") == 3
    error = capsys.readouterr().err
    rows = exported()
    finished = [row for row in rows if row["outcome"] != "not_run"]
    assert 0 < len(finished) < PLANNED
    assert len(rows) == PLANNED
    assert {row["outcome"] for row in finished} == {"scored"}
    assert taken(rows, unit) == pytest.approx(len(finished) * TAKEN[unit])
    assert taken(rows, unit) <= at_most
    # Nor was it stopped for nothing: the next might have taken twice what was planned for it.
    assert taken(rows, unit) + 2 * at_most / PLANNED > at_most
    assert len(dear.prompts) == len(finished)
    assert "stopped by its budget of" in error
    assert f"{PLANNED - len(finished)} of {PLANNED} trials not run. A greater --budget goes on." in error

    # The same budget is above what is left to take; nothing is asked.
    assert run(dear, f"{at_most:.10g}{unit}") == 2
    assert "before; its budget is" in capsys.readouterr().err
    assert len(dear.prompts) == len(finished)

    assert run(dear, f"{4 * at_most:.10g}{unit}") == 0
    after = exported()
    assert {row["outcome"] for row in after} == {"scored"}
    assert len(dear.prompts) == len(set(dear.prompts)) == PLANNED, "nothing is asked twice"
    assert taken(after, unit) == pytest.approx(PLANNED * TAKEN[unit])
    first = {row["trial_id"]: row for row in after}
    assert all(first[row["trial_id"]] == row for row in finished)


def test_what_is_taken_is_said(dear: Dear, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dear, "1000usd") == 0
    said = capsys.readouterr().err
    # 24 x (1088 x 0.001 + 10 x 0.01) = 28.512 USD; 24 x 1098 = 26,352 tokens.
    assert "24 of 24 trials, 28.51 USD, 26.4k tok" in said
