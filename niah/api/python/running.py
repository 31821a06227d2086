"""``niah.run`` and ``niah.plan``: what the commands of these names do, with arguments in place of options."""

from __future__ import annotations

import datetime
import sys
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any

from niah.api.plan import plan_config
from niah.api.python.arguments import (
    check_count,
    given_arguments,
    instead_of_suite,
    outcomes_to_retry,
    takes_kept_answers,
)
from niah.api.python.run import Run
from niah.api.python.run_plan import RunPlan
from niah.api.run import resolved_values
from niah.api.run_files import run_file, run_name
from niah.cases.suite import InsteadOfSuite
from niah.errors import ConfigError, UserError
from niah.files import check_folder
from niah.plots.terminal.run_progress import RunProgress
from niah.runs.config import Instead, RunConfig, load_config, means_suite
from niah.runs.cost.budget import parse_budget
from niah.runs.execution.execute import HasTraffic
from niah.runs.execution.session import RunOptions, conduct
from niah.runs.provenance import Setting, as_stored
from niah.runs.trial import Outcome, Trial, TrialResult

ReaderSpec = str | Mapping[str, Any]
"""A model's name, or a mapping with the keys that a reader has in a run config."""


def run(
    config: str | Path,
    *,
    readers: Sequence[ReaderSpec] | ReaderSpec | None = None,
    strategies: Sequence[str] | str | None = None,
    judge: ReaderSpec | None = None,
    repeats: int | None = None,
    seeds: Mapping[str, Any] | None = None,
    haystack: str | None = None,
    needle_sets: Sequence[str] | str | None = None,
    lengths: Sequence[int] | int | None = None,
    depths: Sequence[float] | float | None = None,
    concurrency: int | None = None,
    date: date | None = None,
    out: str | Path | None = None,
    limit: int | None = None,
    retry: Collection[Outcome] | Outcome = (),
    budget: str | None = None,
    cache: bool | None = None,
    progress: bool = True,
) -> Run:
    """Ask what is left of a run, as ``niah run`` does; finished trials are never asked again.

        import niah
        run = niah.run("quick", readers=["openai/gpt-4o-mini"], strategies=["lc", "bm25/top-5/norm"])
        run.heatmap("lc")

    Ctrl-C stops it with KeyboardInterrupt: finished trials are kept, and the same call goes on. It may be
    called where an event loop is running, as in notebooks.

    Args:
        config: a run config by name or path; or a suite, with ``readers`` and ``strategies``.
        readers, strategies, judge, repeats, seeds: in place of the run config's, written as there.
        haystack, needle_sets, lengths, depths: in place of the suite's.
        concurrency: how many requests each reader over HTTP may get at once.
        date: whose rotating seeds the run takes; today (UTC) without it.
        out: the run file; without it, one in ``runs/`` that is called after config, readers and strategies.
        limit: run at most so many trials now.
        retry: outcomes that are tried again, such as "reader_error".
        budget: the most that the run may take, such as "5usd"; the config's without it.
        cache: take answers that an earlier run got to the very same request; without it, unless the variable
            NIAH_ANSWERS_CACHE says 0, as of the command.
        progress: show how far it is, on standard error.

    Raises UserError for mistakes, before anything is asked or written.
    """
    given = given_arguments(readers=readers, strategies=strategies, judge=judge, repeats=repeats, seeds=seeds)
    check_count("limit", limit)
    retried = outcomes_to_retry(retry)
    of_suite = instead_of_suite(haystack, needle_sets, lengths, depths)
    resolved = _resolved(config, given, of_suite, concurrency, date)
    given |= {key: value for key, value in vars(of_suite).items() if value is not None}
    name = _name(resolved, given)
    path = Path(out) if out is not None else run_file(name)
    figures = Path("plots") / name
    check_folder(path.parent)
    kept = takes_kept_answers(cache)
    most = parse_budget(budget) if budget is not None else resolved.budget
    options = RunOptions(path, None, limit, retried, most, kept)
    said = given | given_arguments(concurrency=concurrency, date=date, limit=limit, budget=budget, out=out)
    values = resolved_values(resolved, {**said, "cache": kept, "retry": retried}, most, path, figures)
    settings = as_stored({key: _setting(resolved, said, key, *value) for key, value in values.items()})
    return _asked(resolved, options, settings, progress=progress)


def _asked(config: RunConfig, options: RunOptions, settings: dict[str, Any], *, progress: bool) -> Run:
    """What the run file holds afterwards. Raises KeyboardInterrupt where the user stopped it."""
    notes: list[str] = []
    shown = RunProgress if progress else _NoProgress
    with warnings.catch_warnings():
        # A notebook without ipywidgets, which nothing here needs.
        warnings.filterwarnings("ignore", "IProgress not found")
        result = conduct(config, options, settings, shown, _noting(notes, aloud=progress))
    if result.stopped:
        raise KeyboardInterrupt
    if options.budget and result.ledger.stopped:
        notes.append(f"stopped by its budget of {options.budget}; a greater one goes on.")
    return Run(result.contents, tuple(notes))


def plan(
    config: str | Path,
    *,
    readers: Sequence[ReaderSpec] | ReaderSpec | None = None,
    strategies: Sequence[str] | str | None = None,
    judge: ReaderSpec | None = None,
    repeats: int | None = None,
    seeds: Mapping[str, Any] | None = None,
    haystack: str | None = None,
    needle_sets: Sequence[str] | str | None = None,
    lengths: Sequence[int] | int | None = None,
    depths: Sequence[float] | float | None = None,
    concurrency: int | None = None,
    date: date | None = None,
    out: str | Path | None = None,
    cache: bool | None = None,
) -> RunPlan:
    """What ``niah.run`` with these arguments will take: calls, tokens, money, time. Nothing is asked.

        import niah
        niah.plan("quick", readers=["openai/gpt-4o-mini"]).usd

    Args: as of ``run``. Raises UserError for mistakes.
    """
    given = given_arguments(readers=readers, strategies=strategies, judge=judge, repeats=repeats, seeds=seeds)
    of_suite = instead_of_suite(haystack, needle_sets, lengths, depths)
    resolved = _resolved(config, given, of_suite, concurrency, date)
    given |= {key: value for key, value in vars(of_suite).items() if value is not None}
    path = Path(out) if out is not None else run_file(_name(resolved, given))
    return RunPlan(plan_config(resolved, path, cache=takes_kept_answers(cache)), resolved.judge.name)


def _resolved(
    config: str | Path,
    given: Mapping[str, Any],
    of_suite: InsteadOfSuite,
    concurrency: int | None,
    date: date | None,
) -> RunConfig:
    check_count("concurrency", concurrency)
    if date is not None and not isinstance(date, datetime.date):
        raise UserError(f"the argument date is {date!r}.", "Give a datetime.date.")
    name = str(config)
    keys = dict(given)
    if means_suite(name):
        if missing := [key for key in ("readers", "strategies") if key not in keys]:
            problem = f"{name} is a suite, which says nothing of {' or '.join(missing)}."
            raise UserError(problem, 'Add readers=["openai/gpt-4o-mini"], strategies=["lc", "dos"], say.')
        keys["suite"] = name
    try:
        return load_config(name, Instead(concurrency=concurrency, date=date, of_suite=of_suite, keys=keys))
    except ConfigError as error:
        if error.key.partition(".")[0] not in given:
            raise
        problem = error.message.removeprefix(f"{error.path}: {error.key}: ")
        raise ConfigError("the argument", error.key, problem, error.remedy) from None


def _name(config: RunConfig, given: Mapping[str, Any]) -> str:
    """What the run's files are called: a run with other readers or strategies is another run."""
    changed = {
        "readers": [reader.name for reader in config.readers],
        "needle_sets": given.get("needle_sets", ()),
        "strategies": [strategy.name for strategy in config.strategies],
        "lengths": [str(length) for length in given.get("lengths", ())],
        "depths": [f"{depth:g}" for depth in given.get("depths", ())],
        "haystack": [given.get("haystack", "")],
        "judge": [config.judge.name],
        "repeats": [f"{config.repeats} repeats"],
        "seeds": ["seeds", *map(str, config.seeds.anchor)],
    }
    return run_name(config, instead=[names for key, names in changed.items() if key in given])


def _setting(config: RunConfig, said: Mapping[str, Any], name: str, option: str, value: Any) -> Setting:
    if option in said:
        return Setting(value, "argument")
    return Setting(value, "file" if name in config.keys else "default")


def _noting(notes: list[str], *, aloud: bool) -> Callable[[str], None]:
    def say(line: str) -> None:
        notes.append(line)
        if aloud:
            print(line, file=sys.stderr)

    return say


class _NoProgress(nullcontext["_NoProgress"]):
    """Shows nothing."""

    def __init__(self, planned: int, finished: int, todo: int) -> None:
        super().__init__(self)

    def say(self, text: str) -> None: ...

    def asking(self, reader: HasTraffic) -> None: ...

    def started(self, trial: Trial) -> None: ...

    def finished(self, trial: Trial, result: TrialResult) -> None: ...
