"""What a ``niah run`` was told, and by what: flag, environment variable, run config, or nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from niah.cli.variables import option_named, variable_of
from niah.readers.redaction import without_credentials
from niah.runs.config import RunConfig, identity
from niah.runs.cost.budget import Budget
from niah.runs.cost.prices import prices_to_store
from niah.runs.provenance import Setting


def run_settings(
    context: click.Context, config: RunConfig, budget: Budget | None, path: Path, figures: Path
) -> dict[str, Setting]:
    """Every setting of a run as resolved.

    Args:
        context: of the command; options that it does not have are as if they were not given.
        config: what it and the run config mean.
        budget: the one that counts.
        path: the run file.
        figures: the folder for figures.
    """
    given = context.params
    shard, api_base = given.get("shard"), given.get("api_base")
    values: dict[str, tuple[str, Any]] = {
        "config": ("config", str(config.path)),
        "suite": ("", config.suite),
        "skip": ("skip", config.skip),
        "accidents": ("accidents", next((case.accidents for case in config.cases), "stop")),
        "reserve": ("reserve", next((case.reserve for case in config.cases), 0)),
        "readers": ("model", [identity(reader) for reader in config.readers]),
        "strategies": ("", [strategy.name for strategy in config.strategies]),
        "judge": ("judge", config.judge.name),
        "repeats": ("", config.repeats),
        "seeds": ("", _seeds(config)),
        "date": ("date", str(config.date) if config.date else None),
        "budget": ("budget", str(budget) if budget else None),
        "prices": ("", prices_to_store(config.prices) or None),
        "concurrency": ("concurrency", {reader.name: reader.concurrency for reader in config.readers}),
        "api_base": ("api_base", without_credentials(api_base) if api_base else config.api_bases or None),
        "cache": ("cache", given.get("cache")),
        "limit": ("limit", given.get("limit")),
        "retry": ("retry", sorted(given.get("retry", ()))),
        "shard": ("shard", f"{shard.index}/{shard.of}" if shard else None),
        "on": ("on", given.get("on")),
        **({"adaptive": ("adaptive", given["adaptive"])} if "adaptive" in given else {}),
        "out": ("out", str(path)),
        "plots": ("plots", str(figures)),
    }
    return {name: _setting(context, config, name, *value) for name, value in values.items()}


def _seeds(config: RunConfig) -> dict[str, Any]:
    seeds = config.seeds
    spread = {"spread": True} if seeds.spread else {}
    return {"anchor": list(seeds.anchor), "rotating": list(seeds.rotating), **spread}


def _setting(context: click.Context, config: RunConfig, name: str, option: str, value: Any) -> Setting:
    """The setting of that name, which ``option`` may give."""
    source = context.get_parameter_source(option) if option else None
    if source is ParameterSource.COMMANDLINE:
        return Setting(value, "flag")
    if source is ParameterSource.ENVIRONMENT:
        return Setting(value, "environment", variable_of(context, option_named(context, option)))
    return Setting(value, "file" if name in config.keys else "default")
