"""``niah merge``: the shards of a run become one run file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.api.run_files import run_path
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import FilePath
from niah.errors import UserError

if TYPE_CHECKING:
    from niah.runs.file.merge import Merged


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=completes(RUN_FILES))
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    required=True,
    help="Run file to write; there must be none of that name.",
)
def merge_command(runs: tuple[str, ...], out: Path) -> None:
    """Put the trials of several RUNs (run files of one config, or their names in runs/) into one file.

    They stay as they are, and may be in use. What no file has finished, `niah run CONFIG --out FILE` asks.
    """
    merged = _merge([run_path(run) for run in runs], out)
    for line in merged.differences:
        click.echo(line, err=True)
    for reader, reason in merged.stopped.items():
        click.echo(f"{reader} stopped: {reason}", err=True)
    click.echo(_said(merged, out))


def _merge(paths: Sequence[Path], out: Path) -> Merged:
    """Merge, and tell of ``out`` what goes wrong with the draft of it."""
    from niah.files import is_out_of_space
    from niah.runs.file.merge import merge

    try:
        return merge(paths, out)
    except OSError as error:
        if is_out_of_space(error):
            raise
        reason = error.strerror
    except sqlite3.OperationalError as error:
        reason = str(error)
    raise UserError(f"{out} cannot be made: {reason}.", "Name another file.")


def _said(merged: Merged, out: Path) -> str:
    from niah.file_mistakes import counted

    lines = [
        f"{out}: {merged.trials:,} trials of {counted(merged.files, 'file')}, {merged.finished:,} finished, "
        f"{merged.trials - merged.finished - merged.known:,} not run."
    ]
    if merged.known:
        lines.append(f"{merged.known:,} more are left out: their reader knows the answer without a context.")
    if merged.dropped:
        lines.append(
            f"{merged.dropped:,} finished trials were finished in another file too: "
            "what is scored was kept, then the earlier."
        )
    if merged.planned > merged.trials:
        lines.append(f"{merged.planned - merged.trials:,} more are planned, and stand in none of the files.")
    if merged.planned > merged.finished + merged.known:
        lines.append(f"`niah run` with this config and --out {out} asks what is missing.")
    return "\n".join(lines)
