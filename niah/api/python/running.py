"""``niah.run`` and ``niah.plan``: what the commands of these names do, with arguments in place of options."""

from __future__ import annotations

import datetime
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any, get_args

from niah.api.plan import plan_config
from niah.api.python.run import Run
from niah.api.python.run_plan import RunPlan
from niah.api.run import resolved_values
from niah.api.run_files import run_file, run_name
from niah.errors import ConfigError, UnknownName, UserError
from niah.files import check_folder
from niah.plots.terminal.run_progress import RunProgress
from niah.readers.reader import FailureOutcome
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
    given = _given(readers=readers, strategies=strategies, judge=judge, repeats=repeats, seeds=seeds)
    _check_count("limit", limit)
    retried = _outcomes(retry)
    resolved = _resolved(config, given, concurrency, date)
    name = _name(resolved, given)
    path = Path(out) if out is not None else run_file(name)
    figures = Path("plots") / name
    check_folder(path.parent)
    kept = _takes_kept(cache)
    most = parse_budget(budget) if budget is not None else resolved.budget
    notes: list[str] = []
    options = RunOptions(path, None, limit, retried, most, kept)
    said = given | _given(concurrency=concurrency, date=date, limit=limit, budget=budget, out=out)
    values = resolved_values(resolved, {**said, "cache": kept, "retry": retried}, most, path, figures)
    settings = as_stored({key: _setting(resolved, said, key, *value) for key, value in values.items()})
    shown = RunProgress if progress else _NoProgress
    with warnings.catch_warnings():
        # A notebook without ipywidgets, which nothing here needs.
        warnings.filterwarnings("ignore", "IProgress not found")
        result = conduct(resolved, options, settings, shown, _noting(notes, aloud=progress))
    if result.stopped:
        raise KeyboardInterrupt
    if most and result.ledger.stopped:
        notes.append(f"stopped by its budget of {most}; a greater one goes on.")
    return Run(result.contents, tuple(notes))


def plan(
    config: str | Path,
    *,
    readers: Sequence[ReaderSpec] | ReaderSpec | None = None,
    strategies: Sequence[str] | str | None = None,
    judge: ReaderSpec | None = None,
    repeats: int | None = None,
    seeds: Mapping[str, Any] | None = None,
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
    given = _given(readers=readers, strategies=strategies, judge=judge, repeats=repeats, seeds=seeds)
    resolved = _resolved(config, given, concurrency, date)
    path = Path(out) if out is not None else run_file(_name(resolved, given))
    return RunPlan(plan_config(resolved, path, cache=_takes_kept(cache)), resolved.judge.name)


def _check_count(argument: str, number: object) -> None:
    """Raise UserError for what is neither None nor a whole number above 0."""
    if number is None or (isinstance(number, int) and not isinstance(number, bool) and number > 0):
        return
    raise UserError(f"the argument {argument} is {number!r}.", "Write a whole number, at least 1.")


def _outcomes(retry: Collection[str] | str) -> frozenset[Outcome]:
    """Outcomes to try again. Raises UnknownName."""
    names = [retry] if isinstance(retry, str) else list(retry)
    known: tuple[Outcome, ...] = get_args(FailureOutcome)
    for name in names:
        if name not in known:
            raise UnknownName("outcome to retry", str(name), known)
    return frozenset(outcome for outcome in known if outcome in names)


def _takes_kept(cache: bool | None) -> bool:
    """Whether answers of earlier runs are taken."""
    said = os.environ.get("NIAH_ANSWERS_CACHE", "").strip().lower()
    return said not in ("0", "false", "f", "no", "n", "off") if cache is None else cache


def _given(**arguments: Any) -> dict[str, Any]:
    """What was said, lists as YAML has them; one name alone is a list of one."""
    said = {key: value for key, value in arguments.items() if value is not None}
    for key in ("readers", "strategies"):
        if key in said:
            value = said[key]
            named = [value] if isinstance(value, str | Mapping) else value
            if isinstance(named, Iterable):
                named = [dict(each) if isinstance(each, Mapping) else each for each in named]
            said[key] = named  # what is no list is told where the config is checked
    return said


def _resolved(
    config: str | Path, given: Mapping[str, Any], concurrency: int | None, date: date | None
) -> RunConfig:
    _check_count("concurrency", concurrency)
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
        return load_config(name, Instead(concurrency=concurrency, date=date, keys=keys))
    except ConfigError as error:
        if error.key.partition(".")[0] not in given:
            raise
        problem = error.message.removeprefix(f"{error.path}: {error.key}: ")
        raise ConfigError("the argument", error.key, problem, error.remedy) from None


def _name(config: RunConfig, given: Mapping[str, Any]) -> str:
    """What the run's files are called: a run with other readers or strategies is another run."""
    changed = {
        "readers": [reader.name for reader in config.readers],
        "strategies": [strategy.name for strategy in config.strategies],
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
