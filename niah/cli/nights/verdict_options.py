"""What ``niah compare`` and ``niah nightly`` share: when there is too little to say, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from niah.cli.option_types import Between
from niah.cli.variables import RenamedOption

F = TypeVar("F", bound=Callable[..., Any])

EXIT_CODES = {"no regression": 0, "regression": 1, "incomplete": 3}


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--missing-limit",
        type=Between(0, 100),
        default=10,
        show_default=True,
        help="Incomplete where more per cent of the trials scored in the baseline have no score now.",
    ),
    click.option(
        "--detect",
        "--detectable-limit",
        "detect",
        cls=RenamedOption,
        type=Between(0, 9, min_open=True),
        default=1.5,
        show_default=True,
        help="Incomplete where a drop of a reader by this many points would often not be seen. Where luck"
        " that clusters share hides it, a line says so.",
    ),
    click.option("--common", is_flag=True, help="Where the runs differ, compare what they have in common."),
)


def verdict_options(function: F) -> F:
    """Give a command the options ``missing_limit``, ``detect`` and ``common``."""
    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), function)
