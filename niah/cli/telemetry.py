"""Options of what is told of a run while it goes: a line of every request, a span of every trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from niah.cli.option_types import FilePath

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--log",
        type=FilePath(path_type=Path, dir_okay=False),
        help="File that every request and retry is written to, one line of JSON each; no prompts, no keys.",
    ),
    click.option(
        "--spans",
        metavar="URL",
        help="OpenTelemetry collector that gets a span of every trial, such as http://localhost:4318.",
    ),
)


def telemetry_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --log and --spans."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@contextmanager
def telemetry_to(log: Path | None, spans: str | None, say: Callable[[str], None]) -> Iterator[None]:
    """Requests and trials are told to that file and that collector meanwhile. Raises UserError.

    Args:
        log: as given to --log.
        spans: as given to --spans.
        say: is called with a line where spans could not be sent.
    """
    from niah.files import check_folder
    from niah.readers.log import logging_to
    from niah.runs.telemetry.collector import spans_to

    if log:
        check_folder(log.parent)
    with logging_to(log), spans_to(spans, say):
        yield
