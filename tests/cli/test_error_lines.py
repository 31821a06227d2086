"""What is wrong is one line for programs, and is broken between words where a person reads it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest

from niah.cli.main import main

WRONG = (["run", "nosuch"], ["retrieve", "nosuch"], ["needles", "check", "nosuch"], ["list", "nosuch"])


@pytest.mark.parametrize("command", WRONG)
def test_a_line_is_broken_for_a_terminal_alone(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(command) == 2
    piped = capsys.readouterr().err
    assert piped.count("\n") == 1
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(command) == 2
    shown = click.unstyle(capsys.readouterr().err)
    assert shown.split() == piped.split()  # no name is torn
    assert shown.count("\n") > 1
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    "command", [["needles", "check"], ["questions", "check"], ["run"], ["plan", "--suite"]]
)
@pytest.mark.parametrize("file", ["zz/nosuch.yaml", "zznosuch.jsonl"])
def test_a_path_that_is_mistyped_gets_no_list_of_names(
    command: list[str], file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, file]) == 2
    told = capsys.readouterr().err
    assert f"{file}: no such file, and no " in told
    assert "Known:" not in told
    assert len(told) < 140


def test_a_file_that_cannot_be_written_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("archive.txt").touch()
    assert main(["schema", "--out", "archive.txt/x"]) == 2
    assert "name a folder in its place." in capsys.readouterr().err


def test_a_mistyped_option_is_asked_about_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "quick", "--strategie"]) == 2
    assert capsys.readouterr().err == (
        "niah: No such option '--strategie'. Did you mean '--strategies'? See: niah run --help\n"
    )


def test_oracle_and_questions_without_evidence_are_told_with_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line = '{"id": "who", "document": "The kiln.", "question": "Who fires it?", "kind": "unanswerable"}\n'
    Path("mine.jsonl").write_text(line)
    Path("suite.yaml").write_text("questions: mine.jsonl\n")
    asked = ["plan", "--suite", "suite.yaml", "--model", "x", "--api-base", "http://127.0.0.1:1/v1"]
    assert main([*asked, "--strategies", "oracle"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("says so. Give the questions their evidence, or leave the strategy out.\n")


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ("NIAH_LIST_JSONN", "no option is called so. Did you mean NIAH_LIST_JSON?"),
        ("NIAH_LIST_ZQXV", "no option is called so."),
        ("NIAH_CAHCE", "no option is called so. Did you mean NIAH_CACHE?"),
        ("NIAH_RUN_LIMITT", ""),  # of another command
        ("NIAH_KEY_OF_OURS", ""),  # the user's own
        ("NIAH_RUN_CACHE", ""),
    ],
)
def test_a_misspelt_variable_is_told(
    variable: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("NIAH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(variable, "0")
    assert main(["list", "suites"]) == 0
    line = f"niah: the environment variable {variable} counts for nothing: {says}\n" if says else ""
    assert capsys.readouterr().err == line


def test_a_file_in_the_place_of_a_folder_is_told_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "quick", "--plots", __file__]) == 2
    assert capsys.readouterr().err.startswith(f"niah: --plots: '{__file__}' is a file, and no folder. See:")
