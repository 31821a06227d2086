"""Command lines as a user types them: help, names nearly right, mistakes in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah import __version__
from niah.cli.main import COMMANDS, main
from tests.cli.commands.small_suite import present


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "Usage: niah" in capsys.readouterr().out


def test_a_misspelt_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generat", "quick"]) == 2
    assert "Did you mean 'generate'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("run quick --skip imposible", "Did you mean 'impossible'? See: niah run --help"),
        ("run quick --mode exact", "mode is a key of suites. See: niah run --help"),
        ("plan quick --repeats 3", "repeats is a key of run configs. See: niah plan --help"),
    ],
)
def test_what_was_meant_stands_behind_it(line: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert capsys.readouterr().err.endswith(f". {meant}\n")


def test_questions_are_no_suite(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.jsonl").write_text("{}\n")
    assert main(["run", "--suite", "mine.jsonl", "--strategies", "lc"]) == 2
    assert "Write a suite of one line, `questions: mine.jsonl`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("run quick --limit 0", "--limit: 0 is not in the range x>=1. See: niah run --help"),
        (
            "run quick --skip some",
            "--skip: 'some' is not one of 'nothing', 'impossible'. See: niah run --help",
        ),
        (
            "run quick --model a,b",
            "--model names one model, not several (a,b). Write them as `readers` of a run config",
        ),
        (f"run quick --concurrency {2**63}", f"--concurrency: {2**63} is too large. See: niah run --help"),
        ("compare a b --alpha nan", "--alpha: 'nan' is no number. See: niah compare --help"),
        ("compare a b --seed -1", "--seed: -1 is not in the range x>=0. See: niah compare --help"),
        ("haystack read", "Missing argument 'NAME|PATH'. See: niah haystack read --help"),
        ("retrieve", "there is nothing to retrieve from. Name a case or a suite: niah list suites."),
        (
            "completion",
            "Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish. See: niah completion --help",
        ),
        ("list suites more", "Got unexpected extra argument (more). See: niah list --help"),
        (
            f"generate quick --reserve {'9' * 5000}",
            f"'{'9' * 499} ... {'9' * 475}' is no number of tokens. Write --reserve 40",
        ),
    ],
)
def test_a_mistake_in_a_command_line_is_one_line(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"niah: {says}")
    assert error.count("\n") == 1
    assert present() == []


def test_list_names_all_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for name in ("pizza-ingredients", "essays", "u-niah", "quick", "mixpr", "smollm2", "o200k"):
        assert name in out


def test_a_terminal_that_does_not_know_its_width_gets_tables_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "short.yaml"
    suite.write_text(
        "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [64, 1000]\ndepths: [50]\n"
    )
    monkeypatch.setenv("COLUMNS", "0")
    assert main(["generate", str(suite), "--skip", "impossible", "--out", str(tmp_path / "cases.jsonl")]) == 0
    assert "64" in "".join(capsys.readouterr())
