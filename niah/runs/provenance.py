"""Where the values of a run came from, and which versions did the work. No secret enters."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from niah import __version__
from niah.readers.credentials import redact, secrets_in
from niah.registry import installed_packages

_PACKAGES = ("openai", "litellm", "tiktoken", "numpy", "torch", "sentence-transformers")


@dataclass(frozen=True)
class Invocation:
    """One ``niah run`` that wrote to a run file."""

    started_at: str  # UTC, as 2026-11-22T04:00:00.000Z
    settings: dict[str, dict[str, Any]]  # by name: value, and the source that gave it
    versions: dict[str, str]  # of Python and packages


def value_words(value: Any) -> str:
    """A stored value for people: "lc, dos"; "anchor 1, 2; rotating 2026112201"; "–" for none."""
    if isinstance(value, dict):
        known = (f"{key} {value_words(each)}" for key, each in value.items() if each not in ([], None))
        return "; ".join(known) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value)) or "–"
    return {"None": "–", "True": "yes", "False": "no"}.get(str(value), str(value))


def as_stored(values: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Values of a run with what gave each, as a run file keeps them: nothing of variables with secrets."""
    secrets = secrets_in(os.environ)
    shown = {name: None if value in ({}, []) else _without(secrets, value) for name, value in values.items()}
    return {
        name: {"value": value, "source": sources.get(name, "the default")} for name, value in shown.items()
    }


def versions() -> dict[str, str]:
    """What is installed, by name, packages that add to niah too; nothing is imported for it."""
    found = {"python": platform.python_version(), "niah": __version__}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found | installed_packages()


def _without(secrets: Collection[str], value: Any) -> Any:
    if isinstance(value, str):
        return redact(value, secrets)
    if isinstance(value, list):
        return [_without(secrets, each) for each in value]
    if isinstance(value, dict):
        return {_without(secrets, key): _without(secrets, each) for key, each in value.items()}
    return value
