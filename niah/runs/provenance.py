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
from niah.readers.credentials import redact, secrets_in, without_credentials
from niah.registry import installed_packages
from niah.runs.config import RunConfig, identity
from niah.runs.cost.prices import prices_to_store

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


def settings_of(config: RunConfig, given: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, Any]:
    """What was asked for, and what it came to, with what gave each, as a run file stores it.

    ``given`` is what the user gave besides the file, ``named`` how.
    """
    file = config.file
    addresses = {each.called: each.api_base for each in file.readers if each.api_base}
    values = {
        **given,
        **file.model_dump(mode="json", include={"suite", "metrics", "repeats", "budget", "filter"}),
        "config": str(config.path),
        "readers": list(map(identity, config.readers)),
        "reader_options": {name: each.stated for name, each in config.options.items() if each.stated},
        "strategies": [strategy.name for strategy in config.strategies],
        "judge": config.judge.name,
        "seeds": {name: value for name, value in vars(config.seeds).items() if value},
        "date": config.date and str(config.date),
        "prices": prices_to_store(config.prices),
        "api_base": {name: without_credentials(each) for name, each in addresses.items()},
    }
    sources = dict.fromkeys(config.keys, "the run config") if "config" in given else {}
    sources |= {name: named[name] for name in given}
    if "model" in given:
        sources["readers"] = named["model"]
    return as_stored(values, sources)


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
