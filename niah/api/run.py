"""``niah.run`` and ``niah.plan``, which the commands of these names call too."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from niah.api.outcome import STOPPED, closing
from niah.api.request import AskedRun, RunRequest, request_of, resolve
from niah.api.result import Run, RunPlan
from niah.cases.samples import contiguous_notes
from niah.errors import UserError
from niah.files import check_folder, telling_of_files
from niah.needles.load import write_own_facts
from niah.readers.credentials import missing_keys
from niah.readers.retry import request_log, within
from niah.runs.cost.budget import open_ledger
from niah.runs.cost.estimate import estimate
from niah.runs.execution.run import RunOptions, RunResult, run_trials
from niah.runs.file.read import read_run
from niah.runs.file.store import check_config
from niah.runs.load_config import check_offline
from niah.runs.plan import plan_trials, run_facts

Say = Callable[[str], None]


@telling_of_files()
def run(config: str | Path | None = None, **arguments: Any) -> Run:
    """Ask what is left of a run, as ``niah run`` does; finished trials are never asked again.

        run = niah.run("quick", readers=["openai/gpt-4o-mini"], strategies=["lc", "bm25/top-5/norm"])

    Arguments are the options of the command; ``readers`` and ``strategies`` are names, or mappings with the
    keys that they have in a run config. Ctrl-C stops it with KeyboardInterrupt, and the same call goes on.
    Raises UserError, before anything is asked.
    """
    said: list[str] = []
    request = _request(config, arguments)

    def say(line: str) -> None:
        said.append(line)
        if request.progress is not False:
            print(line, file=sys.stderr)

    done, code = perform(resolve(request), say)
    for line in done.notes:
        say(line)
    if code == STOPPED:
        raise KeyboardInterrupt
    return replace(done, notes=tuple(said))


@telling_of_files()
def plan(config: str | Path | None = None, **arguments: Any) -> RunPlan:
    """What ``niah.run`` with these arguments will take: calls, tokens, money. Raises UserError."""
    return make_plan(_request(config, arguments))


def _request(config: str | Path | None, arguments: Mapping[str, Any]) -> RunRequest:
    given = {"config": config} | {name: value for name, value in arguments.items() if value is not None}
    return request_of(given, dict.fromkeys(given, ("argument", "")))


def perform(asked: AskedRun, say: Say, *, page: bool = False) -> tuple[Run, int]:
    """Run what is left of a run; what it holds, with notes on how it went, and the exit code.

    ``say`` hears what the user should know meanwhile; ``page`` writes the run's page. Raises UserError.
    """
    request = asked.request
    if page:
        check_folder(asked.figures)
    result = conduct(asked, say)
    if request.save and request.needle:
        facts = request.needle, request.question or "", request.expect
        say(f"needle set {write_own_facts(Path('needles'), *facts)}")
    answered = not result.contents.trials["outcome"].isin(["not_run", "reader_error"]).all()
    written = _write_page(result, asked.figures) if page and answered and not result.stopped else None
    lines, code = closing(result)
    return Run(result.contents, tuple(lines), written), code


def _write_page(result: RunResult, folder: Path) -> Path:
    from niah.plots.report import write_report

    return write_report([result.contents], folder, brief=True).page


def conduct(asked: AskedRun, say: Say) -> RunResult:
    """Ask what is left of a run. Raises OSError where its files could not be written."""
    from niah.plots.progress import RunProgress

    request, path = asked.request, asked.path
    for file in filter(None, (path, request.log)):
        check_folder(file.parent)
    retried, on = request.retry or frozenset(), request.on or "local"
    options = RunOptions(path, request.shard, request.limit, retried, request.reuse, on)
    shown = partial(RunProgress, quiet=request.progress is False)
    with warnings.catch_warnings(), within(request_log, request.log):
        warnings.filterwarnings("ignore", "IProgress not found")  # a notebook without ipywidgets
        return run_trials(asked.config, options, asked.settings(), shown, say)


def make_plan(request: RunRequest) -> RunPlan:
    """Calls, tokens and money of what is left of a run: nothing is asked, retrieved or written.

    Raises UserError, RunFileError for a run file of another config.
    """
    with within(missing_keys, dict[str, None]()) as missing:
        asked = resolve(request)
        config, path = asked.config, asked.path
        check_offline(config)
        planned = plan_trials(config)
        trials = planned.part(request.shard)
        run, done, refusal = read_run(path) if path.exists() else None, set[str](), ""
        if run:
            check_config(path, run.config, run_facts(config, planned.part()))
            trials = [each for each in trials if each.asks_first or not run.knows(each.reader, each.sample)]
            done = run.finished()
        todo = [trial for trial in trials if trial.trial_id not in done]
        plan = estimate(config, todo, trials, run)
        try:
            open_ledger(config, plan, planned.part(request.shard), run)
        except UserError as error:
            refusal = error.message
    samples = {trial.sample.sample_id: trial.sample for trial in planned.trials}.values()
    contiguous = contiguous_notes((sample.case, sample) for sample in samples if sample.case)
    notes = (*contiguous, *missing, *planned.notes)
    told = {"budget": config.budget, "refusal": refusal, "left_out": planned.left_out, "warnings": notes}
    return RunPlan(**vars(plan) | told, judge=config.judge.name)
