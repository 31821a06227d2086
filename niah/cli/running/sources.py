"""What a ``niah run`` was told, and by what: flag, environment variable, run config, or nobody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from niah.cli.variables import option_named, variable_of

if TYPE_CHECKING:
    from niah.runs.config.run_config import RunConfig
    from niah.runs.cost.prices import Budget
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
    from niah.api.run import resolved_values

    values = resolved_values(config, context.params, budget, path, figures)
    return {name: _setting(context, config, name, *value) for name, value in values.items()}


def _setting(context: click.Context, config: RunConfig, name: str, option: str, value: Any) -> Setting:
    """The setting of that name, which ``option`` may give."""
    from niah.runs.provenance import Setting

    source = context.get_parameter_source(option) if option else None
    if source is ParameterSource.COMMANDLINE:
        return Setting(value, "flag")
    if source is ParameterSource.ENVIRONMENT:
        return Setting(value, "environment", variable_of(context, option_named(context, option)))
    # Where there is no run config, its keys are those that the command line and niah itself put together.
    has_file = context.params.get("config") is not None
    return Setting(value, "file" if has_file and name in config.keys else "default")
