"""What a command says of a file that somebody else made, and what it leaves behind."""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.cli.terminal import CleanStream

MOST_LETTERS = 2_500
"""Of a line, which may list all names that ship; a file's own words must not fill the screen."""


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Told:
    """Runs commands, and holds them to one rule: a mistake is one clean line, and nothing is written."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, command: str) -> tuple[int, str, str]:
        """Exit code, output and errors, both without control characters; a mistake has one line."""
        before = _everything()
        # As the console's entry does it.
        with redirect_stdout(CleanStream(sys.stdout)), redirect_stderr(CleanStream(sys.stderr, redraws=True)):
            code = main(command.split())
        out, err = self._capsys.readouterr()
        for said in (out, err):
            odd = {
                letter for letter in _COLOUR.sub("", said) if not (letter.isprintable() or letter in "\n\t")
            }
            assert not odd, f"{command!r} prints {odd}"
        assert code in (0, 1, 2, 3), f"{command!r} ends with {code}"
        if code == 2:
            lines = err.splitlines()
            assert len(lines) == 1, f"{command!r} says {lines}"
            assert lines[0].startswith("niah: ")
            assert len(lines[0]) < MOST_LETTERS
            assert out == ""
            assert _everything() == before, f"{command!r} was refused, and wrote"
        return code, out, err

    def refused(self, command: str, says: str = "") -> None:
        """The command has to be refused, in a line that says so."""
        code, out, err = self.run(command)
        assert code == 2, f"{command!r} ends with {code}: {out[:300]} {err[:300]}"
        assert says in err


def _everything() -> set[Path]:
    beside = ("-wal", "-shm", ".lock")
    return {path for path in Path().rglob("*") if not path.name.endswith(beside)}
