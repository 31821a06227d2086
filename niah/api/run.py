"""Run a config: generate, read, judge, write the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from niah.files import check_folder
from niah.readers.redaction import without_credentials
from niah.runs.config.run_config import RunConfig, identity
from niah.runs.cost.prices import Budget, prices_to_store
from niah.runs.execution.run import RunOptions, RunResult, Shown, run_trials


@dataclass(frozen=True)
class FinishedRun:
    """What an invocation leaves.

    Attributes:
        result: trials, records, what was spent.
        page: what there is to look at; None where no trial got an answer.
    """

    result: RunResult
    page: Path | None = None


def run_config(
    config: RunConfig,
    options: RunOptions,
    figures: Path,
    *,
    settings: Mapping[str, Any],
    progress: Shown,
    say: Callable[[str], None],
) -> FinishedRun:
    """Run what is left of a config in the run file that ``options`` names, and write its page.

    Args:
        config: the resolved run config.
        options: run file, shard, limit, budget ...
        figures: folder for the page.
        settings: every setting with its source, for the run file.
        progress: makes the progress display.
        say: is called with what the user should know meanwhile, one line each.

    Raises UserError, before anything is asked or written, for mistakes.
    """
    for folder in (options.path.parent, figures):
        check_folder(folder)
    result = run_trials(config, options, dict(settings), progress, say)
    if result.stopped or all(record.outcome in ("not_run", "reader_error") for record in result.records):
        return FinishedRun(result)  # nobody waits for a page of nothing

    return FinishedRun(result, _write_page(result, figures))


def _write_page(result: RunResult, folder: Path) -> Path:
    from niah.plots.report import write_report

    return write_report([result.contents], folder, brief=True).page


_OF_GRID = ("needles", "expected", "needle_sets", "lengths", "depths")
"""Options that stand in a run's settings where they were given."""


def resolved_values(
    config: RunConfig, given: Mapping[str, Any], budget: Budget | None, path: Path, figures: Path
) -> dict[str, tuple[str, Any]]:
    """Every setting of a run as resolved, by name: the option that may give it ("" for none), and its value.

    Args:
        config: what the user and the run config mean.
        given: by option, what the user said; options that are not there are as if they were not given.
        budget: the one that counts.
        path: the run file.
        figures: the folder for figures.
    """
    shard, api_base = given.get("shard"), given.get("api_base")
    options = {name: each.stated for name, each in config.options.items() if each.stated}
    return {
        "config": ("config", str(config.path)),
        "suite": ("suite", config.suite),
        "skip": ("skip", config.skip),
        "accidents": ("accidents", next((case.accidents for case in config.cases), "stop")),
        "reserve": ("reserve", next((case.reserve for case in config.cases), 0)),
        "readers": ("readers" if given.get("readers") else "model", list(map(identity, config.readers))),
        "reader_options": ("reader_options", options or None),
        "strategies": ("strategies", [strategy.name for strategy in config.strategies]),
        "judge": ("judge", config.judge.name),
        **({"metrics": ("", [metric.name for metric in config.metrics])} if config.metrics else {}),
        "repeats": ("repeats", config.repeats),
        "seeds": ("seeds", _seeds(config)),
        "date": ("date", str(config.date) if config.date else None),
        "budget": ("budget", str(budget) if budget else None),
        **({"filter": ("", f"closed-book, {config.closed_book.match}")} if config.closed_book else {}),
        "prices": ("", prices_to_store(config.prices) or None),
        "concurrency": ("concurrency", {reader.name: reader.concurrency for reader in config.readers}),
        "api_base": ("api_base", without_credentials(api_base) if api_base else config.api_bases or None),
        "reuse": ("reuse", given.get("reuse")),
        "limit": ("limit", given.get("limit")),
        "retry": ("retry", sorted(given.get("retry", ()))),
        "shard": ("shard", f"{shard.index}/{shard.of}" if shard else None),
        "on": ("on", given.get("on")),
        **{name: (name, list(given[name])) for name in _OF_GRID if given.get(name)},
        **({"haystack": ("haystack", given["haystack"])} if given.get("haystack") else {}),
        "out": ("out", str(path)),
        "plots": ("plots", str(figures)),
    }


def _seeds(config: RunConfig) -> dict[str, Any]:
    seeds = config.seeds
    spread = {"spread": True} if seeds.spread else {}
    return {"anchor": list(seeds.anchor), "rotating": list(seeds.rotating), **spread}
