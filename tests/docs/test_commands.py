"""Every niah command that README and the docs write down has options and values that niah has."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from niah.cli.main import niah

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> Iterator[tuple[str, str]]:
    """Of each page the command lines in its blocks of shell."""
    for page in PAGES:
        for block in re.findall(r"```(?:sh|bash)\n(.*?)```", page.read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\|(?!\|)", line.partition(" #")[0]):
                    if re.match(r"\s*(?:\w+=\S+\s+)*(?:uvx\s+)?niah\s", part):
                        yield page.name, part.strip()


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())))
def test_niah_has_it(page: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(line)
    monkeypatch.setattr(click.Command, "invoke", lambda self, context: None)  # parsed, not run
    monkeypatch.setattr(click.Path, "convert", lambda self, value, param, context: value)  # of the reader's
    niah.main(words[words.index("niah") + 1 :], prog_name="niah", standalone_mode=False)
