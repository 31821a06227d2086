"""Writes docs/cli.md from the help texts of the commands: python docs/make_cli.py."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import click

from niah.cli.main import niah

HEAD = """# Commands

Generated from `niah --help` by `python docs/make_cli.py`.

Each command's options are environment variables too: `niah run --limit` is `NIAH_RUN_LIMIT`, which `niah plan` does
not read. A flag wins over the environment, the environment over the run config. A mistake ends in one line and exit code 2.
"""


def page() -> str:
    """Markdown: a section for each command, with its usage, its help and a table of its options."""
    return "\n".join([HEAD, *sections(niah, "niah")])


def sections(group: click.Group, path: str) -> Iterator[str]:
    """Of each command of the group, and of the groups in it."""
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        usage = " ".join(command.collect_usage_pieces(click.Context(command)))
        yield f"## {path} {name}\n\n    {path} {name} {usage}\n\n{prose(command.help)}\n"
        yield from options(command)
        if isinstance(command, click.Group):
            yield from sections(command, f"{path} {name}")
        for other, inner in getattr(command, "others", {}).items():
            yield f"## {path} {name} {other}\n\n{prose(inner.help)}\n"
            yield from options(inner)


def prose(text: str | None) -> str:
    """A help text as Markdown: what click must not wrap (after a \\b) is a block of code."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(
        indent(each.removeprefix("\b\n"), "    ") if each.startswith("\b") else each for each in paragraphs
    )


def options(command: click.Command) -> Iterator[str]:
    """The table of a command's options; nothing where it has none."""
    shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    as_in_run = [] if command is run() else [each for each in shown if is_of_run(each)]
    rows = [f"| `{spelled(each)}` | {cell(each.help)} |" for each in shown if each not in as_in_run]
    if rows:
        yield "\n".join(["| option | what it does |", "| --- | --- |", *rows]) + "\n"
    if as_in_run:
        yield f"As in `niah run`: {', '.join(f'`{each.opts[0]}`' for each in as_in_run)}.\n"


def run() -> click.Command:
    """The command `niah run`, whose options others share."""
    command = niah.get_command(click.Context(niah), "run")
    assert command is not None
    return command


def is_of_run(option: click.Option) -> bool:
    """Whether `niah run` has this option, with the same help."""
    return any(option.opts == each.opts and option.help == each.help for each in run().params)


def spelled(option: click.Option) -> str:
    """The option as it is typed: "--limit N"."""
    names = ", ".join((*option.opts, *option.secondary_opts))
    if option.is_flag:
        return names
    value = option.make_metavar(click.Context(click.Command("niah")))
    return f"{names} {value}".replace("|", "/")


def cell(text: str | None) -> str:
    """One line of a Markdown table."""
    return " ".join((text or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    (Path(__file__).parent / "cli.md").write_text(page(), encoding="utf-8")
