"""What is wrong is one line for programs, and is broken between words where a person reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from niah.cli.main import main

WRONG = (["run", "nosuch"], ["check", "nosuch"], ["list", "nosuch"])


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


def test_a_file_that_cannot_be_written_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("archive.txt").touch()
    assert main(["schema", "--out", "archive.txt/x"]) == 2
    assert "archive.txt/x/needle-set.schema.json: Not a directory." in capsys.readouterr().err
