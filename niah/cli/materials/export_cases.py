"""``niah export-cases``: the cases of a suite for other projects' runners."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from niah.cli.name_completion import completes
from niah.cli.option_types import FilePath

if TYPE_CHECKING:
    from niah.cases.export import ExportForm


@click.command()
@click.argument("suite", shell_complete=completes("suites"))
@click.option(
    "--to",
    "form",
    type=click.Choice(["inspect", "lm-eval", "jsonl", "parquet"]),
    required=True,
    help="A task folder of Inspect or lm-eval, or a file with one row a case.",
)
@click.option(
    "--out",
    type=FilePath(path_type=Path),
    required=True,
    help="Folder of the task, or the file.",
)
def export_cases_command(suite: str, form: str, out: Path) -> None:
    """Write the cases of SUITE (a name or a YAML file) as a task or dataset for other projects.

    Each row holds the whole prompt, its context included. A task scores the share of elements that an answer
    names; niah's judges, strategies and statistics stay here.
    """
    from niah.cases.export import export_cases

    written = export_cases(suite, cast("ExportForm", form), out)
    click.echo(f"{written.cases:,} cases: {written.start}", err=True)
    if written.left_out:
        click.echo(f"{written.left_out:,} left out: an answer to them has nothing to name", err=True)
