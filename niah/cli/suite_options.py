"""Options of the commands that build a suite's cases, each in place of a key of the suite."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast, get_args

import click

from niah.cases.case import AccidentRule
from niah.cases.left_out import Avoided, LeftOut, SkipRule
from niah.errors import CaseError, UserError

_TOKENS = re.compile(r"[0-9]{1,18}")
_Command = TypeVar("_Command", bound=Callable[..., Any])


def suite_options(function: _Command) -> _Command:
    """Give a command the options skip, accidents and reserve; None where the suite's own counts."""
    skip = click.option(
        "--skip",
        type=click.Choice(get_args(SkipRule)),
        help="Leave out the cases that cannot be built, and say why; the suite's without it.",
    )
    accidents = click.option(
        "--accidents",
        type=click.Choice(get_args(AccidentRule)),
        help="Leave haystack sentences that answer by accident out of contexts; the suite's without it.",
    )
    reserve = click.option(
        "--reserve",
        metavar="N|template",
        callback=_as_reserve,
        help="Tokens of each length kept for a chat template; the word template counts the tokenizer's own.",
    )
    return skip(accidents(reserve(_naming_skip(function))))


def _naming_skip(function: _Command) -> _Command:
    """Have the command name its own option beside the suite's key, where a case cannot be built."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except CaseError as error:
            if error.may_be_left_out:
                error.remedy = f"{error.remedy.removesuffix('.')}, or --skip impossible."
            raise

    return cast("_Command", command)


def _as_reserve(context: click.Context, option: click.Parameter, text: str | None) -> int | str | None:
    if text is None or text == "template":
        return text
    if not _TOKENS.fullmatch(text):
        problem = f"{text!r} is no number of tokens."
        raise UserError(problem, "Write --reserve 40, or --reserve template where the tokenizer has one.")
    return int(text)


def print_left_out(left_out: Sequence[LeftOut], avoided: Sequence[Avoided], *, err: bool = True) -> None:
    """Say which cases were left out, and what was left out of others, and why; nothing where nothing was.

    ``err`` is for standard error.
    """
    if not (left_out or avoided):
        return
    from rich.console import Console

    from niah.analysis.tables import left_out_tables
    from niah.plots.tables import print_table

    for table in left_out_tables(left_out, avoided):
        print_table(table, Console(stderr=err))
