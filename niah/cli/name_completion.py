"""Completion of names in a shell: what an argument or option of a command may be.

An argument says so itself: ``click.argument("run", shell_complete=completes(RUN_FILES))``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from niah.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

RUN_FILES = "run files"
"""Names of files in runs/; all other kinds are those of ``niah list``."""

_WHOLE = re.compile(r"[a-z0-9][a-z0-9._+-]*@?")
"""A name as it can be written: no pattern such as PROVIDER/NAME, no heading."""

Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]


def completes(*kinds: str, listed: bool = False, besides: tuple[str, ...] = ()) -> Completion:
    """For ``shell_complete`` of an argument or option: names of these kinds, or a path where none fits.

    Args:
        kinds: of ``niah list``, or ``RUN_FILES``.
        listed: whether several may stand there with commas between them.
        besides: words that may stand there too.
    """

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        names = [*besides, *(name for kind in kinds for name in _names(kind))]
        return _fitting(names, incomplete, listed=listed, paths=not listed)

    return complete


def completes_asked(column: Literal["readers", "strategies"]) -> Completion:
    """For ``shell_complete``: the readers or strategies of the run file that the first argument names."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        from niah.api.run_files import run_path
        from niah.runs.file.read_model import asked_names

        # Where an option still lacks its value, click leaves the arguments before it unread.
        named = context.params.get("run") or next(iter(context.args), "")
        try:
            names = asked_names(run_path(named))[column]
        except (UserError, OSError):
            return []
        return _fitting(names, incomplete)

    return complete


def completes_figures(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """For ``shell_complete``: names of figures; of the heatmaps one a reader of the run."""
    names = _names("figures")
    if incomplete.startswith("heatmaps-"):
        names = [f"heatmaps--{item.value}" for item in completes_asked("readers")(context, parameter, "")]
    return _fitting(names, incomplete)


def _fitting(
    names: Iterable[str], incomplete: str, *, listed: bool = False, paths: bool = False
) -> list[CompletionItem[str]]:
    """The names that begin so, each once; a path where there is none and paths count."""
    from click.shell_completion import CompletionItem

    head, comma, begun = incomplete.rpartition(",") if listed else ("", "", incomplete)
    before = head.split(",")
    fitting = [name for name in dict.fromkeys(names) if name.startswith(begun) and name not in before]
    if paths and not fitting:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(f"{head}{comma}{name}") for name in fitting]


def _names(kind: str) -> list[str]:
    if kind == RUN_FILES:
        return sorted(path.stem for path in Path("runs").glob("*.sqlite"))
    from niah.cli.materials.list import choosable_names

    try:
        names = [name.removesuffix("K") if name.endswith("@K") else name for name in choosable_names(kind)]
    except (UserError, OSError):
        return []
    return [name for name in names if _WHOLE.fullmatch(name)]
