"""``niah run``: the main job, end to end."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import click

from niah.cases.assembly import build
from niah.cli.progress import RunProgress
from niah.cli.run_path import SUFFIX
from niah.errors import UnknownName, UserError
from niah.runs.config import RunConfig, load_config
from niah.runs.execute import execute
from niah.runs.plan import plan_trials, run_facts
from niah.runs.store import RunStore, open_for_writing
from niah.runs.trial import Outcome, Trial, TrialRecord

STOPPED = 130
RETRIED: tuple[Outcome, ...] = ("refused", "truncated", "overflow", "reader_error", "judge_error")


def _outcomes(context: click.Context, option: click.Parameter, text: str) -> frozenset[Outcome]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in RETRIED:
            raise UnknownName("outcome to retry", name, RETRIED)
    return frozenset(outcome for outcome in RETRIED if outcome in names)


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
    out: Path | None,
    plots: Path | None,
) -> int:
    """Run CONFIG (a name or a YAML file): generate, read, judge, render.

    Stop it at any time: finished trials are kept, and the same command goes on from there.
    """
    if api_base and not model:
        raise UserError("--api-base needs --model.", "Say which model the server should use.")
    resolved = load_config(config, model, api_base)
    name = f"{resolved.name}--{_as_file_name(model)}" if model else resolved.name
    path = out or Path("runs") / f"{name}{SUFFIX}"
    trials = plan_trials(resolved)
    is_new = not path.exists()
    if is_new:
        _check(resolved)
    with open_for_writing(path) as store:
        store.begin(run_facts(resolved, trials), trials)
        finished = store.finished(besides=retry)
        todo = [trial for trial in trials if trial.trial_id not in finished][:limit]
        if todo and not is_new:
            _check(resolved)
        stopped = _execute(store, resolved, todo, len(trials), len(finished))
        records = store.records()
    _report(records, path, plots or Path("plots") / name)
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
    return 0


def _check(config: RunConfig) -> None:
    """Meet mistakes before anything is written: cases that cannot be built, readers that cannot answer."""
    for case in config.cases:
        build(case)
    for reader in config.readers:
        reader.check()


def _execute(store: RunStore, config: RunConfig, todo: list[Trial], planned: int, finished: int) -> bool:
    """Ask what is not asked yet; whether the user stopped it."""
    with RunProgress(planned, finished, len(todo)) as progress:
        try:
            asyncio.run(execute(store, config.readers, todo, progress))
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
