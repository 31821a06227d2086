"""``niah doctor``: what is installed, fetched and set here, what is missing, and what to do next."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from niah import __version__, paths, weights
from niah.errors import UserError
from niah.plugins.registry import installed_packages, registries
from niah.readers.credentials import load_dotenv_here
from niah.readers.resolve import ReaderSpec, resolve_reader

# Each extra of niah's, and the modules that it brings.
_EXTRAS = {
    "local": ("xllamacpp", "onnxruntime"),
    "embed": ("sentence_transformers",),
    "fast": ("numba",),
    "providers": ("litellm",),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "notebook": ("ipykernel",),
}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")
_ROOM_MB = 500
"""What the packaged weights take while they are unpacked."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what was found, and what to do where it is wanted."""

    what: str
    state: Literal["ok", "absent", "wrong"]  # absent: optional, and not there; wrong: in the way
    detail: str
    remedy: str = ""


def examine(model: str = "", api_base: str = "") -> list[Finding]:
    """What was found, one thing after another; no model is asked, nothing is fetched.

    ``model`` is checked as ``niah run --model`` would check it, at its address ``api_base`` if it has one.
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    found = [Finding("niah", "ok", f"{__version__}, Python {platform.python_version()}, {machine}")]
    for extra, modules in _EXTRAS.items():
        missing = ", ".join(name for name in modules if find_spec(name) is None)
        remedy = f"pip install 'niah-bench[{extra}]'"
        told = ("absent", f"{missing} not installed", remedy) if missing else ("ok", ", ".join(modules))
        found.append(Finding(f"niah[{extra}]", *told))
    try:
        folder, remedy = paths.cache(), f"Set NIAH_CACHE to a folder with {_ROOM_MB} MB to write to."
        free, may_write = shutil.disk_usage(folder).free // 2**20, os.access(folder, os.W_OK)
        is_good, detail = may_write and free >= _ROOM_MB, f"{folder}, {free:,} MB free"
        detail += "" if may_write else ", not writable"
        found.append(Finding("cache", "ok", detail) if is_good else Finding("cache", "wrong", detail, remedy))
        for name, package in weights.KNOWN.items() if is_good else ():
            later = f"{package.what}: not fetched yet ({package.megabytes} MB, at first use)"
            told = ("absent", later, f"niah model fetch {name}")
            has = weights.fetched_weights(name)
            found.append(Finding(name, *(("ok", f"{package.what}: fetched") if has else told)))
    except (UserError, OSError) as error:
        found.append(Finding("cache", "wrong", str(error), "Set NIAH_CACHE to a folder that is writable."))
    try:
        load_dotenv_here()
        remedy = "export OPENAI_API_KEY=..., for a provider's models; servers of your own need none"
        absent = Finding("keys", "absent", "no provider's in the environment or in .env", remedy)
        held = ", ".join(name for name in _KEYS if os.environ.get(name))
        found.append(Finding("keys", "ok", f"{held} set (not shown, not tried)") if held else absent)
    except UserError as error:
        found.append(Finding("keys", "wrong", error.message, error.remedy))
    if wrong := "; ".join(problem for registry in registries() for problem in registry.problems()):
        found.append(Finding("plugins", "wrong", wrong, "Mend or uninstall the package."))
    named = ", ".join(f"{name} {number}" for name, number in sorted(installed_packages().items()))
    found.append(Finding("plugins", "ok", named or "none but niah's own"))
    if model:
        try:
            resolve_reader(ReaderSpec(model, api_base or None)).check()
            found.append(Finding(model, "ok", "a run could begin (the model was not asked)"))
        except UserError as error:
            found.append(Finding(model, "wrong", error.message, error.remedy))
    return found


def next_steps(found: list[Finding]) -> Iterator[str]:
    """What to do next, in three lines at most."""
    by_name = {finding.what: finding for finding in found}
    if wrong := [f"{each.what}: {each.remedy}" for each in found if each.state == "wrong"]:
        yield from wrong[:3]
        return
    local = by_name["niah[local]"]
    missing = [name for name in ("smollm2", "minilm") if by_name[name].state == "absent"]
    fetched = f" (fetches {' and '.join(missing)} first)" if missing else ""
    before = f"{local.remedy}, then " if local.state == "absent" else ""
    yield f"{before}niah run quick: a small model on this machine{fetched}"
    if by_name["keys"].state == "ok":
        yield "niah run quick --model openai/gpt-4o-mini"
    yield "niah run quick --model NAME --api-base http://127.0.0.1:8000/v1: a server of your own"
