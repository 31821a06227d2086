"""``niah run``: the main job, end to end."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from niah.cases.assembly import build
from niah.cli.progress import RunProgress
from niah.cli.run_path import SUFFIX
from niah.errors import UnknownName, UserError
from niah.retrieval.registry import get_retriever
from niah.runs.budget import Accounts, Budget, check_budget, parse_budget, said, spent_before
from niah.runs.config import RunConfig, load_config
from niah.runs.estimate import Finished, differences, seen_in
from niah.runs.execute import execute
from niah.runs.plan import estimate_run, plan_trials, run_facts
from niah.runs.prices import prices_of
from niah.runs.response_cache import ResponseCache, default_path
from niah.runs.store import RunStore, open_for_writing
from niah.runs.trial import Outcome, Trial, TrialRecord
from niah.strategies.strategy import Retrieve

STOPPED = 130
OUT_OF_BUDGET = 3
COUNTS_ALIKE = 0.02
"""So far may a reader's count of its prompts be from ours without a word."""
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
@click.option(
    "--model", help="Reader in place of the config's: openai/gpt-4o-mini, any litellm name, or a .gguf file."
)
@click.option(
    "--api-base", help="Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp) that has --model."
)
@click.option(
    "--limit", type=click.IntRange(min=1), help="Run at most this many trials now; the rest can follow."
)
@click.option(
    "--retry", callback=_outcomes, default="", help="Outcomes to try again, such as reader_error,truncated."
)
@click.option(
    "--budget",
    callback=_as_budget,
    envvar="NIAH_BUDGET",
    help="The most that the run may take: 25usd, 40Mtok, 500ktok. The config's without it.",
)
@click.option(
    "--cache/--no-cache",
    default=True,
    envvar="NIAH_ANSWERS_CACHE",
    help="Take answers that an earlier run got to the very same request; they cost nothing.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Run file; runs/CONFIG.sqlite without it."
)
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for figures; plots/CONFIG without it.",
)
def command(
    config: str,
    model: str | None,
    api_base: str | None,
    limit: int | None,
    retry: frozenset[Outcome],
    budget: Budget | None,
    cache: bool,
    out: Path | None,
    plots: Path | None,
) -> int:
    """Run CONFIG (a name or a YAML file): generate, read, judge, render.

    Stop it at any time: finished trials are kept, and the same command goes on from there. A run that its
    budget has stopped ends with exit code 3.
    """
    resolved = resolve_run(config, model, api_base)
    name = run_name(resolved, model)
    path = out or run_file(name)
    trials = plan_trials(resolved)
    facts = run_facts(resolved, trials)
    is_new = not path.exists()
    budget = budget or resolved.budget
    if is_new:
        _check(resolved)
        _accounts(resolved, budget, trials[:limit], trials, {})
    with open_for_writing(path) as store:
        store.check(facts)
        done = store.finished(besides=retry)
        todo = [trial for trial in trials if trial.trial_id not in done][:limit]
        accounts = _accounts(resolved, budget, todo, trials, store.taken())
        store.begin(facts, trials)
        store.keep_accounts(accounts)
        if todo and not is_new:
            _check(resolved)
        stopped = _execute(store, resolved, todo, len(trials), len(done), cache)
        records, taken = store.records(), store.taken()
    _report(records, path, plots or Path("plots") / name)
    _say_differences(trials, taken)
    outcomes = Counter(record.outcome for record in records)
    if outcomes["reader_error"]:
        click.echo(f"{outcomes['reader_error']} reader errors; --retry reader_error asks again.", err=True)
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


def resolve_run(config: str, model: str | None, api_base: str | None) -> RunConfig:
    """The run config that a command line means. Raises UserError."""
    if api_base and not model:
        raise UserError("--api-base needs --model.", "Say which model the server should use.")
    return load_config(config, model, api_base)


def run_name(config: RunConfig, model: str | None) -> str:
    """What the files of a run are called."""
    return f"{config.name}--{_as_file_name(model)}" if model else config.name


def run_file(name: str) -> Path:
    """Where the run of that name is kept, unless --out says otherwise."""
    return Path("runs") / f"{name}{SUFFIX}"


def _accounts(
    config: RunConfig,
    budget: Budget | None,
    todo: list[Trial],
    trials: list[Trial],
    taken: dict[str, Finished],
) -> Accounts:
    """The run's accounts. Raises UserError where its budget may be exceeded, or nobody can tell."""
    prices = prices_of(config.readers)
    bounds = {reader: seen.bound for reader, seen in seen_in(taken.values()).items()}
    if budget is None:
        return Accounts(prices)
    spent = spent_before(budget, trials, taken, prices)
    check_budget(budget, estimate_run(config, todo, (), taken), spent)
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


def _check(config: RunConfig) -> None:
    """Meet mistakes before anything is written: cases that cannot be built, models that are not there."""
    for case in config.cases:
        build(case)
    for strategy in config.strategies:
        if isinstance(strategy.plan, Retrieve):
            get_retriever(strategy.plan.retriever, partial(click.echo, err=True))
    for reader in config.readers:
        reader.check()


def _execute(
    store: RunStore, config: RunConfig, todo: list[Trial], planned: int, finished: int, cache: bool
) -> bool:
    """Ask what is not asked yet; whether the user stopped it."""
    kept = ResponseCache(default_path()) if cache else nullcontext()
    with RunProgress(planned, finished, len(todo)) as progress, kept as answers:
        try:
            asyncio.run(execute(store, config.readers, todo, progress, cache=answers))
        except KeyboardInterrupt:
            return True
    return False


def _as_file_name(model: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")


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
