"""Commands beside one that need not be named: ``niah judge RUN`` beside ``niah judge audit``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


_WHOLE = 1000
"""Letters of a command's first sentence, which is never cut."""


class Group(click.Group):
    """A group whose help has the first sentence of each command whole."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(_first_sentences(self.commands))


class DefaultGroup(Group):
    """Whatever comes first and is neither a command's name nor an option of the group goes to ``default``.

    Args:
        default: name of the command that need not be named.
    """

    def __init__(self, *args: Any, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name before what is meant for it."""
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if args and args[0] not in own | set(self.commands):
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands, and what may come first for the default one."""
        default = self.commands[self._default]
        first = next(each for each in default.params if isinstance(each, click.Argument))
        names = first.shell_complete(ctx, incomplete)
        commands = super().shell_complete(ctx, incomplete)
        return [*commands, *(name for name in names if name.type == "plain")] if commands else names


class CommandWithOthers(click.Command):
    """A command with all its options, and a few small ones that its first argument may name.

    Args:
        others: commands without options, by that name.
    """

    def __init__(self, *args: Any, others: Mapping[str, click.Command], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._others = others

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command that is meant."""
        if args and args[0] in self._others:
            other = self._others[args[0]]
            return other.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is meant."""
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands, after the options."""
        with formatter.section("Commands"):
            formatter.write_dl(_first_sentences(self._others))
        super().format_epilog(ctx, formatter)


def _first_sentences(commands: Mapping[str, click.Command]) -> list[tuple[str, str]]:
    return [(name, command.get_short_help_str(_WHOLE)) for name, command in sorted(commands.items())]
