"""``niah completion``: what makes a shell complete commands, options and names."""

from __future__ import annotations

from typing import Literal

import click

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print the lines that make SHELL complete niah's commands, options and names.

    For every new bash: eval "$(niah completion bash)" in ~/.bashrc; zsh alike in ~/.zshrc. For fish:
    niah completion fish > ~/.config/fish/completions/niah.fish
    """
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)(context.find_root().command, {}, "niah", "_NIAH_COMPLETE")
    click.echo(completion.source())
