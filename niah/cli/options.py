"""Options of commands: those of a run, made from ``RunRequest``, and those that commands share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from niah.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COUNT = click.IntRange(min=1)
A_PATH = click.Path(path_type=Path)
A_FILE, A_FOLDER = click.Path(path_type=Path, dir_okay=False), click.Path(path_type=Path, file_okay=False)


def a_run(name: str) -> Path:
    """The type of a parameter that is a run file, by its path or its name in ``runs/``. Raises UserError."""
    from niah.runs import run_path

    return run_path(name)


class GroupedOption(click.Option):
    """An option under a heading of the help text; where ``shown`` is False, of ``--help-all`` alone."""

    def __init__(self, *args: Any, group: str, shown: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        self.group, self.shown = group, shown

    def value_from_envvar(self, ctx: click.Context) -> Any:
        """The variable's value; of an option that may be repeated one a line, where click takes each word."""
        text = self.resolve_envvar_value(ctx)
        return text.splitlines() if text and self.multiple else super().value_from_envvar(ctx)


class RunCommand(click.Command):
    """A command with options in groups, each given once; ``--help-all`` shows the rare ones too. ``others``
    are small commands that the first argument may name: ``niah nightly accept``."""

    def __init__(self, *args: Any, others: Mapping[str, click.Command] | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.others = others or {}

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command that is meant."""
        if not args or args[0] not in self.others:
            return super().make_context(info_name, args, parent, **extra)
        name = f"{info_name} {args[0]}"
        extra["auto_envvar_prefix"] = re.sub(r"\W", "_", f"niah_{name}").upper()
        return self.others[args[0]].make_context(name, args[1:], parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What click leaves of the arguments. Raises UserError for two values where one is taken."""
        given = [] if ctx.resilient_parsing else self.make_parser(ctx).parse_args([*args])[2]
        for option, times in Counter(given).items():
            if times > 1 and isinstance(option, click.Option) and not (option.multiple or option.is_flag):
                raise UserError(f"{option.opts[0]} is given twice.", "Give it once.")
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by group, then the other commands."""
        groups: dict[str, list[tuple[str, str]]] = {}
        hidden = 0
        for param in self.get_params(ctx):
            if not (getattr(param, "shown", True) or ctx.meta.get("niah.help_all")):
                hidden += 1
            elif isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                groups.setdefault(getattr(param, "group", "Options"), []).append(record)
        groups["Options"] = groups.pop("Options")  # the last
        if self.others:
            groups["Commands"] = [(name, one.get_short_help_str(200)) for name, one in self.others.items()]
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl(rows)
        if hidden:
            formatter.write_paragraph()
            formatter.write_text(f"{ctx.command_path} --help-all shows {hidden} more options.")


def _help_all(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta["niah.help_all"] = True
        click.echo(context.get_help())
        context.exit()


def run_options(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command CONFIG, the options that ``RunRequest`` has for ``command``, and ``--help-all``. Its
    function gets the request that they mean, and its own options. Raises UserError."""
    from niah.api.request import OPTIONS, request_of

    options = {name: option for name, option in OPTIONS.items() if command in option.commands}
    params = {"config": "config"} | {name: each.flag.replace("-", "_") for name, each in options.items()}
    made: list[click.Option] = [
        GroupedOption(
            [f"--{option.flag}"],
            group=option.group,
            shown=option.shown,
            help=option.help,
            metavar=option.metavar or None,
            multiple=option.several,
            # False would let an option stand without its value (click 8.3).
            is_flag=not option.metavar or None,
            shell_complete=completes(option.completes) if option.completes else None,
        )
        for option in options.values()
    ]
    show: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _help_all}
    every = click.Option(["--help-all"], help="Show every option.", **show)
    config = click.Argument(["config"], required=command == "nightly", shell_complete=completes("runs"))

    def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        @click.pass_context
        def called(context: click.Context, /, **given: Any) -> Any:
            values = {name: given.pop(param) for name, param in params.items()}
            sources = {name: by for name, param in params.items() if (by := given_by(context, param))}
            request = request_of({name: values[name] for name in sources}, sources | {"config": "CONFIG"})
            return function(request, **given)

        vars(called).setdefault("__click_params__", []).extend([every, *reversed(made), config])
        return called

    return with_options


def given_by(context: click.Context, name: str) -> str:
    """What gives a parameter its value: "--limit", "NIAH_RUN_LIMIT"; "" where it has its default."""
    source = context.get_parameter_source(name)
    if source not in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT):
        return ""
    param = next(each for each in context.command.params if each.name == name)
    variable = str(param.envvar or f"{context.auto_envvar_prefix}_{name.upper()}")
    return variable if source is ParameterSource.ENVIRONMENT else param.opts[0]


def words(text: str) -> tuple[str, ...]:
    """The type of an option that takes a list with commas: its entries, each once. Raises BadParameter."""
    from niah.text.templates import listed

    if entries := tuple(dict.fromkeys(listed(text))):
        return entries
    raise click.BadParameter(f"{text!r} names nothing.")


def completes(kind: str = "") -> Any:
    """For ``shell_complete``: names of a kind of ``niah list``, or of run files; a path where none fits."""

    def complete(_: click.Context, option: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        names = [] if kind else sorted(path.stem for path in Path("runs").glob("*.sqlite"))
        if kind:
            from niah.cli.list import rows_of

            with suppress(UserError, OSError):
                every = dict.fromkeys(name.removesuffix("K") for name, _ in rows_of(kind))
                names = [name for name in every if re.fullmatch(r"[a-z0-9][a-z0-9._+-]*@?", name)]
        fitting = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return fitting or [CompletionItem(incomplete, type="file")]

    return complete


RUN: dict[str, Any] = {"type": a_run, "shell_complete": completes()}
json_option = click.option("--json", is_flag=True, help="Print JSON for machines; null is unknown.")
