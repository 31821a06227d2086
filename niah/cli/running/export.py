"""``niah export``: a run for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from niah.api.run_files import run_path
from niah.cli.file_endings import check_lines
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import FilePath
from niah.cli.running.error_types_option import error_types_option

if TYPE_CHECKING:
    from niah.judges.error_types import ErrorReading
    from niah.runs.file.export import Format


@click.command()
@click.argument("run", shell_complete=completes(RUN_FILES))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    help="Without it CSV where --out ends in .csv, and otherwise JSON lines.",
)
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="File to write; standard output without it.",
)
@error_types_option
def export_command(run: str, form: str | None, out: Path | None, errors: ErrorReading) -> None:
    """Write the trials of RUN (a run file, or its name in runs/), one per line."""
    path = run_path(run)
    if form is None:
        check_lines(out, (".csv",), "Or name the format: --format jsonl or csv.")
    from niah.files import atomic_write
    from niah.runs.file.export import export
    from niah.runs.file.read_model import read_run

    written = cast("Format", form or ("csv" if out and out.suffix.lower() == ".csv" else "jsonl"))
    records = read_run(path, errors).records
    if out is None:
        export(records, sys.stdout.buffer, written)
        return
    with atomic_write(out) as file:
        export(records, file, written)
    click.echo(f"{len(records)} trials: {out}", err=True)
