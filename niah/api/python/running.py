"""``niah.run`` and ``niah.plan``: what the commands of these names do, with arguments in place of options."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Unpack

from niah.analysis.frame import trial_frame
from niah.api.closing.findings import finding_lines
from niah.api.closing.outcome import tell_outcome
from niah.api.closing.wording import PythonWording
from niah.api.plan import plan_config
from niah.api.python.argument_kinds import FLAG, TEXT, check_argument
from niah.api.python.request.arguments import (
    PlanArguments,
    RunArguments,
    check_count,
    check_names,
    given_arguments,
    outcomes_to_retry,
    shows_arguments,
)
from niah.api.python.request.requested import requested_run
from niah.api.python.run import Run
from niah.api.python.run_plan import RunPlan
from niah.api.run import resolved_values
from niah.errors import UserError
from niah.files import check_folder, telling_of_files
from niah.plots.progress import RunProgress
from niah.readers.credentials import noting_missing_keys
from niah.readers.reader import Traffic
from niah.runs.config.run_config import RunConfig
from niah.runs.cost.prices import Budget, parse_budget
from niah.runs.execution.run import RunOptions, run_trials
from niah.runs.provenance import Setting, as_stored
from niah.runs.trial import Trial, TrialResult


@shows_arguments(RunArguments)
@telling_of_files()
def run(config: str | Path | None = None, **arguments: Unpack[RunArguments]) -> Run:
    """Ask what is left of a run, as ``niah run`` does; finished trials are never asked again.

        import niah
        run = niah.run("quick", readers=["openai/gpt-4o-mini"], strategies=["lc", "bm25/top-5/norm"])
        run.heatmap("lc")

    Ctrl-C stops it with KeyboardInterrupt: finished trials are kept, and the same call goes on. It may be
    called where an event loop is running, as in notebooks.

    Args:
        config: a run config by name or path; or a suite, with ``readers`` and ``strategies``. It may be left
            out where ``needle`` or ``needle_sets`` say what is hidden.
        readers, strategies: in place of the run config's: names, or mappings with the keys that a reader or a
            strategy has there; one or several.
        judge, repeats, seeds: in place of the run config's, written as there; seeds may be a list.
        reader_options: how every reader is asked, such as ``{"temperature": 0.7}``.
        haystack, needle_sets, lengths, depths: in place of the suite's.
        needle: facts of your own to hide: a text, or a list of them.
        question: what is asked about them.
        expect: what an answer has to name: a text, or a list of them.
        metrics: other judges by rules, whose verdicts stand beside the judge's; the config's without it.
        skip: "impossible" leaves out the cases that cannot be built, and says why; the suite's without it.
        accidents: "avoid" leaves haystack sentences that answer by accident out of contexts; the suite's
            without it.
        reserve: tokens of each length kept for a chat template; "template" counts the tokenizer's own.
        concurrency: how many requests each reader over HTTP may get at once.
        wait: how long an endpoint is waited for: "10m", or seconds; 15 s without it where it answers nothing,
            2 m where it asks for patience.
        timeout: how long one request may take; 10 m without it.
        attempts: requests at most for one answer; 4 without it.
        date: whose rotating seeds the run takes; today (UTC) without it.
        shard: "2/8" is the second of eight parts of the run, in a run file of its own.
        out: the run file; without it, one in ``runs/`` that is called after config, readers and strategies.
        reuse: take the answers that earlier runs got to the very same requests: right only while the model
            behind its name and address is the same.
        limit: run at most so many trials now.
        retry: outcomes that are tried again, such as "reader_error".
        budget: the most that the run may take, such as "5usd"; the config's without it.
        progress: show how far it is, on standard error.

    Raises UserError for mistakes, before anything is asked or written.
    """
    check_names(arguments, RunArguments)
    check_count("limit", limit := arguments.get("limit"))
    check_argument("progress", arguments.get("progress", True), FLAG)
    check_argument("retry", arguments.get("retry", ()), TEXT.or_several)
    retried = outcomes_to_retry(arguments.get("retry", ()))
    reuse = bool(arguments.get("reuse"))
    budget = arguments.get("budget")
    with requested_run(config, arguments, only_planned=False) as wanted:
        figures = Path("plots") / wanted.path.stem
        check_folder(wanted.path.parent)
        most = _budget(budget) or wanted.config.budget
        options = RunOptions(wanted.path, wanted.shard, limit, retried, most, reuse)
        told = {name: arguments.get(name) for name in ("concurrency", "date", "limit", "budget", "out")}
        said = {
            **wanted.given,
            **given_arguments(**told),
            **({"shard": wanted.shard} if wanted.shard else {}),
        }
        given = {**said, "reuse": reuse, "retry": retried}
        values = resolved_values(wanted.config, given, most, wanted.path, figures)
        settings = as_stored(
            {key: _setting(wanted.config, said, key, *value) for key, value in values.items()}
        )
        return _asked(wanted.config, options, settings, progress=arguments.get("progress", True))


@shows_arguments(PlanArguments)
@telling_of_files()
def plan(config: str | Path | None = None, **arguments: Unpack[PlanArguments]) -> RunPlan:
    """What ``niah.run`` with these arguments will take: calls, tokens, money. Nothing is asked.

        import niah
        niah.plan("quick", readers=["openai/gpt-4o-mini"]).usd

    Its arguments mean what those of ``niah.run`` do. Raises UserError for mistakes.
    """
    check_names(arguments, PlanArguments)
    with noting_missing_keys(), requested_run(config, arguments, only_planned=True) as wanted:
        planned = plan_config(
            *(wanted.config, wanted.path, wanted.shard),
            budget=_budget(arguments.get("budget")),
            reuse=bool(arguments.get("reuse")),
        )
    return RunPlan(planned, wanted.config.judge.name)


def _asked(config: RunConfig, options: RunOptions, settings: dict[str, Any], *, progress: bool) -> Run:
    """What the run file holds afterwards. Raises KeyboardInterrupt where the user stopped it."""
    notes: list[str] = []
    shown = RunProgress if progress else _NoProgress
    with warnings.catch_warnings():
        # A notebook without ipywidgets, which nothing here needs.
        warnings.filterwarnings("ignore", "IProgress not found")
        say = _noting(notes, aloud=progress)
        result = run_trials(config, options, settings, shown, say)
    if result.stopped:
        raise KeyboardInterrupt
    for line in finding_lines(trial_frame(result.records)):
        say(line)
    tell_outcome(result, options.budget, options.path, say, PythonWording())
    return Run(result.contents, tuple(notes))


def _budget(said: object) -> Budget | None:
    """The budget that was said, if any. Raises UserError."""
    if said is not None and not isinstance(said, str):
        raise UserError(f"the argument budget is {said!r}.", 'Write "25usd", "40Mtok" or "500ktok".')
    return None if said is None else parse_budget(said)


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

    def asking(self, traffic: Callable[[], Traffic]) -> None: ...

    def started(self, trial: Trial) -> None: ...

    def finished(self, trial: Trial, result: TrialResult) -> None: ...
