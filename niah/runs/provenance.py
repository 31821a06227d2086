"""Where the values of a run came from, and which versions did the work. No secret enters."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from niah import __version__
from niah.plugins.registry import installed_packages
from niah.readers.redaction import redact, secrets_in

Source = Literal["flag", "argument", "environment", "file", "default"]

PACKAGES = ("openai", "litellm", "tiktoken", "numpy", "torch", "sentence-transformers")
"""Whose versions a run file keeps, next to Python's; those that are installed."""


@dataclass(frozen=True)
class Setting:
    """One value of a run as resolved.

    Attributes:
        value: ready for JSON.
        source: a flag, a Python argument, an environment variable, the run config, or the default.
        variable: the environment variable's name, if one did.
    """

    value: Any
    source: Source
    variable: str = ""


_SOURCES: Mapping[str, str] = {
    "flag": "the command line",
    "argument": "the Python call",
    "environment": "the environment variable",
    "file": "the run config",
    "default": "the default",
}


def source_words(setting: Mapping[str, Any]) -> str:
    """Where a stored setting came from: "the run config", "the environment variable NIAH_RUN_LIMIT"."""
    words = _SOURCES.get(setting["source"], setting["source"])
    return " ".join(filter(None, (words, setting.get("variable"))))


@dataclass(frozen=True)
class Invocation:
    """One ``niah run`` that wrote to a run file.

    Attributes:
        started_at: UTC, as 2026-11-22T04:00:00.000Z.
        settings: by name: ``value``, ``source``, and ``variable`` where one gave the value.
        versions: of Python and packages, by name.
    """

    started_at: str
    settings: dict[str, dict[str, Any]]
    versions: dict[str, str]


def as_stored(settings: Mapping[str, Setting]) -> dict[str, dict[str, Any]]:
    """The settings as a run file keeps them, without the values of variables that hold secrets."""
    secrets = secrets_in(os.environ)
    return {
        name: {
            "value": _without(secrets, setting.value),
            "source": setting.source,
            **({"variable": setting.variable} if setting.variable else {}),
        }
        for name, setting in settings.items()
    }


def versions() -> dict[str, str]:
    """What is installed, by name, packages that add to niah too; nothing is imported for it."""
    installed = ((name, _version(name)) for name in PACKAGES)
    ours = {name: found for name, found in installed if found}
    return {"python": platform.python_version(), "niah": __version__, **ours, **installed_packages()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _without(secrets: Collection[str], value: Any) -> Any:
    if isinstance(value, str):
        return redact(value, secrets)
    if isinstance(value, list):
        return [_without(secrets, each) for each in value]
    if isinstance(value, dict):
        return {_without(secrets, key): _without(secrets, each) for key, each in value.items()}
    return value
