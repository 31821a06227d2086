"""Every niah command that README and the docs write down has options and values that niah has."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from docs import make_cli
from niah.cli.main import niah
from niah.errors import UserError
from niah.files import places, yaml_names

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "examples").glob("*/README.md"),
]


def commands() -> Iterator[tuple[str, str]]:
    """Of each page the command lines in its blocks of shell."""
    for page in PAGES:
        for block in re.findall(r"```(?:sh|bash)\n(.*?)```", page.read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\|(?!\|)", line.partition(" #")[0]):
                    if re.match(r"\s*(?:\w+=\S+\s+)*(?:uvx\s+)?niah\s", part):
                        yield str(page.relative_to(ROOT)), part.strip()


def test_niah_has_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.Command, "invoke", lambda self, context: None)  # parsed, not run
    monkeypatch.setattr(click.Path, "convert", lambda self, value, param, context: value)  # of the reader's
    wrong = []
    for page, line in sorted(set(commands())):
        words = shlex.split(line)
        try:
            niah.main(words[words.index("niah") + 1 :], prog_name="niah", standalone_mode=False)
        except (click.ClickException, UserError) as error:
            wrong.append((page, line, str(error)))
    assert wrong == []


def inline() -> Iterator[tuple[str, str]]:
    """Of each page the commands and options in its sentences."""
    for page in PAGES:
        sentences = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for code in re.findall(r"`((?:niah |--)[^`\n]+)`", sentences):
            if "--" in code:
                yield str(page.relative_to(ROOT)), code


def options(words: list[str], command: click.Command = niah) -> set[str]:
    """What the command of these words takes; every option of niah's where they name none."""
    others = getattr(command, "others", {})
    command = others.get(words[0] if words else "", command)
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    if not isinstance(command, click.Group):
        return known.union(*(options([], each) for each in others.values()))
    context = click.Context(command)
    names = (
        [words[0]] if words and words[0] in command.list_commands(context) else command.list_commands(context)
    )
    inner = (command.get_command(context, name) for name in names)
    return known.union(*(options(words[1:], each) for each in inner if each is not None))


def test_niah_has_what_sentences_name() -> None:
    named = [(page, code, code.removeprefix("niah ").split()) for page, code in sorted(set(inline()))]
    unknown = [
        (page, code)
        for page, code, words in named
        if not {found[0] for word in words if (found := re.match(r"--[\w-]+", word))} <= options(words)
    ]
    assert unknown == []


def test_no_suite_is_run_as_a_config() -> None:
    suites = set(yaml_names(places("cases"))) - set(yaml_names(places("runs")))
    run = re.compile(r"niah (?:run|plan) ([a-z][\w-]*)(?:\s|$)")
    assert not suites.intersection(name for _, code in (*commands(), *inline()) for name in run.findall(code))


def test_the_page_of_commands_says_what_their_own_help_says() -> None:
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == make_cli.page(), "python docs/make_cli.py writes it anew"
