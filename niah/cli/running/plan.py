"""``niah plan``: what a run will take, before anything is asked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from niah.api.plan import plan
from niah.api.run_files import run_file, run_name
from niah.cases.left_out import SkipRule
from niah.cli.running.run_options import resolve_run, run_options
from niah.plots.terminal.plan_table import plan_as_json, print_plan
from niah.runs.shards import Shard


@click.command()
@click.argument("config")
@run_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Run file whose finished trials are subtracted; runs/CONFIG.sqlite without it.",
)
@click.option(
    "--cache/--no-cache",
    default=True,
    envvar=["NIAH_RUN_CACHE", "NIAH_ANSWERS_CACHE"],
    help="Subtract answers that the run would take from earlier runs.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON for machines; null is unknown.",
)
@click.pass_context
def plan_command(
    context: click.Context,
    config: str,
    skip: SkipRule | None,
    model: str | None,
    api_base: str | None,
    concurrency: int | None,
    date: date | None,
    shard: Shard | None,
    out: Path | None,
    cache: bool,
    as_json: bool,
) -> None:
    """Say what running CONFIG (a name or a YAML file) will take: calls, tokens, money, time.

    Nothing is asked, retrieved or embedded, and nothing is written.
    """
    resolved = resolve_run(context, config)
    path = out or run_file(run_name(resolved, model, shard))
    planned = plan(resolved, path, shard, cache=cache)
    if as_json:
        click.echo(plan_as_json(planned, resolved.judge.name))
    else:
        print_plan(planned, resolved.judge.name)
