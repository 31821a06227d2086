"""Environment variables: every option of every command has one, and a mistake in one is named after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from difflib import get_close_matches
from functools import cache, wraps
from typing import Any

import click
from click.core import ParameterSource

from niah.errors import UserError

_OURS = "NIAH"
_ELSEWHERE = frozenset({"NIAH_CACHE", "NIAH_KEY_HOSTS", "NIAH_BUDGET"})
"""Variables that are no option's of their name."""
_NEAR, _VERY_NEAR = 0.6, 0.85


@cache
def with_variables(command: click.Command, prefix: str) -> click.Command:
    """The command, and what is below it, with the variable of each option in its help and in its errors.

    Args:
        prefix: what the variables of its options begin with: "NIAH_RUN".
    """
    for option, variables in _options(command, prefix):
        option.show_envvar = True
        # click names it after the parameter of the function, which may be called otherwise than the option.
        option.envvar = option.envvar or variables
        if option.callback is not None:
            option.callback = _naming_variables(option.callback)
    return command


def unknown_variables(command: click.Command, name: str, commands: Iterable[str]) -> Iterator[str]:
    """A line for each variable that is set, and looks as if it were meant for an option of the command.

    Args:
        command: with ``with_variables``.
        name: of the command.
        commands: the names of all commands, each with variables of its own.
    """
    are_set = [each for each, value in os.environ.items() if value and each.startswith(f"{_OURS}_")]
    if not are_set:
        return
    own = _variable(_OURS, name)
    known = _ELSEWHERE.union(*(_variables(option) for option, _ in _options(command, own)))
    prefixes = [_variable(_OURS, each) for each in commands]
    for variable in sorted(set(are_set) - known):
        of = max((each for each in prefixes if variable.startswith(f"{each}_")), key=len, default="")
        begun = f"{of}_" if of else ""  # which all have, and which makes none of them alike
        rest = [each.removeprefix(begun) for each in known if each.startswith(begun)]
        near = get_close_matches(variable.removeprefix(begun), rest, n=1, cutoff=_NEAR if of else _VERY_NEAR)
        if of == own or (not of and near):
            meant = f" Did you mean {begun}{near[0]}?" if near else ""
            yield f"the environment variable {variable} counts for nothing: no option is called so.{meant}"


def variable_of(context: click.Context, option: click.Parameter) -> str:
    """The environment variable that gave an option its value; "" where none did."""
    source = context.get_parameter_source(option.name or "")
    if source is not ParameterSource.ENVIRONMENT:
        return ""
    return next((name for name in _variables(option) if os.environ.get(name)), "")


def option_named(context: click.Context, name: str) -> click.Parameter:
    """The option of a command whose value its function takes as ``name``."""
    return next(option for option in context.command.params if option.name == name)


def option_as_given(context: click.Context, name: str) -> str:
    """How the user gave an option: "--date", or "NIAH_RUN_DATE"."""
    option = option_named(context, name)
    return variable_of(context, option) or option.opts[0]


class RenamedOption(click.Option):
    """An option that still answers to its earlier names, and to their variables; help shows the first."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """As of any option."""
        shown = copy(self)
        shown.opts, shown.envvar = self.opts[:1], _variables(self)[:1]
        return click.Option.get_help_record(shown, ctx)


def _options(command: click.Command, prefix: str) -> Iterator[tuple[click.Option, list[str]]]:
    """Every option, and the variables that are named after it: "NIAH_JUDGE_AUDIT_JSON"."""
    for option in command.params:
        if isinstance(option, click.Option):
            names = option.opts if isinstance(option, RenamedOption) else option.opts[:1]
            yield option, [_variable(prefix, name) for name in names]
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _options(below, _variable(prefix, name))


def _variable(prefix: str, name: str) -> str:
    return f"{prefix}_{name.strip('-')}".upper().replace("-", "_")


def _variables(option: click.Parameter) -> list[str]:
    """Its variables, in the order in which click asks for them."""
    return [option.envvar] if isinstance(option.envvar, str) else list(option.envvar or ())


def _naming_variables(callback: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(callback)
    def named(context: click.Context, option: click.Parameter, value: Any) -> Any:
        try:
            return callback(context, option, value)
        except UserError as error:
            variable = variable_of(context, option)
            if not variable:
                raise
            raise UserError(f"{variable}: {error.message}", error.remedy) from None

    return named
