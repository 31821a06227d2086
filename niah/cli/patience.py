"""Options of how patiently endpoints are asked, for every command that asks any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import click

from niah.cli.option_types import COUNT
from niah.errors import UserError
from niah.readers.patience import Transport, parse_duration

PATIENCE = ("wait", "timeout", "attempts")
"""The parameters."""


def patience_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of how patiently endpoints are asked: wait, timeout, attempts."""
    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), function)


def transport_of(given: Mapping[str, Any]) -> Transport:
    """What a command's parameters say of it."""
    return Transport(*(given[name] for name in PATIENCE))


def _as_duration(context: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """The seconds that an option gives. Raises UserError."""
    try:
        return None if text is None else parse_duration(text)
    except UserError as error:
        raise UserError(f"{option.opts[0]}: {error.message}", error.remedy) from None


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--wait",
        metavar="DURATION",
        callback=_as_duration,
        help="How long to wait for an endpoint, such as 10m; 15s without it where it does not answer, 2m "
        "where it asks to wait.",
    ),
    click.option(
        "--timeout",
        metavar="DURATION",
        callback=_as_duration,
        help="How long one request may take; 10m without it.",
    ),
    click.option("--attempts", type=COUNT, help="Most requests for one answer; 4 without it."),
)
