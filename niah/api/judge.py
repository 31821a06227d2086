"""``niah.judge``; and stored answers: judged again, or labelled by people."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.cases.suite import OpenedCase
from niah.errors import Say, UserError, counted
from niah.event_loop import run_to_end
from niah.files import telling_of_files
from niah.judges.audit import LABELS, drift
from niah.judges.registry import Judge, check_suited, resolve_judge
from niah.judges.verdict import RuleJudge, Verdict
from niah.readers.dialect import not_taken_line
from niah.readers.reader import Failure
from niah.runs.config import PriceFile
from niah.runs.cost.prices import prices_of
from niah.runs.execution.judging import rejudge, unjudged
from niah.runs.file.read import RunContents, check_has_trials, read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import rows_of


@telling_of_files()
def judge(answer: str, question: str | Path | OpenedCase, judge: str = "rubric", *, seed: int = 1) -> Verdict:
    """The verdict on an answer: score, elements found, missing and wrong. Raises UserError. ``question`` is a
    needle set by name or path, whose facts ``seed`` draws, or one of ``niah.cases``;
    ``judge`` is "rubric", a metric, any model, or "rubric+openai/gpt-4o-mini"."""
    key = question.sample.key if isinstance(question, OpenedCase) else key_of(str(question), seed)
    if not isinstance(answer, str):
        raise UserError(f"the argument answer is {answer!r}.", "Give a text.")
    chosen = resolve_judge(judge)
    check_suited(chosen, [key])
    (found,) = _verdicts(chosen, [(answer, key)])
    if isinstance(found, Failure):
        raise UserError(f"{chosen.name} gave no verdict: {found.reason.rstrip('.')}.", "Ask again.")
    return found


def _verdicts(judge: Judge, answers: Iterable[tuple[str, AnswerKey]]) -> list[Verdict | Failure]:
    async def verdicts() -> list[Verdict | Failure]:
        async with judge:
            return await asyncio.gather(*(judge.judge(answer, key) for answer, key in answers))

    judge.check()
    return run_to_end(verdicts())


def judge_run(
    path: Path, judge: Judge, *, limit: int | None, primary: bool, say: Say
) -> tuple[RunContents, int, list[Failure]]:
    """Judge and store what of a run file's answers lacks a verdict of this judge; ask no reader.
    Returns what the file holds afterwards, how many answers the judge was asked about, and the failures. With
    ``primary`` this judge's score is the score of a trial once every answer has one. Raises UserError."""
    from rich.console import Console
    from rich.progress import Progress

    err, failures = Console(stderr=True), list[Failure]()
    check_has_trials(run := read_run(path))
    keys = list(dict.fromkeys(each.key for each in run.samples.values()))
    if all(map(judge.unsuited, keys)):
        check_suited(judge, keys)
    judge.check()
    if not isinstance(judge, RuleJudge) and (line := judge.reader.check_model(by_asking=True)):
        say(line)
    with open_for_writing(path) as store:
        every = unjudged(run, judge)
        if todo := every[:limit]:
            settings = run.invocations[-1].settings if run.invocations else {}
            stored = settings.get("prices", {}).get("value") or {}
            own = {name: PriceFile(**price).as_price() for name, price in stored.items()}
            price = prices_of([judge], own)[judge.name]
            with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
                task = bar.add_task("judging", total=len(todo))
                work = rejudge(store, judge, todo, run.samples, price, lambda: bar.advance(task))
                failures = run_to_end(work)
            if line := not_taken_line(judge.name, judge.settings):
                say(line)
        if primary and (left := len(every) - len(todo)):
            say(f"{counted(left, 'answer')} to be judged: once all are, the scores of {judge.name} count.")
        elif primary:
            store.note("primary", judge.name)
    return read_run(path), len(todo), failures


def drift_of_labelled(runs: Iterable[RunContents], judge: Judge) -> str:
    """One line: how a judge judges the labelled answers of the first run with any, now and then; or ""."""
    needed, scored = {LABELS[0], judge.name}, list[tuple[float, float, float]]()
    for run in runs:
        if own := [one for one in rows_of(run.trials) if needed <= {*(one.judge_scores or ())}]:
            verdicts = _verdicts(judge, ((one.answer, run.samples[one.case_id].key) for one in own))
            scores = [(one.judge_scores[judge.name], one.judge_scores[LABELS[0]]) for one in own]
            pairs = zip(scores, verdicts, strict=True)
            scored = [(then, now.score, label) for (then, label), now in pairs if isinstance(now, Verdict)]
            break
    if not scored:
        return ""
    lost, won, p = drift(*zip(*scored, strict=True))
    then, today = (sum(row[side] == row[2] for row in scored) for side in (0, 1))
    return (
        f"{judge.name} {'has drifted' if p < 0.05 else 'shows no drift'}: {today} of {len(scored)} labelled"
        f" answers as labelled, {then} before; {lost} lost, {won} won (McNemar's exact test, p = {p:.2g})"
    )
