"""``niah run``: the main job, end to end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from niah.cases.case import slug
from niah.cli.progress import RunProgress
from niah.cli.run_path import SUFFIX
from niah.errors import UserError
from niah.runs.config import RunConfig, load_config
from niah.runs.execute import execute
from niah.runs.plan import plan_trials, run_facts
from niah.runs.store import RunStore, open_for_writing
from niah.runs.trial import Trial, TrialRecord

STOPPED = 130


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
    out: Path | None,
    plots: Path | None,
) -> int:
    """Run CONFIG (a name or a YAML file): generate, read, judge, render.

    Stop it at any time: finished trials are kept, and the same command goes on from there.
    """
    if api_base and not model:
        raise UserError("--api-base needs --model.", "Say which model the server should use.")
    resolved = load_config(config, model, api_base)
    name = f"{resolved.name}--{slug(model.replace('/', '-'))}" if model else resolved.name
    path = out or Path("runs") / f"{name}{SUFFIX}"
    trials = plan_trials(resolved)
    with open_for_writing(path) as store:
        store.begin(run_facts(resolved, trials), trials)
        stopped = _execute(store, resolved, trials, limit)
        records = store.records()
    _report(records, path, plots or Path("plots") / name)
    if stopped:
        done = sum(record.outcome != "not_run" for record in records)
        click.echo(
            f"stopped; {done} of {len(records)} trials are kept. The same command goes on from there.",
            err=True,
        )
        return STOPPED
    return 0


def _execute(store: RunStore, config: RunConfig, trials: list[Trial], limit: int | None) -> bool:
    """Ask what is not asked yet; whether the user stopped it."""
    finished = store.finished()
    todo = [trial for trial in trials if trial.trial_id not in finished][:limit]
    with RunProgress(len(trials), len(finished), len(todo)) as progress:
        try:
            asyncio.run(execute(store, config.readers, todo, progress))
        except KeyboardInterrupt:
            return True
    return False


def _report(records: list[TrialRecord], path: Path, folder: Path) -> None:
    from rich.console import Console

    from niah.analysis.summary import summarise
    from niah.plots.heatmap import heatmaps
    from niah.plots.summary_table import print_summary

    console = Console()
    print_summary(summarise(records), console)
    figures = heatmaps(records, folder)
    console.print(f"run file  {path}", highlight=False, soft_wrap=True)
    if figures:
        console.print(f"heatmaps  {folder}/ ({len(figures)} files)", highlight=False, soft_wrap=True)
