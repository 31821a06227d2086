"""``niah.run`` and ``niah.plan``, which the commands of these names call too."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from niah.api.outcome import STOPPED, closing
from niah.api.request import OPTIONS, RunRequest, request_of
from niah.api.resolve import AskedRun, resolve
from niah.api.result import Run, RunPlan
from niah.cases.left_out import avoided_by, contiguous_notes
from niah.errors import UserError
from niah.files import check_folder, telling_of_files
from niah.haystacks.documents import haystack_structure, is_entries
from niah.readers.credentials import noted_missing_keys, noting_missing_keys
from niah.readers.embedded import EmbeddedReader
from niah.readers.log import logging_to
from niah.readers.reader import EMBEDDED_WINDOW
from niah.runs.checks import check_offline, known_windows, too_long_for, unread_scripts
from niah.runs.cost.estimate import Plan
from niah.runs.execution.run import RunOptions, RunResult, estimate_rest, ledger_for, run_trials
from niah.runs.file.read import read_run
from niah.runs.plan import plan_trials, run_facts
from niah.runs.provenance import Source
from niah.text.chat_template import chat_template_tokens

Say = Callable[[str], None]
_NEAR = 512
"""Tokens below a window within which a chat template and an answer may no longer fit."""


@dataclass(frozen=True)
class FinishedRun:
    """What an invocation leaves.

    Attributes:
        asked: the run that was meant.
        result: trials, records, what was spent.
        page: what there is to look at; None where no trial got an answer, or none was wanted.
        lines: what is to be said of how it went.
        code: the exit code of ``niah run``.
    """

    asked: AskedRun
    result: RunResult
    page: Path | None
    lines: list[str]
    code: int


def _shows_arguments(function: Any) -> Any:
    """The function with the fields of ``RunRequest`` as its signature, and their meaning in its docstring."""
    command = function.__name__
    fields = {name: each for name, each in OPTIONS.items() if command in each.commands and name != "config"}
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in fields]
    config = inspect.Parameter("config", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    vars(function)["__signature__"] = inspect.Signature([config, *keywords])
    told = "\n".join(f"        {name}: {each.help}" for name, each in fields.items())
    function.__doc__ = f"{function.__doc__}\n    Arguments, as the options of the command:\n{told}\n"
    return function


@_shows_arguments
@telling_of_files()
def run(config: str | Path | None = None, **arguments: Any) -> Run:
    """Ask what is left of a run, as ``niah run`` does; finished trials are never asked again.

        import niah
        run = niah.run("quick", readers=["openai/gpt-4o-mini"], strategies=["lc", "bm25/top-5/norm"])
        run.heatmap("lc")

    ``config`` is a run config by name or path, or a suite. ``readers`` and ``strategies`` are names, or
    mappings with the keys that they have in a run config. Ctrl-C stops it with KeyboardInterrupt: finished
    trials are stored, and the same call goes on. Raises UserError for mistakes, before anything is asked.
    """
    notes: list[str] = []
    request = _request(config, arguments)

    def say(line: str) -> None:
        notes.append(line)
        if request.progress is not False:
            print(line, file=sys.stderr)

    finished = perform(resolve(request), say)
    for line in finished.lines:
        say(line)
    if finished.code == STOPPED:
        raise KeyboardInterrupt
    return Run(finished.result.contents, tuple(notes))


@_shows_arguments
@telling_of_files()
def plan(config: str | Path | None = None, **arguments: Any) -> RunPlan:
    """What ``niah.run`` with these arguments will take: calls, tokens, money. Nothing is asked.

        import niah
        niah.plan("quick", readers=["openai/gpt-4o-mini"]).usd

    Raises UserError for mistakes.
    """
    return make_plan(_request(config, arguments))


def _request(config: str | Path | None, arguments: Mapping[str, Any]) -> RunRequest:
    given = {name: value for name, value in arguments.items() if value is not None}
    argument: tuple[Source, str] = ("argument", "")
    if isinstance(config, Mapping):
        problem = f"the argument config is a mapping ({', '.join(map(str, config)) or 'empty'})."
        remedy = "Give the name of a run config or suite, and its keys as arguments: readers=[...]."
        raise UserError(problem, remedy)
    return request_of({"config": config, **given}, dict.fromkeys(("config", *given), argument))


def perform(asked: AskedRun, say: Say, *, page: bool = False) -> FinishedRun:
    """Run what is left of a run. Raises UserError for mistakes, before anything is asked or written.

    Args:
        asked: what is asked for.
        say: is called with what the user should know meanwhile, one line each.
        page: whether the page of the run is written.
    """
    request = asked.request
    result = conduct_asked(asked, say, *([asked.figures] if page else []))
    if request.save and request.needle:
        from niah.needles.own_facts import write_own_facts

        facts = request.needle, request.question or "", request.expect
        say(f"needle set {write_own_facts(Path('needles'), *facts)}")
    answered = any(record.outcome not in ("not_run", "reader_error") for record in result.records)
    written = _write_page(result, asked.figures) if page and answered and not result.stopped else None
    return FinishedRun(asked, result, written, *closing(result, asked.budget, asked.path))


def _write_page(result: RunResult, folder: Path) -> Path:
    from niah.plots.report import write_report

    return write_report([result.contents], folder, brief=True).page


def conduct_asked(asked: AskedRun, say: Say, *folders: Path) -> RunResult:
    """Ask what is left of a run. Raises OSError where one of the folders could not be written to."""
    from niah.plots.progress import RunProgress

    request = asked.request
    for folder in (asked.path.parent, *folders, *([request.log.parent] if request.log else [])):
        check_folder(folder)
    options = RunOptions(
        asked.path,
        request.shard,
        request.limit,
        request.retry or frozenset(),
        asked.budget,
        request.reuse,
        request.on or "local",
    )
    shown: Any = _Quiet if request.progress is False else RunProgress
    with warnings.catch_warnings(), logging_to(request.log):
        warnings.filterwarnings("ignore", "IProgress not found")  # a notebook without ipywidgets
        return run_trials(asked.config, options, asked.settings(), shown, say)


class _Quiet:
    """A progress display that shows nothing."""

    def __init__(self, *counts: int) -> None: ...

    def __enter__(self) -> _Quiet:
        return self

    def __exit__(self, *exception: object) -> None: ...

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *about: None


def make_plan(request: RunRequest) -> RunPlan:
    """Calls, tokens and money of a run. No model is asked, nothing retrieved, embedded or written.

    An endpoint is asked how many tokens its model holds; finished trials are subtracted. Raises UserError
    for mistakes in the config, RunFileError for a run file of another config.
    """
    with noting_missing_keys():
        asked = resolve(request)
        check_offline(asked.config)
        missing = noted_missing_keys()
        return RunPlan(_planned(asked, missing), asked.config.judge.name)


def _planned(asked: AskedRun, missing: Any) -> Plan:
    config, path, shard = asked.config, asked.path, asked.request.shard
    planned = plan_trials(config)
    trials = planned.part(shard)
    run = read_run(path) if path.exists() else None
    if run:
        run.check(run_facts(config, planned.part()))
        trials = [trial for trial in trials if trial.asks_first or not run.knows(trial.reader, trial.sample)]
    done = run.finished() if run else set()
    todo = [trial for trial in trials if trial.trial_id not in done]
    estimate = estimate_rest(config, todo, trials, run, reuse=asked.request.reuse)
    refusal = ""
    try:
        ledger_for(config, asked.budget, estimate, planned.part(shard), run)
    except UserError as error:
        refusal = error.message
    samples = {trial.sample.sample_id: trial.sample for trial in planned.trials}
    cases = [(sample.case, sample) for sample in samples.values() if sample.case]
    kinds = {case.haystack: case.structure for case, _ in cases if not is_entries(case.haystack)}
    reserve = max((case.reserve for case, _ in cases), default=0)
    longest = max((sample.context_length for sample in samples.values()), default=0)
    return replace(
        estimate,
        budget=asked.budget,
        refusal=refusal,
        left_out=planned.left_out,
        avoided=tuple(avoided_by(samples.values())),
        structures={name: haystack_structure(name, kind) for name, kind in sorted(kinds.items())},
        warnings=(
            *contiguous_notes(cases),
            *missing,
            *planned.notes,
            *unread_scripts(samples.values(), config.strategies),
            *too_long_for(known_windows(config.readers), todo),
        ),
        reserve=reserve,
        chat_templates={
            reader.name: tokens
            for reader in config.readers
            if isinstance(reader, EmbeddedReader) and (reserve or longest + _NEAR >= EMBEDDED_WINDOW)
            if (tokens := chat_template_tokens(reader.model)) is not None
        },
    )
