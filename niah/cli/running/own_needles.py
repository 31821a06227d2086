"""Facts of the command line (``--needle``) as a needle set of the working folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from niah.errors import UserError
from niah.needles.own_facts import own_needle_set, write_own_needle_set


@contextmanager
def own_needles(context: click.Context) -> Iterator[str | None]:
    """The name of the needle set of --needle; None without it.

    It is written to ``needles/``, and taken back where what follows raises UserError, or only plans.
    """
    given = context.params
    needles, question, expected = given["needles"], given["question"], given["expected"]
    if not (needles or question or expected):
        yield None
        return
    for option, value in (("--needle", needles), ("--question", question), ("--expect", expected)):
        if not value:
            raise UserError(f"{option} is missing.", "--needle, --question and --expect go together.")
    if given["needle_sets"]:
        raise UserError("--needle and --needle-sets both say what is hidden.", "Leave one of them out.")
    path = own_needle_set(needles, question, expected)
    is_new = write_own_needle_set(path, needles, question, expected)
    plans = context.command.name == "plan"
    try:
        yield path.stem
    except UserError:
        if is_new:
            _take_back(path)
        raise
    if is_new and plans:
        context.call_on_close(lambda: _take_back(path))
    elif is_new:
        click.echo(f"needle set {path}", err=True)


def _take_back(path: Path) -> None:
    """Remove a needle set that was written, and the folder if it was made for that."""
    path.unlink()
    with suppress(OSError):  # others are in it
        path.parent.rmdir()
