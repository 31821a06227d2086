"""``niah plan`` and ``niah run --budget``, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 1024]
depths: [0, 50, 100]
"""
CONFIG = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
# Three prompts of 512 tokens and three of 1024.
PROMPT_TOKENS = 3 * 512 + 3 * 1024


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("mine.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG)


def plan(*arguments: str) -> int:
    return main(["plan", "small.yaml", *arguments])


def planned(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert plan(*arguments, "--json") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def run(server: Any, *arguments: str) -> int:
    return main(["run", "small.yaml", "--model", "simulated", "--api-base", server.base_url, *arguments])


def exported() -> list[dict[str, Any]]:
    assert main(["export", "small-simulated", "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def test_money_by_hand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    document = planned(capsys, "--model", "openai/gpt-4o")
    (reader,) = document["readers"]
    assert (reader["calls"], reader["prompt_tokens"]) == (6, PROMPT_TOKENS)
    assert reader["prompt_tokens_at_most"] == PROMPT_TOKENS + 6 * 32
    # gpt-4o: 2.50 USD and 10 USD for a million tokens.
    expected = reader["prompt_tokens"] * 2.5e-6 + reader["answer_tokens"] * 10e-6
    answers_at_most = reader["tokens_at_most"] - reader["prompt_tokens_at_most"]
    at_most = reader["prompt_tokens_at_most"] * 2.5e-6 + answers_at_most * 10e-6
    assert reader["usd"] == pytest.approx(expected)
    assert document["total"]["budget_usd"] == pytest.approx(at_most)
    assert reader["answer_tokens"] <= answers_at_most
    assert plan("--model", "openai/gpt-4o") == 0
    out, err = capsys.readouterr()
    assert "sk-planted" not in out + err + json.dumps(document)


def test_finished_trials_are_subtracted(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--model", "simulated", "--api-base", simulated_server.base_url]
    run(simulated_server, "--limit", "4")
    before = Path("runs/small-simulated.sqlite").read_bytes()
    document = planned(capsys, *where)
    (reader,) = document["readers"]
    assert (document["total"]["trials"], document["total"]["finished"], reader["calls"]) == (6, 4, 2)
    assert reader["answer_tokens"] == 2 * 3  # as long as the server's answers so far
    # Another run file is another run.
    assert planned(capsys, *where, "--out", "other.sqlite")["total"]["calls"] == 6
    assert Path("runs/small-simulated.sqlite").read_bytes() == before
    assert not Path("other.sqlite").exists()
    assert len(simulated_server.prompts) == 4


def test_a_run_stops_in_time(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The plan would refuse this budget; here it is let through, as if more had been taken than planned.
    monkeypatch.setattr("niah.runs.cost.budget.check_budget", lambda *_: None)
    simulated_server.delay_s = 0.2
    # At most 512 + 32 + 48 = 592 for each of the short ones, of which two fit at once; 1024 never fit.
    assert run(simulated_server, "--budget", "1900tok") == 3
    assert len(simulated_server.prompts) == 3
    error = capsys.readouterr().err
    assert "stopped by its budget of 1,900 tokens: 1,608 tokens spent, 3 of 6 trials not run" in error
    assert [row["outcome"] for row in exported()].count("not_run") == 3
    assert run(simulated_server, "--budget", "10ktok") == 0
    assert len(simulated_server.prompts) == 6


def test_flag_before_environment_before_config(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(CONFIG + "budget: 1tok\n")
    monkeypatch.setenv("NIAH_RUN_BUDGET", "2tok")
    assert run(simulated_server, "--budget", "3tok") == 2
    assert "its budget is 3 tokens" in capsys.readouterr().err
    assert run(simulated_server) == 2
    assert "its budget is 2 tokens" in capsys.readouterr().err
    monkeypatch.delenv("NIAH_RUN_BUDGET")
    assert run(simulated_server) == 2
    assert "its budget is 1 tokens" in capsys.readouterr().err
    assert simulated_server.prompts == []
