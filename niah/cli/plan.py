"""``niah plan``: what a run will take, before anything is asked."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from niah.cli.run_options import resolve_run, run_file, run_name, run_options
from niah.plots.labels import amount_label, duration_label
from niah.runs.budget import said
from niah.runs.config import RunConfig
from niah.runs.estimate import Finished, Plan, ReaderPlan
from niah.runs.plan import estimate_run, plan_trials, run_facts
from niah.runs.response_cache import default_path, kept_trials
from niah.runs.shards import Shard
from niah.runs.store import open_for_reading

_UNKNOWN = "unknown"


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
    envvar="NIAH_PLAN_JSON",
    is_flag=True,
    help="Print JSON for machines; null is unknown.",
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
    out: Path | None,
    cache: bool,
    as_json: bool,
) -> None:
    """Say what running CONFIG (a name or a YAML file) will take: calls, tokens, money, time.

    Nothing is asked, retrieved or embedded, and nothing is written.
    """
    resolved = resolve_run(context, config)
    planned = plan_trials(resolved)
    path = out or run_file(run_name(resolved, model, shard))
    done, taken = _finished_in(path, run_facts(resolved, planned))
    trials = shard.part(planned) if shard else planned
    settings = {reader.name: reader.settings for reader in resolved.readers}
    kept = kept_trials(default_path(), trials, settings) if cache else set()
    plan = estimate_run(resolved, trials, done, taken, kept)
    if as_json:
        _print_json(plan, resolved)
    else:
        _print_table(plan, resolved)


def _finished_in(path: Path, facts: dict[str, object]) -> tuple[set[str], dict[str, Finished]]:
    """Ids of a run file's finished trials, and what each took. Raises RunFileError for another config's."""
    if not path.exists():
        return set(), {}
    with open_for_reading(path) as store:
        store.check(facts)
        return store.finished(), store.taken()


def _print_json(plan: Plan, config: RunConfig) -> None:
    import json

    document = {
        "readers": [_as_json(reader) for reader in plan.readers],
        "judge": {"judge": config.judge.name, "calls": 0, "usd": 0.0},
        "embedders_not_estimated": list(plan.paid_embedders),
        "total": {
            "kept": plan.kept,
            "calls": plan.calls,
            "tokens_at_most": plan.tokens_at_most,
            "usd": _number(plan.usd),
            "usd_at_most": _number(plan.usd_at_most),
            "seconds": plan.seconds,
        },
    }
    click.echo(json.dumps(document, indent=2))


def _as_json(reader: ReaderPlan) -> dict[str, Any]:
    return {
        "reader": reader.reader,
        "trials": reader.trials,
        "kept": reader.kept,
        "calls": reader.calls,
        "prompt_tokens": reader.prompt_tokens,
        "prompt_tokens_at_most": reader.prompt_tokens_at_most,
        "answer_tokens": reader.answer_tokens,
        "answer_tokens_at_most": reader.answer_tokens_at_most,
        "usd": _number(reader.usd),
        "usd_at_most": _number(reader.usd_at_most),
        "free": reader.free,
        "seconds": reader.seconds,
        "tokenizers": list(reader.tokenizers),
        "tokenizer_is_its_own": reader.counts_own,
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)


def _print_table(plan: Plan, config: RunConfig) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("reader", overflow="fold")
    for title in ("calls", "prompt", "answer", "max tokens", "USD", "max USD", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    for reader in plan.readers:
        table.add_row(reader.reader, *_cells(reader))
    if len(plan.readers) > 1:
        table.add_row("all", *_total(plan), style="bold")
    console.print(table, highlight=False)
    for line in _notes(plan, config):
        console.print(line, style="dim", highlight=False, soft_wrap=True, markup=False)


def _cells(reader: ReaderPlan) -> tuple[str, ...]:
    return (
        f"{reader.calls:,}",
        amount_label(reader.prompt_tokens),
        amount_label(reader.answer_tokens),
        amount_label(reader.tokens_at_most),
        "free" if reader.free else _money(reader.usd),
        "free" if reader.free else _money(reader.usd_at_most),
        _time(reader.seconds),
    )


def _total(plan: Plan) -> tuple[str, ...]:
    return (
        f"{plan.calls:,}",
        amount_label(sum(reader.prompt_tokens for reader in plan.readers)),
        amount_label(sum(reader.answer_tokens for reader in plan.readers)),
        amount_label(plan.tokens_at_most),
        _money(plan.usd),
        _money(plan.usd_at_most),
        _time(plan.seconds),
    )


def _money(amount: Decimal | None) -> str:
    return _UNKNOWN if amount is None else said(amount, "usd").removesuffix(" USD")


def _time(seconds: float | None) -> str:
    return _UNKNOWN if seconds is None else duration_label(seconds)


def _notes(plan: Plan, config: RunConfig) -> list[str]:
    """What the numbers leave open, one line each."""
    notes = []
    finished = sum(reader.trials - reader.kept - reader.calls for reader in plan.readers)
    if finished:
        planned = finished + plan.kept + plan.calls
        notes.append(f"{finished:,} of {planned:,} trials are finished and not counted.")
    if plan.kept:
        notes.append(f"{plan.kept:,} answers are kept from earlier runs and not counted.")
    for reader in plan.readers:
        if reader.calls and reader.usd is None:
            notes.append(
                f"The price of {reader.reader} is unknown: neither the run config nor litellm has one."
            )
        if reader.calls and not reader.counts_own:
            notes.append(
                f"Prompts are counted in tokens of {', '.join(reader.tokenizers)}; "
                f"{reader.reader} counts with its own."
            )
        if reader.seconds is None:
            notes.append(f"The time of {reader.reader} is unknown until it has finished some trials.")
    notes.append(f"The judge ({config.judge.name}) is free and asks nobody.")
    if plan.paid_embedders:
        notes.append(
            f"Not in these numbers: tokens and money of {', '.join(plan.paid_embedders)}, for retrieval."
        )
    if any(reader.usd for reader in plan.readers):
        notes.append("Money is without discounts for cached prompts, and without retries.")
    return notes
