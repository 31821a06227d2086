"""``niah run``: the main job, end to end."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import nullcontext
from datetime import date
from functools import partial
from pathlib import Path

import click

from niah.cases.assembly import build
from niah.cli.progress import RunProgress
from niah.cli.run_options import resolve_run, run_file, run_name, run_options
from niah.cli.sources import run_settings
from niah.errors import UnknownName
from niah.judges.audit.warning import audit_warning
from niah.retrieval.registry import get_retriever
from niah.runs.budget import Accounts, Budget, check_budget, parse_budget, said, spent_before
from niah.runs.cluster import Cluster, connect
from niah.runs.config import RunConfig
from niah.runs.estimate import Finished, differences, seen_in
from niah.runs.execute import execute
from niah.runs.here import Here
from niah.runs.plan import estimate_run, plan_trials, run_facts
from niah.runs.prices import Model, prices_of
from niah.runs.provenance import as_stored, versions
from niah.runs.response_cache import ResponseCache, default_path, kept_trials
from niah.runs.shards import Shard
from niah.runs.store import RunStore, open_for_writing
from niah.runs.trial import Outcome, Trial, TrialRecord
from niah.strategies.strategy import Retrieve

STOPPED = 130
OUT_OF_BUDGET = 3
COUNTS_ALIKE = 0.02
"""So far may a reader's count of its prompts be from ours without a word."""
ASKED_AGAIN: tuple[Outcome, ...] = ("reader_error", "judge_error")
RETRIED: tuple[Outcome, ...] = ("refused", "truncated", "overflow", "reader_error", "judge_error")


def _outcomes(context: click.Context, option: click.Parameter, text: str) -> frozenset[Outcome]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in RETRIED:
            raise UnknownName("outcome to retry", name, RETRIED)
    return frozenset(outcome for outcome in RETRIED if outcome in names)


def _as_budget(context: click.Context, option: click.Parameter, text: str | None) -> Budget | None:
    return parse_budget(text) if text is not None else None


@click.command()
@click.argument("config")
@run_options
@click.option(
    "--limit", type=click.IntRange(min=1), help="Run at most this many trials now; the rest can follow."
)
@click.option(
    "--retry", callback=_outcomes, default="", help="Outcomes to try again, such as reader_error,truncated."
)
@click.option(
    "--budget",
    callback=_as_budget,
    envvar=["NIAH_RUN_BUDGET", "NIAH_BUDGET"],
    help="The most that the run may take: 25usd, 40Mtok, 500ktok. The config's without it.",
)
@click.option(
    "--cache/--no-cache",
    default=True,
    envvar=["NIAH_RUN_CACHE", "NIAH_ANSWERS_CACHE"],
    help="Take answers that an earlier run got to the very same request; they cost nothing.",
)
@click.option(
    "--on",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="Where contexts are built and readers asked: in this process, or on the Ray cluster at RAY_ADDRESS.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Run file; runs/CONFIG.sqlite without it."
)
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for figures; plots/CONFIG without it.",
)
@click.pass_context
def command(
    context: click.Context,
    config: str,
    model: str | None,
    api_base: str | None,
    concurrency: int | None,
    date: date | None,
    shard: Shard | None,
    limit: int | None,
    retry: frozenset[Outcome],
    budget: Budget | None,
    cache: bool,
    on: str,
    out: Path | None,
    plots: Path | None,
) -> int:
    """Run CONFIG (a name or a YAML file): generate, read, judge, render.

    Stop it at any time: finished trials are kept, and the same command goes on from there. A run that its
    budget has stopped ends with exit code 3.
    """
    resolved = resolve_run(context, config)
    name = run_name(resolved, model, shard)
    path, figures = out or run_file(name), plots or Path("plots") / name
    planned = plan_trials(resolved)
    facts = run_facts(resolved, planned)
    trials = shard.part(planned) if shard else planned
    is_new = not path.exists()
    budget = budget or resolved.budget
    if is_new:
        _check(resolved, trials, on)
        _accounts(resolved, budget, trials[:limit], trials, {}, cache)
    with open_for_writing(path) as store:
        store.check(facts)
        done = store.finished(besides=retry)
        todo = [trial for trial in trials if trial.trial_id not in done][:limit]
        accounts = _accounts(resolved, budget, todo, trials, store.taken(), cache)
        store.begin(facts, trials)
        settings = run_settings(context, resolved, budget, path, figures)
        store.record_invocation(as_stored(settings), versions())
        store.keep_accounts(accounts)
        if todo and not is_new:
            _check(resolved, todo, on)
        if warning := resolved.llm_judge and audit_warning(resolved.llm_judge):
            click.echo(warning, err=True)
        stopped = _execute(store, resolved, todo, len(trials), len(done), cache, on)
        records, taken = store.records(), store.taken()
    _report(records, path, figures)
    _say_differences(trials, taken)
    outcomes = Counter(record.outcome for record in records)
    for outcome in ASKED_AGAIN:
        if outcomes[outcome]:
            words = outcome.replace("_", " ")
            click.echo(f"{outcomes[outcome]} {words}s; --retry {outcome} asks again.", err=True)
    if stopped:
        kept = len(records) - outcomes["not_run"]
        click.echo(
            f"stopped; {kept} of {len(records)} trials are kept. The same command goes on.",
            err=True,
        )
        return STOPPED
    if budget and accounts.stopped:
        click.echo(
            f"stopped by its budget of {budget}: {said(accounts.spent, budget.unit)} spent, "
            f"{outcomes['not_run']} of {len(records)} trials not run. A greater --budget goes on.",
            err=True,
        )
        return OUT_OF_BUDGET
    return 0


def _accounts(
    config: RunConfig,
    budget: Budget | None,
    todo: list[Trial],
    trials: list[Trial],
    taken: dict[str, Finished],
    cache: bool,
) -> Accounts:
    """The run's accounts. Raises UserError where its budget may be exceeded, or nobody can tell."""
    asked: list[Model] = [*config.readers, *([config.llm_judge] if config.llm_judge else [])]
    prices = prices_of(asked, config.prices)
    bounds = {reader: seen.bound for reader, seen in seen_in(taken.values()).items()}
    if budget is None:
        return Accounts(prices)
    spent = spent_before(budget, trials, taken, prices)
    settings = {reader.name: reader.settings for reader in config.readers}
    kept = kept_trials(default_path(), todo, settings) if cache else ()
    check_budget(budget, estimate_run(config, todo, (), taken, kept), spent)
    return Accounts(prices, budget, spent, bounds)


def _say_differences(trials: list[Trial], taken: dict[str, Finished]) -> None:
    for reader, difference in differences(trials, taken).items():
        if abs(difference) > COUNTS_ALIKE:
            more = "more" if difference > 0 else "fewer"
            click.echo(
                f"{reader} reports {abs(difference):.1%} {more} prompt tokens than niah counts with its own "
                "tokenizer. (A chat template adds some to every prompt.)",
                err=True,
            )


def _check(config: RunConfig, trials: list[Trial], on: str) -> None:
    """Meet mistakes before anything is written: cases that cannot be built, models that are not there."""
    for case in dict.fromkeys(trial.case for trial in trials):
        build(case)
    for strategy in config.strategies:
        if isinstance(strategy.plan, Retrieve):
            get_retriever(strategy.plan.retriever, partial(click.echo, err=True))
    for reader in config.readers:
        reader.check()
    config.judge.check()
    if on == "ray":
        connect()


def _execute(
    store: RunStore, config: RunConfig, todo: list[Trial], planned: int, finished: int, cache: bool, on: str
) -> bool:
    """Ask what is not asked yet; whether the user stopped it."""
    kept = ResponseCache(default_path()) if cache else nullcontext()
    with RunProgress(planned, finished, len(todo)) as progress, kept as answers:
        try:
            place = Here if on == "local" else Cluster
            judge = config.llm_judge
            asyncio.run(
                execute(store, config.readers, todo, progress, judge=judge, cache=answers, place=place)
            )
        except KeyboardInterrupt:
            return True
    return False


def _report(records: list[TrialRecord], path: Path, folder: Path) -> None:
    from rich.console import Console

    from niah.analysis.cells import cells
    from niah.analysis.summary import summarise
    from niah.plots.heatmap import heatmaps
    from niah.plots.summary_table import print_summary
    from niah.plots.text_heatmap import print_heatmaps

    console = Console()
    print_heatmaps(cells(records), console)
    print_summary(summarise(records), console)
    figures = heatmaps(records, folder)
    console.print(f"run file  {path}", highlight=False, soft_wrap=True)
    if figures:
        console.print(f"heatmaps  {folder}/ ({len(figures)} files)", highlight=False, soft_wrap=True)
