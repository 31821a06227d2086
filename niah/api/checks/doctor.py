"""What of niah is installed, fetched, set and reachable here, and what is missing: ``niah doctor``."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from niah import __version__, paths, weights
from niah.errors import UserError
from niah.plugins.kinds import registries
from niah.plugins.registry import installed_packages
from niah.readers.credentials import load_dotenv_here
from niah.readers.resolve import ReaderSpec, resolve_reader

# Each extra of niah's, what it is for, and the packages that it brings.
_EXTRAS = {
    "fast": ("MixPR sooner, over files and with a threshold", ("numba",)),
    "embed": ("any embedder of the hub (arctic, contriever, ...)", ("sentence-transformers",)),
    "local": ("a model and minilm on this machine", ("xllamacpp", "onnxruntime")),
    "notebook": ("runs in a notebook", ("ipykernel",)),
    "parquet": ("question sets and cases as Parquet files", ("pyarrow",)),
    "providers": ("models of providers without an OpenAI-compatible endpoint", ("litellm",)),
    "ray": ("niah run --on ray", ("ray",)),
    "umap": ("raptor-umap", ("umap-learn",)),
}

_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENROUTER_API_KEY")

_IN_LITELLM = "vocabularies"  # fetched only where litellm, which carries the same, is not installed

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


def examine(model: str = "", api_base: str = "") -> Iterator[Finding]:
    """Look at everything, one after another; no model is asked, nothing is fetched.

    Args:
        model: a reader as ``niah run --model`` takes it, to be checked as a run would first; "" for none.
        api_base: its address, or "".
    """
    yield Finding("niah", "ok", f"{__version__}, Python {platform.python_version()}, {_machine()}")
    yield from (_extra(name) for name in _EXTRAS)
    cache = _cache()
    yield cache
    if cache.state == "ok":
        yield from (_weights(name) for name in weights.KNOWN if name != _IN_LITELLM or not _has_litellm())
    yield _keys()
    yield _plugins()
    if model:
        yield _reader(model, api_base)


def _machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _extra(name: str) -> Finding:
    purpose, packages = _EXTRAS[name]
    found, missing = [], []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        detail = f"for {purpose}: {', '.join(missing)} not installed"
        return Finding(f"niah[{name}]", "absent", detail, f"in niah's source: pip install '.[{name}]'")
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


def _has_litellm() -> bool:
    return find_spec("litellm") is not None


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
    where = " or in .env" if Path(".env").is_file() else ""
    if not held:
        remedy = "export OPENAI_API_KEY=..., for a provider's models; one's own endpoints need none"
        return Finding("keys", "absent", f"no provider's in the environment{where}", remedy)
    return Finding("keys", "ok", f"{', '.join(held)} set (not shown, not tried)")


def _plugins() -> Finding:
    found = installed_packages()
    wrong = [problem for registry in registries() for problem in registry.problems()]
    if wrong:
        return Finding("plugins", "wrong", "; ".join(wrong), "Mend or uninstall the package.")
    named = ", ".join(f"{name} {number}" for name, number in sorted(found.items()))
    return Finding("plugins", "ok", named or "none but niah's own")


def _reader(model: str, api_base: str) -> Finding:
    try:
        resolve_reader(ReaderSpec(model, api_base or None)).check()
    except UserError as error:
        return Finding(model, "wrong", error.message, error.remedy)
    return Finding(model, "ok", "a run could begin (the model was not asked)")
