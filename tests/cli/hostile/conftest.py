"""Files that somebody else made on purpose, given to the real command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from niah.cases.prompts import load_prompt
from niah.cli.main import main
from niah.cli.terminal import CleanStream
from tests.conftest import simulating

SUITE = "haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [512]\ndepths: [0, 100]\n"
CONFIG = "suite: suite.yaml\nreaders: [{{model: small, api_base: '{address}'}}]\nstrategies: [lc, topk@4]\n"
MOST_LETTERS = 2_500
"""Of a line, which may list all names that ship; a file's own words must not fill the screen."""


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
        said = re.sub(r"\x1b\[[0-9;]*m", "", out + err)
        assert all(letter.isprintable() or letter in "\n\t" for letter in said), ascii(said)
        assert code in (0, 1, 2, 3), f"{command!r} ends with {code}"
        if code == 2:
            (line,) = err.splitlines()
            assert line.startswith("niah: ")
            assert len(line) < MOST_LETTERS
            assert out == ""
            assert _everything() == before, f"{command!r} was refused, and wrote"
        return code, out, err

    def refused(self, command: str, says: str = "") -> None:
        """The command has to be refused, in a line that says so."""
        code, out, err = self.run(command)
        assert code == 2, f"{command!r} ends with {code}: {out[:300]} {err[:300]}"
        assert says in err


def _everything() -> set[Path]:
    return {path for path in Path().rglob("*") if not path.name.endswith(("-wal", "-shm", ".lock"))}


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    load_prompt.cache_clear()  # what a process has read it reads no more
    return Told(capsys)


@pytest.fixture(scope="module")
def good_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a finished run, good.sqlite, its suite and its config, whose reader still answers."""
    folder = tmp_path_factory.mktemp("good")
    with simulating() as server, pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        (folder / "suite.yaml").write_text(SUITE)
        (folder / "good.yaml").write_text(CONFIG.format(address=server.base_url))
        assert main(["run", "good.yaml", "--out", "good.sqlite"]) == 0
        yield folder
