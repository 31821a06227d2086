"""``niah.run`` and ``niah.plan``, which the commands call too, and what is said of a run at its end."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import starmap
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from niah.api.request import OPTIONS, AskedRun, RunRequest, request_of, resolve
from niah.api.result import Run, RunPlan
from niah.cases.samples import contiguous_notes
from niah.errors import Say, UnknownName, counted
from niah.event_loop import within
from niah.files import check_folder, telling_of_files
from niah.judges.registry import rules_and_model
from niah.needles.load import write_own_facts
from niah.plots.labels import money_label
from niah.readers.credentials import missing_keys
from niah.readers.dialect import not_taken_line
from niah.readers.reader import Lasting
from niah.readers.retry import request_log
from niah.runs.cost.prices import spending_label
from niah.runs.execution.run import RunOptions, RunResult, has_answers, plan_run, run_trials, settings_of
from niah.runs.load_config import check_offline

if TYPE_CHECKING:
    from pandas import DataFrame

STOPPED = 130
UNFINISHED = 3  # stopped by its budget, or by a judge that failed on more than a tenth of the answers
NO_ANSWERS = 4  # a model was stopped or gave nothing to score; a strategy got no answer
WAITING = 5  # batches are at a provider

_MANY_JUDGE_ERRORS = 0.1
_CUT = 0.7  # tokenizers differ by language and kind of text, yet hardly by more than that
_TEMPLATE = 100  # tokens that a chat template adds to a prompt at most
_UNANSWERED = ("reader_error", "preparation_error")
_ANSWERED = ("scored", "judge_error")
_HINTS = {  # what else is to be said of asking again
    "truncated": " with the same room; --reader-option max_tokens=N makes a run with more",
    "judge_error": "; niah judge {} --judge auto --primary asks no model",
}


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
    if unknown := next((name for name in arguments if name not in OPTIONS), ""):
        raise UnknownName("argument", unknown, OPTIONS)
    given = {name: value for name, value in {"config": config, **arguments}.items() if value is not None}
    return request_of(given, {name: f"the argument {name}" for name in OPTIONS})


def perform(asked: AskedRun, say: Say, *, page: bool = False) -> tuple[Run, int]:
    """Run what is left of a run; what it holds, and the exit code. ``page``: its page is written too.
    Raises UserError."""
    request = asked.request
    if page:
        check_folder(asked.figures)
    result = execute(asked, say)
    if request.save and request.needle:
        facts = request.needle, request.question or "", request.expect
        say(f"needle set {write_own_facts(Path('needles'), *facts)}")
    written = None
    if page and has_answers(result.contents) and not result.stopped:
        from niah.plots.report import write_report

        written = write_report([result.contents], asked.figures, brief=True).page
    lines, code = closing(result)
    return Run(result.contents, tuple(lines), written), code


def execute(asked: AskedRun, say: Say) -> RunResult:
    """Ask what is left of a run. Raises OSError where its files could not be written."""
    from niah.plots.progress import RunProgress

    request, path = asked.request, asked.path
    for file in filter(None, (path, request.log)):
        check_folder(file.parent)
        if file.is_dir() or file.is_file():
            file.open("ab").close()  # raises what is in the way
    options = RunOptions(path, request.shard, request.limit, request.retry, request.reuse, request.on)
    given = request.model_dump(mode="json", include=request.model_fields_set - {"sources"})
    settings = settings_of(asked.config, given, request.sources)
    shown = partial(RunProgress, quiet=request.progress is False)
    with within(request_log, request.log):
        return run_trials(asked.config, options, settings, shown, say)


def make_plan(request: RunRequest) -> RunPlan:
    """Calls, tokens and money of what is left of a run. Raises UserError."""
    with within(missing_keys, dict[str, None]()) as missing:
        asked = resolve(request)
        check_offline(asked.config)
        plan = plan_run(asked.config, asked.path, request.shard)
    return RunPlan(**vars(plan) | {"warnings": (*missing, *plan.warnings)})


def closing(result: RunResult, again: str = "the same command with") -> tuple[list[str], int]:
    """Lines on how a run went, and its exit code; ``again`` is the command that takes --retry."""
    trials, ledger, goes_on = result.contents.trials, result.ledger, again.removesuffix(" with")
    outcomes = Counter(trials["outcome"])
    not_run, of = outcomes["not_run"], f"of {counted(len(trials), 'trial')}"
    if result.stopped:  # who stops a run waits for nothing
        finished = f"stopped; {len(trials) - not_run} {of} are finished."
        return [f"{finished} {goes_on[0].upper()}{goes_on[1:]} goes on."], STOPPED
    lines, waiting, failed = [*_facts(result, outcomes)], result.waiting, outcomes["judge_error"]
    by_model = trials["unsure"].notna() if all(rules_and_model(result.contents.judge)) else True
    asked = failed + int((by_model & (trials["outcome"] == "scored")).sum())
    code = UNFINISHED if failed > _MANY_JUDGE_ERRORS * asked else 0
    if waiting[0]:
        batches, code = f"{waiting[0]} {'batch' if waiting[0] == 1 else 'batches'}", WAITING
        lines.append(f"waiting: {batches}, {counted(waiting[1], 'request')}; {goes_on} collects")
    for outcome in filter(outcomes.get, (*_UNANSWERED, *_HINTS)):
        ended = f"{counted(outcomes[outcome], 'trial')} ended as {outcome}"
        why = most_often(trials["reason"][trials["outcome"] == outcome])
        more = _HINTS.get(outcome, "").format(quote(str(result.contents.path)))
        lines.append(f"{ended}{why}; {again} --retry {outcome} asks again{more}.")
    if ledger.stopped and (budget := ledger.budget):
        left = f"{spending_label(ledger.spent, budget.unit)} spent, {not_run} {of} not run"
        lines.append(f"stopped by its budget of {budget}: {left}. A greater --budget goes on.")
        return lines, UNFINISHED
    faults = list(fault_lines(trials, result.stopped_readers))
    if result.stopped_readers:
        faults.append(f"Once mended, {goes_on} goes on; {again} --retry reader_error asks what failed.")
    return [*lines, *faults], NO_ANSWERS if faults else code


def _facts(result: RunResult, outcomes: Counter[str]) -> Iterator[str]:
    """What was found, counted, cut or not taken on the way."""
    from niah.analysis.causes import empty_answers
    from niah.analysis.frame import trial_frame
    from niah.plots import words

    contents, ledger, trials = result.contents, result.ledger, result.contents.trials
    yield from contiguous_notes((each.case, each) for each in contents.samples.values() if each.case)
    yield from words.closed_book_lines(contents.closed_book)
    yield from words.preparation_lines(contents)
    for name, n in (+ledger.own_counts).items():
        yield f"{name} reported no plausible usage for {counted(n, 'answer')}: the budget counts our tokens."
    for name, n in (+ledger.unreported).items():
        yield f"{name} did not report what {counted(n, 'answer')} took: the budget counts nothing for that."
    yield from filter(None, starmap(not_taken_line, {**contents.judges, **contents.readers}.items()))
    # A server that cuts prompts counts too few tokens for some; of a short one many are the template's.
    sizes = trials[["prompt_tokens", "own_prompt_tokens"]].astype(float).set_axis(["reported", "own"], axis=1)
    for reader, sent in sizes[(sizes > 0).all(axis=1)].groupby(trials["reader"], sort=False):
        usual = ((sent["reported"] - _TEMPLATE) / sent["own"]).max()
        if few := int((sent["reported"] < _CUT * usual * sent["own"]).sum()):
            yield (
                f"{reader}: its server counts {few} of {len(sent)} prompts at less than {_CUT:.0%} of the "
                "tokens of others: it may cut them. Give it a larger window (Ollama: num_ctx)."
            )
    if contents.traits or (trials["error_type"] == "empty").any():  # few runs need a frame for this
        frame = trial_frame(trials, traits=contents.traits)
        yield from words.consistency_lines(frame)
        for found in empty_answers(frame):
            line = "{answers}: {empty:,} of {scored:,} answers are empty".format(**found)
            yield f"{line}; once that is mended, another --out asks again."
    yield from words.unmatched_chunk_lines(trials)
    if all(cascade := rules_and_model(contents.judge)):
        verdicts = [one for own in trials["verdicts"] for one in own if one.judge == contents.judge]
        if paid := [one for one in verdicts if one.usage.prompt_tokens != 0]:
            usd = sum(float(one.cost or 0) for one in paid)
            of = outcomes["scored"] + outcomes["judge_error"]
            about = f"{len(paid)} of {of} answers, of which {cascade[0]} is unsure"
            yield f"{cascade[1]} judged {about}{f', for {money_label(usd)} USD' if usd else ''}."


def fault_lines(trials: DataFrame, stopped: Mapping[str, Lasting]) -> Iterator[str]:
    """Which models and strategies gave no answers, and why."""
    rest = trials
    for name, why in stopped.items():
        is_own = (trials["reader"] == name) | (trials["strategy"] == name)
        rest = rest[~is_own[rest.index]]
        left = int((trials["outcome"][is_own] == "not_run").sum())
        times = f", {why.in_a_row} trials in a row" if why.in_a_row > 1 else ""
        not_run = f" ({left} of its {counted(int(is_own.sum()), 'trial')} not run)" if left else ""
        yield f"{name} was asked no further{not_run}{times}: {why.reason.rstrip('.')}. {why.remedy}".rstrip()
    for kind in ("reader", "strategy"):
        for one, own in rest.groupby(kind):
            asked = own[own["outcome"] != "not_run"]
            kinds = {*asked["outcome"]}
            if kinds and (kinds <= {*_UNANSWERED} or (kind == "reader" and kinds.isdisjoint(_ANSWERED))):
                what = "no answer" if kinds <= {*_UNANSWERED} else "no answer that can be scored"
                yield f"{one} got {what} in {counted(len(asked), 'trial')}{most_often(asked['reason'])}."
                rest = rest[rest[kind] != one]


def most_often(reasons: Iterable[str]) -> str:
    """ " (rate limit)", of the most frequent reason."""
    if not (found := Counter(filter(None, reasons)).most_common(2)):
        return ""
    (reason, times), *others = found
    often = f"most often, {counted(times, 'time')}: " if others else ""
    return f" ({often}{reason.rstrip('.')})"
