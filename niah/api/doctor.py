"""``niah doctor``: what is installed, fetched and set here, what is missing, and what to do next."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from niah import __version__, paths, weights
from niah.errors import UserError
from niah.plugins.kinds import registries
from niah.plugins.registry import installed_packages
from niah.readers.credentials import load_dotenv_here
from niah.readers.resolve import ReaderSpec, resolve_reader

# Each extra of niah's, and the packages that it brings.
_EXTRAS = {
    "local": ("xllamacpp", "onnxruntime"),
    "embed": ("sentence-transformers",),
    "fast": ("numba",),
    "providers": ("litellm",),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "notebook": ("ipykernel",),
}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")
_OF_DEMO = ("smollm2", "minilm")
_ROOM_MB = 500
"""What the packaged weights take while they are unpacked."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: the thing.
        state: "ok"; "absent" where something optional is not there; "wrong" where something is in the way.
        detail: what was found, one line.
        remedy: what to do where it is wanted, or "".
    """

    what: str
    state: Literal["ok", "absent", "wrong"]
    detail: str
    remedy: str = ""


def examine(model: str = "", api_base: str = "") -> list[Finding]:
    """What was found, one thing after another; no model is asked, nothing is fetched.

    Args:
        model: a model as ``niah run --model`` takes it, to be checked as a run would first; "" for none.
        api_base: its address, or "".
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    found = [Finding("niah", "ok", f"{__version__}, Python {platform.python_version()}, {machine}")]
    found += (_extra(name) for name in _EXTRAS)
    found.append(cache := _cache())
    if cache.state == "ok":
        found += map(_weights, weights.KNOWN)
    found += (_keys(), _plugins())
    if model:
        try:
            resolve_reader(ReaderSpec(model, api_base or None)).check()
        except UserError as error:
            found.append(Finding(model, "wrong", error.message, error.remedy))
        else:
            found.append(Finding(model, "ok", "a run could begin (the model was not asked)"))
    return found


def next_steps(found: list[Finding]) -> Iterator[str]:
    """What to do next, in three lines at most."""
    by_name = {finding.what: finding for finding in found}
    wrong = [finding for finding in found if finding.state == "wrong"]
    if wrong:
        yield from (f"{finding.what}: {finding.remedy}" for finding in wrong[:3])
        return
    if by_name["niah[local]"].state == "ok":
        missing = [name for name in _OF_DEMO if by_name[name].state == "absent"]
        fetched = f" (fetches {' and '.join(missing)} first)" if missing else ""
        yield f"niah run quick{fetched}"
    else:
        yield f"{by_name['niah[local]'].remedy}, then niah run quick: a small model on this machine"
    if by_name["keys"].state == "ok":
        yield "niah run quick --model openai/gpt-4o-mini"
    yield "niah run quick --model NAME --api-base http://127.0.0.1:8000/v1: a server of your own"


def _extra(name: str) -> Finding:
    found, missing = [], []
    for package in _EXTRAS[name]:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        remedy = f"pip install 'niah-bench[{name}]'"
        return Finding(f"niah[{name}]", "absent", f"{', '.join(missing)} not installed", remedy)
    return Finding(f"niah[{name}]", "ok", ", ".join(found))


def _cache() -> Finding:
    try:
        folder = paths.cache()
        free = shutil.disk_usage(folder).free // 2**20
    except (UserError, OSError) as error:
        problem = error.message if isinstance(error, UserError) else str(error)
        return Finding("cache", "wrong", problem, "Set NIAH_CACHE to a folder that is writable.")
    if not os.access(folder, os.W_OK):
        return Finding("cache", "wrong", f"{folder} is not writable", "Set NIAH_CACHE to a folder that is.")
    detail = f"{folder}, {free:,} MB free"
    if free < _ROOM_MB:
        return Finding("cache", "wrong", detail, f"Make room, or set NIAH_CACHE: weights need {_ROOM_MB} MB.")
    return Finding("cache", "ok", detail)


def _weights(name: str) -> Finding:
    package = weights.KNOWN[name]
    if weights.fetched_weights(name) is not None:
        return Finding(name, "ok", f"{package.what}: fetched")
    detail = f"{package.what}: not fetched yet ({package.megabytes} MB, at first use)"
    return Finding(name, "absent", detail, f"niah model fetch {name}")


def _keys() -> Finding:
    try:
        load_dotenv_here()
    except UserError as error:
        return Finding("keys", "wrong", error.message, error.remedy)
    held = [name for name in _KEYS if os.environ.get(name)]
    if not held:
        where = " or in .env" if Path(".env").is_file() else ""
        remedy = "export OPENAI_API_KEY=..., for a provider's models; servers of your own need none"
        return Finding("keys", "absent", f"no provider's in the environment{where}", remedy)
    return Finding("keys", "ok", f"{', '.join(held)} set (not shown, not tried)")


def _plugins() -> Finding:
    wrong = [problem for registry in registries() for problem in registry.problems()]
    if wrong:
        return Finding("plugins", "wrong", "; ".join(wrong), "Mend or uninstall the package.")
    named = ", ".join(f"{name} {number}" for name, number in sorted(installed_packages().items()))
    return Finding("plugins", "ok", named or "none but niah's own")
