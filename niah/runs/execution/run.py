"""One invocation of a run: what is left of it is checked, priced, asked and stored."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from niah import __version__
from niah.cases.samples import contiguous_notes
from niah.errors import Say, UserError, counted
from niah.event_loop import run_to_end, within
from niah.judges.verdict import RuleJudge
from niah.readers.batch import BatchReader
from niah.readers.credentials import redact_all, secrets_in, without_credentials
from niah.readers.reader import Lasting, asked_with
from niah.registry import installed_packages
from niah.retrieval.registry import get_retriever
from niah.retrieval.user import get_system
from niah.runs.config import OPTION_NAMES, RunConfig, identity
from niah.runs.cost.budget import BudgetLedger, open_ledger
from niah.runs.cost.estimate import Plan, estimate
from niah.runs.cost.prices import spending_label
from niah.runs.execution.ask import Asking, Progress
from niah.runs.execution.cache import ResponseCache
from niah.runs.execution.judging import answered_before, judge_by_metrics
from niah.runs.file.read import RunContents, read_run
from niah.runs.file.store import RunStore, check_config, open_for_writing
from niah.runs.plan import Shard, plan_trials, run_facts
from niah.runs.preparation import Preparations
from niah.runs.trial import Outcome, PreparationCall, Trial

Shown = Callable[[int, int, int], AbstractContextManager[Progress]]
"""Makes the progress display from the numbers of trials planned, finished before, and to do."""

_PACKAGES = ("openai", "litellm", "tiktoken", "numpy", "torch", "sentence-transformers")


@dataclass(frozen=True)
class RunOptions:
    """How this invocation is to go."""

    path: Path  # the run file
    shard: Shard | None = None  # the part of the run that is meant; None is all of it
    limit: int | None = None  # trials at most, now
    retry: frozenset[Outcome] = frozenset()  # outcomes that are tried again
    reuse: bool = False  # whether answers of earlier runs are taken
    on: Literal["local", "ray"] = "local"


@dataclass(frozen=True)
class RunResult:
    """What the run file holds afterwards."""

    contents: RunContents
    ledger: BudgetLedger  # what this invocation spent, and whether the budget stopped it
    stopped: bool  # by the user
    stopped_readers: Mapping[str, Lasting] = field(default_factory=dict)  # by name: why
    waiting: tuple[int, int] = (0, 0)  # batches at providers, and requests in them


def run_trials(
    config: RunConfig, options: RunOptions, settings: dict[str, Any], shown: Shown, say: Say
) -> RunResult:
    """Run what is left of a run. Mistakes are met before anything is written. Raises UserError."""
    in_batches = {each.name for each in config.readers if isinstance(each, BatchReader)}
    planned = plan_trials(config)
    facts, trials = run_facts(config, planned), planned.part(options.shard)
    is_new, ledger = not options.path.exists(), None
    if is_new:
        _check(config, options, say, is_new=True)
        ledger = _priced(config, trials[: options.limit], trials, None, say)
    with open_for_writing(options.path) as store:
        before = read_run(options.path)
        check_config(options.path, before.config, facts)
        done = before.finished(besides=options.retry)
        left = [trial for trial in trials if trial.trial_id not in done]
        todo = _counting(left, before)[: options.limit]
        ledger = ledger or _priced(config, todo, trials, before, say)
        if todo and not is_new:
            _check(config, options, say, is_new=False)
        for line in planned.notes:
            say(line)
        for each, asked in store.open_batches().items():
            if asked and each.reader not in in_batches:
                n = counted(len(asked), "request")
                say(f"{each.reader}: {n} of a batch are asked one by one again, and may be paid for twice")
        store.begin(facts, trials, planned.left_out)
        store.record_invocation(settings, versions())
        store.note("traits", config.traits)
        result = RunResult(before, ledger, stopped=False)
        total = len(_counting(trials, before))
        try:
            for finished, batch in _batches(options, todo, len(done)):
                rest = [trial for trial in batch if trial.reader not in result.stopped_readers]
                if batch and not rest:
                    break
                with shown(total, finished, len(rest)) as progress:
                    result = _ask(store, config, options, rest, progress, result)
                if result.stopped or result.ledger.stopped:
                    break
            mistaken = [(name, why) for name, why in result.stopped_readers.items() if why.is_mistake]
            if is_new and mistaken:  # no reader may exist under its name and address
                ran = read_run(options.path)
                if {name for name, _ in mistaken} >= {*ran.trials["reader"]} and not has_answers(ran):
                    name, why = mistaken[0]
                    raise UserError(f"{name}: {why.reason.rstrip('.')}.", why.remedy)
        except UserError:
            if is_new and not (has_answers(read_run(options.path)) or store.open_batches()):
                for suffix in ("", "-wal", "-shm"):  # a reader that could not even be loaded
                    options.path.with_name(f"{options.path.name}{suffix}").unlink(missing_ok=True)
            raise
        if config.metrics:
            for line in judge_by_metrics(store, read_run(options.path), config.metrics):
                say(line)
        waiting = [len(asked) for batch, asked in store.open_batches().items() if batch.reader in in_batches]
        result = replace(result, waiting=(sum(map(bool, waiting)), sum(waiting)))
        store.note("stopped", {name: why.reason for name, why in result.stopped_readers.items()})
    return replace(result, contents=read_run(options.path))


def plan_run(config: RunConfig, path: Path, shard: Shard | None = None) -> Plan:
    """What is left of a run will take, and why it would not start; nothing is asked, retrieved or written."""
    planned = plan_trials(config)
    trials, run, refusal = planned.part(shard), read_run(path) if path.exists() else None, ""
    todo = own = trials
    if run:
        check_config(path, run.config, run_facts(config, planned))
        own, done = _counting(trials, run), run.finished()
        todo = [trial for trial in own if trial.trial_id not in done]
    plan = estimate(config, todo, own, run)
    try:
        open_ledger(config, plan, trials, run)
    except UserError as error:
        refusal = error.message
    samples = {trial.sample.sample_id: trial.sample for trial in planned.trials}.values()
    notes = *contiguous_notes((sample.case, sample) for sample in samples if sample.case), *planned.notes
    return replace(plan, budget=config.budget, refusal=refusal, left_out=planned.left_out, warnings=notes)


def settings_of(config: RunConfig, given: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, Any]:
    """What was asked for (``given``, how by ``named``), and what it came to, as a run file stores it."""
    file = config.file
    spread = file.seeds is not None and file.seeds.spread
    seeds = {"anchor": config.anchors, "rotating": config.rotating, "spread": spread}
    addresses = {each.called: each.api_base for each in file.readers if each.api_base}
    values = {
        **given,
        **file.model_dump(mode="json", include={"suite", "metrics", "repeats", "budget", "filter", "prices"}),
        "config": str(config.path),
        "readers": list(map(identity, config.readers)),
        "reader_options": {name: each.stated for name, each in config.options.items() if each.stated},
        "strategies": [strategy.name for strategy in config.strategies],
        "judge": config.judge.name,
        "seeds": {name: value for name, value in seeds.items() if value},
        "date": config.date and str(config.date),
        "api_base": {name: without_credentials(each) for name, each in addresses.items()},
    }
    own = () if "model" in given else file.readers
    stated = file.model_fields_set.union(*(each.model_fields_set for each in own))
    stated |= {"reader_options"} if stated & {*OPTION_NAMES} else set()
    sources = dict.fromkeys(stated, "the run config") if "config" in given else {}
    sources |= {name: named[name] for name in given}
    if "model" in given:
        sources["readers"] = named["model"]
    return as_stored(values, sources)


def as_stored(values: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Values of a run with what gave each, as a run file keeps them: nothing of variables with secrets."""
    secrets = secrets_in(os.environ)
    stored = {}
    for name, value in values.items():
        shown = None if value in ({}, []) else redact_all(value, secrets)
        stored[name] = {"value": shown, "source": sources.get(name, "the default")}
    return stored


def versions() -> dict[str, str]:
    """What is installed, by name, packages that add to niah too; nothing is imported for it."""
    found = {"python": platform.python_version(), "niah": __version__}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found | installed_packages()


def _priced(
    config: RunConfig, todo: Sequence[Trial], trials: Sequence[Trial], run: RunContents | None, say: Say
) -> BudgetLedger:
    """Say what the trials will take; the ledger of the run. Raises UserError."""
    plan = estimate(config, todo, trials, run)
    ledger = open_ledger(config, plan, trials, run)
    if plan.calls:
        tokens = sum(part.prompt_tokens + part.answer_tokens + part.thinking_tokens for part in plan.parts)
        usd = "at an unknown price" if plan.usd is None else spending_label(plan.usd, "usd")
        say(f"{counted(plan.calls, 'call')}, about {tokens:,} tokens, {usd if plan.usd != 0 else 'free'}")
    return ledger


def has_answers(run: RunContents) -> bool:
    """Whether any trial got an answer, or what stands in its place, such as a refusal."""
    return not run.trials["outcome"].isin(["not_run", "reader_error", "preparation_error"]).all()


def _counting(trials: list[Trial], run: RunContents) -> list[Trial]:
    """The trials without those whose answer their reader knows without a context."""
    return [trial for trial in trials if trial.asks_first or not run.knows(trial.reader, trial.sample)]


def _batches(options: RunOptions, todo: Sequence[Trial], done: int) -> Iterator[tuple[int, Sequence[Trial]]]:
    """What to ask, one batch after another, each with the number of trials that are finished before it."""
    if first := [trial for trial in todo if trial.asks_first]:
        yield done, first
        run = read_run(options.path)  # what came of the first batch decides what is in the next
        others = [trial for trial in todo if not trial.asks_first]
        todo, done = _counting(others, run), len(run.finished(besides=options.retry))
    yield done, todo


def _check(config: RunConfig, options: RunOptions, say: Say, *, is_new: bool) -> None:
    """Raise UserError for models that are not there; of a run that has begun, the trials will tell. What
    endpoints have on no list is said, with the nearest name."""
    for strategy in config.strategies:
        if strategy.retriever:
            get_retriever(strategy.retriever, say)
        if strategy.system:
            get_system(strategy.system)
    judges = [] if isinstance(config.judge, RuleJudge) else [config.judge.reader]
    readers = (*config.readers, *config.preparing, *judges)
    for reader in readers:
        reader.check()
    if is_new:  # the readers' own answers will tell whether they are there
        lines = [each.check_model(by_asking=each not in config.readers) for each in readers]
        for line in filter(None, dict.fromkeys(lines)):  # asked in several ways, said once
            say(line)
    if options.on == "ray":
        from niah.runs.ray import connect

        connect(config)


def _ask(
    store: RunStore,
    config: RunConfig,
    options: RunOptions,
    todo: Sequence[Trial],
    progress: Progress,
    result: RunResult,
) -> RunResult:
    """Ask the trials; ``result`` with what stopped them."""
    ledger, answered = result.ledger, answered_before(result.contents)
    with ResponseCache(store.run_id, reuse=options.reuse) as cache:
        if options.on == "ray" and todo:  # of what is finished no cluster is joined
            from niah.runs.ray import ask_on_ray

            asking = ask_on_ray(store, config, todo, progress, ledger, answered, reuse=options.reuse)
        else:
            preparations = None
            if any(trial.strategy.prepared for trial in todo):
                readers = {reader.name: reader for reader in config.readers}

                def record(call: PreparationCall) -> None:
                    store.add_preparation(call)
                    if not call.from_cache:
                        progress.paid(call.usage, call.cost)

                preparations = Preparations(readers, config.preparer, cache, ledger, record, progress.say)
            own = Asking(store, progress, config.judge, ledger, cache, answered, preparations)
            asking = own.ask(config.readers, todo)
        try:
            with within(asked_with, config.transport):
                return replace(result, stopped_readers={**result.stopped_readers, **run_to_end(asking)})
        except KeyboardInterrupt:
            return replace(result, stopped=True)
        finally:
            if ledger.budget:  # answers that --retry replaces and failed verdicts are paid for, too
                store.note("spent", {ledger.budget.unit: str(ledger.paid)})
