"""``niah nightly``: one command a night, one verdict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from niah.cli.nights.earlier_runs import Earlier, earlier_runs
from niah.cli.nights.verdict_options import EXIT_CODES, verdict_options
from niah.cli.run_path import run_path
from niah.cli.running.run_options import as_date, run_file
from niah.errors import RunFileError

if TYPE_CHECKING:
    from niah.analysis.compare.comparison import Comparison
    from niah.analysis.compare.verdict import Limits
    from niah.analysis.nights.night import Night
    from niah.analysis.sequential.adaptive import Adaptive
    from niah.cli.nights.adaptive_night import AdaptiveNight
    from niah.runs.config import RunConfig
    from niah.runs.execution.session import RunOptions
    from niah.runs.trial import TrialRecord


@click.command()
@click.argument("config")
@click.option(
    "--date",
    metavar="YYYY-MM-DD",
    callback=as_date,
    help="Which night it is; today (UTC) without it. The same night again goes on where it was stopped.",
)
@click.option(
    "--baseline", metavar="RUN", help="A run to compare with besides last night's: a name or a run file."
)
@click.option("--concurrency", type=click.IntRange(min=1), help="Requests at once, as in niah run.")
@click.option("--budget", help="As in niah run; the config's without it.")
@click.option(
    "--cache/--no-cache",
    default=False,
    help="Take kept answers. Not by default: a model that changed behind its name must be asked.",
)
@click.option("--on", type=click.Choice(["local", "ray"]), default="local", help="As in niah run.")
@verdict_options
@click.option(
    "--adaptive",
    is_flag=True,
    help="Ask no more trials than the verdict needs, against the baseline or the last whole night.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of report and verdict; plots/CONFIG-DATE without it.",
)
def command(
    config: str,
    date: date | None,
    baseline: str | None,
    concurrency: int | None,
    budget: str | None,
    cache: bool,
    on: Literal["local", "ray"],
    missing_limit: float,
    detectable_limit: float,
    common: bool,
    adaptive: bool,
    out: Path | None,
) -> int:
    """Run CONFIG for one night, write its report, and compare it with last night's run and with a baseline.

    The verdict goes to the terminal and, beside the report, to verdict.md, verdict.json, verdict.xml (JUnit).
    Ends with exit code 0 without a regression (also in the first night, with nothing to compare with), 1 with
    one, 2 for a mistake, 3 where too much is missing to say.
    """
    from niah.analysis.compare.verdict import Limits
    from niah.analysis.nights.night import assess
    from niah.files import check_folder
    from niah.runs.config import Instead, load_config
    from niah.runs.cost.budget import parse_budget
    from niah.runs.execution.session import RunOptions

    tonight = date or _today()
    resolved = load_config(config, Instead(concurrency=concurrency, date=tonight))
    name = f"{resolved.name}-{tonight}"
    path, folder = run_file(name), out or Path("plots") / name
    for needed in (path.parent, folder):
        check_folder(needed)
    limits = Limits(missing=missing_limit / 100, detectable=detectable_limit)
    earlier = earlier_runs(resolved.name, path, tonight, run_path(baseline) if baseline else None)
    before = {role: _records(other) for role, other in earlier.others.items()}
    looks = _by_looks(earlier, path, tonight, limits, common=common) if adaptive else None
    orders = RunOptions(
        path,
        budget=parse_budget(budget) if budget else resolved.budget,
        cache=cache,
        on=on,
        choose=looks.chosen if looks else None,
    )
    records, code = _run(resolved, orders, folder)
    if code:  # stopped: nothing can be said of a part
        return code
    comparisons = _comparisons(earlier, path, limits, looks, common=common)
    verdict = assess(str(tonight), records, before, resolved.seeds.anchor, *comparisons)
    return _shown(verdict, path, folder)


def _by_looks(
    earlier: Earlier, path: Path, tonight: date, limits: Limits, *, common: bool
) -> AdaptiveNight | None:
    """None where there is nothing to compare with: then the night is run as a whole."""
    from niah.cli.nights.adaptive_night import AdaptiveNight

    if earlier.reference is None:
        click.echo("no whole night to compare with yet: all trials are asked.", err=True)
        return None
    return AdaptiveNight(earlier.reference[1], path, limits, tonight.toordinal(), common=common)


def _today() -> date:
    return datetime.now(UTC).date()


def _run(config: RunConfig, orders: RunOptions, folder: Path) -> tuple[Sequence[TrialRecord], int]:
    """The night's trials, and the exit code of a run that was stopped; 0 for a whole one."""
    from niah.cli.running.progress import RunProgress
    from niah.cli.running.run import said
    from niah.cli.running.sources import run_settings
    from niah.runs.execution.session import conduct
    from niah.runs.provenance import as_stored

    context = click.get_current_context()
    settings = as_stored(run_settings(context, config, orders.budget, orders.path, folder))
    conducted = conduct(config, orders, settings, RunProgress, partial(click.echo, err=True))
    return conducted.records, said(conducted, orders.budget)


def _comparisons(
    earlier: Earlier, path: Path, limits: Limits, looks: AdaptiveNight | None, *, common: bool
) -> tuple[dict[str, Comparison], dict[str, str], Adaptive | None]:
    """By what tonight is compared with, how it compares or why it does not; and how adaptive looks went."""
    from niah.cli.nights.side_by_side import compared

    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    adaptive = None
    others = dict([earlier.reference]) if looks and earlier.reference else earlier.others
    for role, other in others.items():
        try:
            if looks:
                comparisons[role], adaptive = looks.outcome()
            else:
                comparisons[role] = compared(other, path, common=common, limits=limits)
        except RunFileError as error:  # of another config, say: the night is run, and only this is lost
            hindrances[role] = str(error)
    return comparisons, hindrances, adaptive


def _shown(verdict: Night, path: Path, folder: Path) -> int:
    """Report, verdict files and terminal; the exit code."""
    from rich.console import Console

    from niah.plots.terminal.night import print_verdict, write_verdict

    page = _report(path, folder)
    write_verdict(verdict, folder)
    print_verdict(verdict, Console())
    click.echo(f"report   {page}\nverdict  {folder}/verdict.md, .json, .xml")
    return EXIT_CODES[verdict.kind]


def _records(path: Path) -> list[TrialRecord]:
    from niah.runs.file.store import open_for_reading

    with open_for_reading(path) as store:
        return store.records()


def _report(path: Path, folder: Path) -> Path:
    from niah.plots.report import report
    from niah.runs.file.details import read_run
    from niah.runs.file.store import open_for_reading

    with open_for_reading(path) as store:
        run = read_run(store, store.records())
    return report([run], folder).page
