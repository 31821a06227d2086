"""Command lines as a user types them: help, names nearly right, mistakes in one line."""

from __future__ import annotations

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
    ("line", "says"),
    [
        ("run quick --limit 0", "--limit: '0' is no whole number from 1 on."),
        ("run quick --skip some", "--skip: is 'some'. Write nothing or impossible."),
        ("run quick --model a,b", "--model names one model, not several (a,b)."),
        (f"run quick --concurrency {2**63}", f"--concurrency: '{2**63}' is no whole number"),
        ("compare a b --alpha nan", "--alpha: 'nan' is no number. See: niah compare --help"),
        ("compare a b --seed -1", "--seed: -1 is not in the range x>=0. See: niah compare --help"),
        ("check", "Missing argument 'NAME...'. See: niah check --help"),
        ("list suites more", "Got unexpected extra argument (more). See: niah list --help"),
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
