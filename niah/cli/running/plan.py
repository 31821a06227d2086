"""``niah plan``: what a run will take, before anything is asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.api.run_files import run_file
from niah.cli.option_types import FilePath
from niah.cli.running.run_options import as_budget, run_options

if TYPE_CHECKING:
    from niah.runs.config.run_config import RunConfig
    from niah.runs.cost.prices import Budget
    from niah.runs.shards import Shard


@click.command()
@partial(run_options, asks=False)
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="Run file whose finished trials are subtracted; runs/CONFIG.sqlite without it.",
)
@click.option(
    "--budget",
    callback=as_budget,
    envvar=["NIAH_PLAN_BUDGET", "NIAH_BUDGET"],
    help="Say whether niah run would start with this budget; the config's without it.",
)
@click.option(
    "--reuse",
    is_flag=True,
    help="Subtract the answers that niah run --reuse would take from earlier runs.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON for machines; null is unknown.",
)
def plan_command(
    context: click.Context,
    config: RunConfig,
    name: str,
    shard: Shard | None,
    *,
    out: Path | None,
    budget: Budget | None,
    reuse: bool,
    as_json: bool,
) -> None:
    """Say what running CONFIG (a name or a YAML file) will take: calls, tokens, money.

    Nothing is asked, retrieved or embedded, and nothing is written.
    """
    from niah.api.plan import plan_config
    from niah.plots.plan import plan_as_json, print_plan

    path = out or run_file(name)
    planned = plan_config(config, path, shard, budget=budget, reuse=reuse)
    if as_json:
        click.echo(plan_as_json(planned, config.judge.name))
    else:
        print_plan(planned, config.judge.name)
