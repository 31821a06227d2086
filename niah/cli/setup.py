"""``niah doctor`` and ``model``."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from importlib.util import find_spec

import click

from niah import __version__, weights
from niah.cli.options import RunCommand, json_option
from niah.cli.terminal import print_json, say
from niah.errors import UserError
from niah.files import cache_folder

# Each extra of niah's, and a module that it brings.
_EXTRAS = {"local": "xllamacpp", "embed": "sentence_transformers", "fast": "numba", "providers": "litellm"}
_EXTRAS |= {"parquet": "pyarrow", "ray": "ray", "umap": "umap", "notebook": "ipykernel"}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")
_ROOM_MB = 500  # what the packaged weights take while they are unpacked

_Found = tuple[str, str]  # "ok" or, of what is optional, "absent"; and what was found. Mistakes are raised.


@click.command(cls=RunCommand)
@click.option("--model", help="A model, as in niah run: checked as a run would before it begins.")
@click.option("--api-base", help="The address of an OpenAI-compatible server for --model.")
@json_option
def doctor_command(model: str | None, api_base: str | None, json: bool) -> int:
    """Say what is in the way here, and what to do next, in three lines at most; as JSON all of it.

    No model is asked, nothing is fetched, no key is shown. Ends with exit code 0, or 2 where something is in
    the way.
    """
    if api_base and not model:
        raise UserError("--api-base is the address of a model.", "Name it with --model.")
    looks = {"extras": _extras, "cache": _cache, "keys": _keys}
    looks |= {model: lambda: _model(model, api_base)} if model else {}
    here = f"{__version__}, Python {platform.python_version()}, {platform.platform()}"
    found, wrong = [{"what": "niah", "state": "ok", "detail": here}], list[str]()
    for what, look in looks.items():
        try:
            state, detail = look()
            found.append({"what": what, "state": state, "detail": detail})
        except UserError as error:
            wrong.append(f"{what}: {error}")
            found.append({"what": what, "state": "wrong", "detail": error.message, "remedy": error.remedy})
    if json:
        print_json(found)
    else:
        click.echo("\n".join(wrong or ([f"{model}: {detail}."] if model else _next_steps())))
    return 2 if wrong else 0


def _next_steps() -> Iterator[str]:
    before = "" if find_spec(_EXTRAS["local"]) else "pip install 'niah-bench[local]', then "
    yield f"{before}niah run quick: a small model on this machine, which is fetched once"
    if _keys()[0] == "ok":
        yield "niah run quick --model openai/gpt-4o-mini"
    yield "niah run quick --model NAME --api-base http://127.0.0.1:8000/v1: a server of your own"


def _extras() -> _Found:
    if missing := [extra for extra, module in _EXTRAS.items() if not find_spec(module)]:
        return "absent", f"{', '.join(missing)}: pip install 'niah-bench[{missing[0]}]'"
    return "ok", ", ".join(_EXTRAS)


def _cache() -> _Found:
    folder = cache_folder()
    free = shutil.disk_usage(folder).free // 2**20
    if free < _ROOM_MB or not os.access(folder, os.W_OK):
        problem = f"{folder} has {free:,} MB free, or is not writable."
        raise UserError(problem, f"Set NIAH_CACHE to a folder with {_ROOM_MB} MB to write to.")
    fetched = ", ".join(filter(weights.fetched_weights, weights.known_weights()))
    return "ok", f"{folder}, {free:,} MB free; weights fetched: {fetched or 'none'}"


def _keys() -> _Found:
    from niah.readers.credentials import load_dotenv_here

    load_dotenv_here()
    if held := [name for name in _KEYS if os.environ.get(name)]:
        return "ok", f"{', '.join(held)} set (not shown, not tried)"
    return "absent", "no provider's in the environment or in .env; servers of your own need none"


def _model(model: str, api_base: str | None) -> _Found:
    from niah.readers.resolve import ReaderSpec, resolve_reader

    reader = resolve_reader(ReaderSpec(model, api_base))
    reader.check()
    if odd := reader.check_model():
        raise UserError(odd)
    return "ok", "a run could begin (the model was not asked)"


@click.group()
def model_command() -> None:
    """Weights that are packaged on the package index and run on a CPU."""


@model_command.command("fetch", cls=RunCommand)
@click.argument("name", type=click.Choice(sorted(weights.known_weights())))
def fetch_command(name: str) -> None:
    """Fetch the weights NAME into the user's cache; at once where they already are."""
    click.echo(weights.ensure_weights(name, say))
