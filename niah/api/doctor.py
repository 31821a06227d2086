"""``niah doctor``: what is installed, fetched and set here, what is missing, and what to do next."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from niah import __version__, paths, weights
from niah.errors import UserError
from niah.plugins.registry import installed_packages, registries
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
_ROOM_MB = 500
"""What the packaged weights take while they are unpacked."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
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

    ``model`` is checked as ``niah run --model`` would check it, at its address ``api_base`` if it has one.
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    found = [Finding("niah", "ok", f"{__version__}, Python {platform.python_version()}, {machine}")]
    found += [*map(_extra, _EXTRAS), cache := _cache()]
    if cache.state == "ok":
        found += map(_weights, weights.KNOWN)
    found += [_keys(), _plugins()]
    if model:
        try:
            resolve_reader(ReaderSpec(model, api_base or None)).check()
            found.append(Finding(model, "ok", "a run could begin (the model was not asked)"))
        except UserError as error:
            found.append(Finding(model, "wrong", error.message, error.remedy))
    return found


def next_steps(found: list[Finding]) -> Iterator[str]:
    """What to do next, in three lines at most."""
    if wrong := [f"{each.what}: {each.remedy}" for each in found if each.state == "wrong"]:
        yield from wrong[:3]
        return
    by_name = {finding.what: finding for finding in found}
    local = by_name["niah[local]"]
    missing = [name for name in ("smollm2", "minilm") if by_name[name].state == "absent"]
    fetched = f" (fetches {' and '.join(missing)} first)" if missing else ""
    before = f"{local.remedy}, then " if local.state == "absent" else ""
    yield f"{before}niah run quick: a small model on this machine{fetched}"
    if by_name["keys"].state == "ok":
        yield "niah run quick --model openai/gpt-4o-mini"
    yield "niah run quick --model NAME --api-base http://127.0.0.1:8000/v1: a server of your own"


def _extra(extra: str) -> Finding:
    found: dict[str, str] = {}
    for package in _EXTRAS[extra]:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    if missing := ", ".join(package for package in _EXTRAS[extra] if package not in found):
        remedy = f"pip install 'niah-bench[{extra}]'"
        return Finding(f"niah[{extra}]", "absent", f"{missing} not installed", remedy)
    return Finding(f"niah[{extra}]", "ok", ", ".join(map(" ".join, found.items())))


def _cache() -> Finding:
    try:
        folder = paths.cache()
        free = shutil.disk_usage(folder).free // 2**20
    except (UserError, OSError) as error:
        return Finding("cache", "wrong", str(error), "Set NIAH_CACHE to a folder that is writable.")
    detail = f"{folder}, {free:,} MB free{'' if os.access(folder, os.W_OK) else ', not writable'}"
    if free < _ROOM_MB or detail.endswith("writable"):
        return Finding(
            "cache", "wrong", detail, f"Set NIAH_CACHE to a folder with {_ROOM_MB} MB to write to."
        )
    return Finding("cache", "ok", detail)


def _weights(name: str) -> Finding:
    package = weights.KNOWN[name]
    if weights.fetched_weights(name):
        return Finding(name, "ok", f"{package.what}: fetched")
    detail = f"{package.what}: not fetched yet ({package.megabytes} MB, at first use)"
    return Finding(name, "absent", detail, f"niah model fetch {name}")


def _keys() -> Finding:
    try:
        load_dotenv_here()
    except UserError as error:
        return Finding("keys", "wrong", error.message, error.remedy)
    held = [name for name in _KEYS if os.environ.get(name)]
    if held:
        return Finding("keys", "ok", f"{', '.join(held)} set (not shown, not tried)")
    where = " or in .env" if Path(".env").is_file() else ""
    remedy = "export OPENAI_API_KEY=..., for a provider's models; servers of your own need none"
    return Finding("keys", "absent", f"no provider's in the environment{where}", remedy)


def _plugins() -> Finding:
    if wrong := [problem for registry in registries() for problem in registry.problems()]:
        return Finding("plugins", "wrong", "; ".join(wrong), "Mend or uninstall the package.")
    named = ", ".join(f"{name} {number}" for name, number in sorted(installed_packages().items()))
    return Finding("plugins", "ok", named or "none but niah's own")
