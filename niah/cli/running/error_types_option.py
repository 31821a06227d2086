"""The option by which a run's errors are counted, of the commands that tell them."""

from __future__ import annotations

import click

error_types_option = click.option(
    "--error-types",
    "errors",
    type=click.Choice(["niah", "paper"]),
    default="niah",
    show_default=True,
    help="Types to count errors by: niah's, or the six of the u-niah paper.",
)
