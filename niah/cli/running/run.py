"""``niah run``: the main job, end to end."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from niah.api.run_files import run_file
from niah.cli.option_types import COUNT, FilePath
from niah.cli.request_log import log_option, requests_logged
from niah.cli.running.run_options import as_budget, run_options
from niah.errors import UnknownName

if TYPE_CHECKING:
    from niah.runs.config.run_config import RunConfig
    from niah.runs.cost.prices import Budget
    from niah.runs.shards import Shard
    from niah.runs.trial import Outcome

RETRIED: tuple[Outcome, ...] = (
    *("refused", "truncated", "overflow"),
    *("reader_error", "preparation_error", "judge_error"),
)


def _outcomes(context: click.Context, option: click.Parameter, text: str) -> frozenset[Outcome]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in RETRIED:
            raise UnknownName("outcome to retry", name, RETRIED)
    return frozenset(outcome for outcome in RETRIED if outcome in names)


@click.command()
@run_options
@click.option("--limit", type=COUNT, help="Run at most this many trials now; the rest can follow.")
@click.option(
    "--retry", callback=_outcomes, default="", help="Outcomes to try again, such as reader_error,truncated."
)
@click.option(
    "--budget",
    callback=as_budget,
    envvar=["NIAH_RUN_BUDGET", "NIAH_BUDGET"],
    help="The most that the run may take: 25usd, 40Mtok, 500ktok. The config's without it.",
)
@click.option(
    "--reuse",
    is_flag=True,
    help="Take the answers that earlier runs got to the very same requests: right only while the model "
    "behind its name and address is the same.",
)
@click.option(
    "--on",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="Where contexts are built and models asked: in this process, or on the Ray cluster at RAY_ADDRESS.",
)
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="Run file; runs/CONFIG.sqlite without it. Its folders are made, and figures go by its name.",
)
@click.option(
    "--plots",
    type=FilePath(path_type=Path, file_okay=False),
    help="Folder for figures; plots/NAME without it, called as the run file is.",
)
@log_option
def run_command(
    context: click.Context,
    config: RunConfig,
    name: str,
    shard: Shard | None,
    *,
    limit: int | None,
    retry: frozenset[Outcome],
    budget: Budget | None,
    reuse: bool,
    on: Literal["local", "ray"],
    out: Path | None,
    plots: Path | None,
    log: Path | None,
) -> int:
    """Run CONFIG (a name or a YAML file): generate, read, judge, render.

    Stop it at any time: every finished trial is saved, and the same command continues. Exit code 3: the
    budget stopped the run, or the judge gave no verdict on more than a tenth of the answers. Exit code 4: a
    model stopped answering, or a strategy or model got no answer at all.
    """
    from niah.api.run import run_config
    from niah.cli.running.outcome import print_outcome, print_results
    from niah.cli.running.sources import run_settings
    from niah.plots.progress import RunProgress
    from niah.runs.execution.run import RunOptions
    from niah.runs.provenance import as_stored

    path = out or run_file(name)
    figures = plots or Path("plots") / path.stem
    options = RunOptions(path, shard, limit, retry, budget or config.budget, reuse, on)
    settings = as_stored(run_settings(context, config, options.budget, path, figures))
    say = partial(click.echo, err=True)
    with requests_logged(log):
        finished = run_config(config, options, figures, settings=settings, progress=RunProgress, say=say)
    print_results(finished, path)
    return print_outcome(finished.result, options.budget, path)
