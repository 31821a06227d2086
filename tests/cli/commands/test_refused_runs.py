"""What starts no run, or is no success: wrong configs, readers that cannot answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.cli.commands.small_suite import SUITE, closed_port, exported, present, run, suite


def test_another_config_in_the_same_run_file_is_refused(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--limit", "1", base=simulated_server.base_url)
    Path("runs/small.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")
    assert main(["run", "small", "--model", "simulated", "--api-base", simulated_server.base_url]) == 2
    assert "strategies" in capsys.readouterr().err
    assert len(simulated_server.prompts) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc, topk/]\n", "strategies.1"),
        ("suite: mine.yaml\nreaders: [smolm2]\nstrategies: [lc]\n", "Did you mean 'smollm2'"),
        ("suite: qick\nreaders: [smollm2]\nstrategies: [lc]\n", "Did you mean 'quick'"),
        ("suite: quick\nreader: [smollm2]\nstrategies: [lc]\n", "Did you mean 'readers'"),
        ("suite: quick\nreaders: [smollm2]\nstrategies: [lc]\njudge: rubrik\n", "judge"),
        ("suite: quick\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 0\n", "repeats"),
        (
            "suite: quick\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 1001\n",
            "repeats: should be at most 1,000",
        ),
    ],
)
def test_a_wrong_config_starts_nothing(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    suite()
    Path("bad.yaml").write_text(text)
    assert main(["run", "bad.yaml"]) == 2
    assert says in capsys.readouterr().err
    assert present() == ["bad.yaml", "mine.yaml"]


def test_a_missing_key_is_named_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["run", "quick", "--model", "openai/gpt-4o-mini"]) == 2
    assert "OPENAI_API_KEY" in capsys.readouterr().err
    assert present() == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "anthropic/claude-sonnet-4-5"], "ANTHROPIC_API_KEY"),
        (["--model", "nothing.gguf"], "no model file nothing.gguf"),
        (["--model", "smolm2"], "Did you mean 'smollm2'"),
        (["--model", "m", "--api-base", f"http://127.0.0.1:{closed_port()}/v1"], "nothing answers at"),
        (["--model", "m", "--api-base", "localhost"], "no web address"),
        (["--api-base", "http://127.0.0.1:1/v1"], "--api-base needs --model"),
        (["--retry", "scored"], "Known: judge_error"),
    ],
)
def test_a_reader_that_cannot_answer_starts_nothing(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main(["run", "quick", *arguments]) == 2
    assert says in capsys.readouterr().err
    assert present() == []


def test_a_case_that_cannot_be_built_starts_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    suite(SUITE.replace("[512", "[64"))
    Path("bad.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")
    assert main(["run", "bad.yaml"]) == 2
    assert "at least" in capsys.readouterr().err
    assert present() == ["bad.yaml", "mine.yaml"]


@pytest.mark.parametrize("limit", [1, 4])
def test_a_run_in_which_nobody_answered_is_no_success(
    simulated_server: Any, capsys: pytest.CaptureFixture[str], limit: int
) -> None:
    simulated_server.broken = True
    assert run("--limit", str(limit), base=simulated_server.base_url) == 4
    many = f"None of the {limit} trials that were asked got an answer."
    says = many if limit > 1 else "The one trial that was asked got no answer."
    told = capsys.readouterr()
    assert says in told.err
    assert "run file" in told.out
    assert "niah report" not in told.out  # there is nothing to look at


def test_going_on_with_a_server_that_is_gone_changes_nothing(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--limit", "3", base=simulated_server.base_url)
    before = exported()
    assert run(base=f"http://127.0.0.1:{closed_port()}/v1") == 2
    assert "nothing answers at" in capsys.readouterr().err
    assert exported() == before
