"""``niah doctor``: what is installed, fetched and set here, what is missing, and what to do next."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from niah import __version__, weights
from niah.errors import UserError
from niah.files import cache_folder
from niah.readers.credentials import load_dotenv_here
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.resolve import ReaderSpec, resolve_reader
from niah.registry import installed_packages, registries

# Each extra of niah's, and the modules that it brings.
_EXTRAS = {
    "local": ("xllamacpp", "onnxruntime"),
    "embed": ("sentence_transformers",),
    "fast": ("numba",),
    "providers": ("litellm",),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "umap": ("umap",),
    "notebook": ("ipykernel",),
}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")
_ROOM_MB = 500  # what the packaged weights take while they are unpacked

State = Literal["ok", "absent", "wrong"]  # absent: optional, and not there; wrong: in the way
Told = tuple[State, str]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what was found, and what to do where it is wanted."""

    what: str
    state: State
    detail: str
    remedy: str = ""


def examine(model: str = "", api_base: str = "") -> list[Finding]:
    """What was found, one thing after another; no model is asked, nothing is fetched.

    ``model`` is checked as ``niah run --model`` would check it, at its address ``api_base`` if it has one.
    """

    def check_model() -> Told:
        reader = resolve_reader(ReaderSpec(model, api_base or None))
        reader.check()
        if isinstance(reader, OpenAICompatibleReader) and (odd := reader.check_model()):
            raise UserError(odd)
        return "ok", "a run could begin (the model was not asked)"

    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    found = [Finding("niah", "ok", f"{__version__}, Python {platform.python_version()}, {machine}")]
    missing = _missing_extras()
    extras = ", ".join(missing or _EXTRAS) + (f": pip install 'niah-bench[{missing[0]}]'" if missing else "")
    found.append(Finding("extras", "absent" if missing else "ok", extras))
    looks = {"cache": _cache, "keys": _keys, "plugins": _plugins}
    for what, look in (looks | ({model: check_model} if model else {})).items():
        try:
            found.append(Finding(what, *look()))
        except UserError as error:
            found.append(Finding(what, "wrong", error.message, error.remedy))
    return found


def next_steps(found: list[Finding]) -> Iterator[str]:
    """What to do next, in three lines at most."""
    if wrong := [f"{each.what}: {each.detail} {each.remedy}" for each in found if each.state == "wrong"]:
        yield from wrong[:3]
        return
    unfetched = [name for name in ("smollm2", "minilm") if not weights.fetched_weights(name)]
    fetched = f" (fetches {' and '.join(unfetched)} first)" if unfetched else ""
    before = "pip install 'niah-bench[local]', then " if "local" in _missing_extras() else ""
    yield f"{before}niah run quick: a small model on this machine{fetched}"
    if any(each.what == "keys" and each.state == "ok" for each in found):
        yield "niah run quick --model openai/gpt-4o-mini"
    yield "niah run quick --model NAME --api-base http://127.0.0.1:8000/v1: a server of your own"


def _missing_extras() -> list[str]:
    return [extra for extra, modules in _EXTRAS.items() if not all(map(find_spec, modules))]


def _cache() -> Told:
    folder = cache_folder()
    free = shutil.disk_usage(folder).free // 2**20
    if free < _ROOM_MB or not os.access(folder, os.W_OK):
        problem = f"{folder} has {free:,} MB free, or is not writable."
        raise UserError(problem, f"Set NIAH_CACHE to a folder with {_ROOM_MB} MB to write to.")
    fetched = ", ".join(filter(weights.fetched_weights, weights.KNOWN))
    return "ok", f"{folder}, {free:,} MB free; weights fetched: {fetched or 'none'}"


def _keys() -> Told:
    load_dotenv_here()
    held = ", ".join(name for name in _KEYS if os.environ.get(name))
    if held:
        return "ok", f"{held} set (not shown, not tried)"
    return "absent", "no provider's in the environment or in .env; servers of your own need none"


def _plugins() -> Told:
    failed = [one for registry in registries() for one in registry.of_packages if one.problem]
    if failed:
        problems = (f"{one.package}: {one.name!r} cannot be used: {one.problem}" for one in failed)
        raise UserError(f"{'; '.join(problems)}.", "Mend or uninstall the package.")
    named = ", ".join(f"{name} {number}" for name, number in sorted(installed_packages().items()))
    return "ok", named or "none but niah's own"
