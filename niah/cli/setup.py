"""``niah doctor`` and ``model``."""

from __future__ import annotations

import os
import platform
import shutil
from importlib.util import find_spec

import click

from niah import __version__, weights
from niah.cli.options import RunCommand
from niah.cli.terminal import say
from niah.errors import UserError
from niah.files import cache_folder

# Each extra of niah's, and a module that it brings.
_EXTRAS = {"local": "xllamacpp", "embed": "sentence_transformers", "fast": "numba", "providers": "litellm"}
_EXTRAS |= {"parquet": "pyarrow", "ray": "ray", "umap": "umap", "notebook": "ipykernel"}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")
_ROOM_MB = 500  # what the packaged weights take while they are unpacked


@click.command(cls=RunCommand)
@click.option("--model", help="A model, as in niah run: checked as a run would before it begins.")
@click.option("--api-base", help="The address of an OpenAI-compatible server for --model.")
def doctor_command(model: str | None, api_base: str | None) -> int:
    """Say what is installed, what is in the way here, and what to do next.

    No model is asked, nothing is fetched, no key is shown. Ends with exit code 0, or 2 where something is in
    the way.
    """
    if api_base and not model:
        raise UserError("--api-base is the address of a model.", "Name it with --model.")
    looks = {"extras": _extras, "cache": _cache, "keys": _keys}
    looks |= {model: lambda: _model(model, api_base)} if model else {}
    click.echo(f"niah {__version__}, Python {platform.python_version()}, {platform.platform()}")
    is_well = True
    for what, look in looks.items():
        try:
            click.echo(f"{what}: {look()}")
        except UserError as error:
            is_well = False
            click.secho(f"{what}: {error}", fg="red")
    if is_well and not model:
        click.echo("next: niah run quick, or niah run quick --model openai/gpt-4o-mini")
    return 0 if is_well else 2


def _extras() -> str:
    if missing := [extra for extra, module in _EXTRAS.items() if not find_spec(module)]:
        return f"without {', '.join(missing)}: pip install 'niah-bench[{missing[0]}]'"
    return ", ".join(_EXTRAS)


def _cache() -> str:
    folder = cache_folder()
    free = shutil.disk_usage(folder).free // 2**20
    if free < _ROOM_MB or not os.access(folder, os.W_OK):
        problem = f"{folder} has {free:,} MB free, or is not writable."
        raise UserError(problem, f"Set NIAH_CACHE to a folder with {_ROOM_MB} MB to write to.")
    fetched = ", ".join(filter(weights.fetched_weights, weights.known_weights()))
    return f"{folder}, {free:,} MB free; weights fetched: {fetched or 'none'}"


def _keys() -> str:
    from niah.readers.credentials import load_dotenv_here

    load_dotenv_here()
    if held := [name for name in _KEYS if os.environ.get(name)]:
        return f"{', '.join(held)} set (not shown, not tried)"
    return "no provider's in the environment or in .env; servers of your own need none"


def _model(model: str, api_base: str | None) -> str:
    from niah.readers.openai_compatible import OpenAICompatibleReader
    from niah.readers.resolve import ReaderSpec, resolve_reader

    reader = resolve_reader(ReaderSpec(model, api_base))
    reader.check()
    if isinstance(reader, OpenAICompatibleReader) and (odd := reader.check_model()):
        raise UserError(odd)
    return "a run could begin (the model was not asked)"


@click.group()
def model_command() -> None:
    """Weights that are packaged on the package index and run on a CPU."""


@model_command.command("fetch", cls=RunCommand)
@click.argument("name", type=click.Choice(sorted(weights.known_weights())))
def fetch_command(name: str) -> None:
    """Fetch the weights NAME into the user's cache; at once where they already are."""
    click.echo(weights.ensure_weights(name, say))
