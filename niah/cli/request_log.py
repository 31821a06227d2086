"""The option --log: a line of every request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from niah.cli.option_types import FilePath

log_option = click.option(
    "--log",
    type=FilePath(path_type=Path, dir_okay=False),
    help="File that every request and retry is written to, one line of JSON each; no prompts, no keys.",
)


@contextmanager
def requests_logged(path: Path | None) -> Iterator[None]:
    """Requests are written to that file meanwhile. Raises UserError."""
    from niah.files import check_folder
    from niah.readers.log import logging_to

    if path:
        check_folder(path.parent)
    with logging_to(path):
        yield
