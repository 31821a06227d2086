"""A group with one command that need not be named: ``niah judge RUN`` beside ``niah judge audit``."""

from __future__ import annotations

from typing import Any

import click


class DefaultGroup(click.Group):
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
