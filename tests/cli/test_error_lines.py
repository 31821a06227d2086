"""What is wrong is one line for programs, and is broken between words where a person reads it."""

from __future__ import annotations

import sys

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
