"""Stored answers before another judge, metrics over them, and answers labelled by people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from niah.api.run_files import check_has_trials
from niah.errors import UserError
from niah.event_loop import run_to_end
from niah.files import check_folder
from niah.judges.audit import LABELS, draw, drift, read_labels, write_sheet
from niah.judges.metrics import Metric
from niah.judges.registry import check_suited
from niah.judges.verdict import Judge, Verdict
from niah.readers.dialect import not_taken_line
from niah.readers.reader import Failure
from niah.runs.cost.prices import prices_of, stored_prices
from niah.runs.execution.judging import rejudge, unjudged
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.file.store import open_for_writing

Advances = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Opens a progress display for so many answers; what it yields is called after each."""


@dataclass(frozen=True)
class JudgedRun:
    """What judging left.

    Attributes:
        run: the run file's contents afterwards.
        asked: how many answers were put to the judge.
        failures: of them, those that got no verdict.
    """

    run: RunContents
    asked: int
    failures: list[Failure]


def _no_progress(total: int) -> AbstractContextManager[Callable[[], None]]:
    return nullcontext(lambda: None)


def judge_run(
    path: Path,
    judge: Judge,
    *,
    limit: int | None = None,
    primary: bool = False,
    progress: Advances = _no_progress,
    say: Callable[[str], None] = lambda line: None,
) -> JudgedRun:
    """Put the answers of a run file that lack a verdict of this judge before it; no reader is asked.

    Verdicts are kept at once, so that a stopped command can go on.

    Args:
        path: the run file.
        judge: not open yet.
        limit: judge at most so many answers.
        primary: from now on, this judge's score is the score of a trial.
        progress: shows how far it is.
        say: is called with what an endpoint did not take.

    Raises UserError where the file holds no trials, or the judge can judge none of its questions.
    """
    check_has_trials(planned := read_run(path), str(path))
    _check_suited(judge, planned)
    judge.check()
    with open_for_writing(path) as store:
        run = read_run(path)
        todo = unjudged(run, judge)[:limit]
        failures: list[Failure] = []
        if todo:
            price = prices_of([judge], stored_prices(run.invocations))[judge.name]
            with progress(len(todo)) as advance:
                failures = run_to_end(rejudge(store, judge, todo, run.samples, price, advance))
            if line := not_taken_line(judge.name, judge.settings):
                say(line)
        if primary:
            store.make_primary(judge.name)
    return JudgedRun(read_run(path), len(todo), failures)


def _check_suited(judge: Judge, run: RunContents) -> None:
    """Raise UserError where the judge can judge none of a run's questions."""
    every = dict.fromkeys(sample.key for sample in run.samples.values())
    keys = [key for key in every if not key.withheld]
    if all(map(judge.unsuited, keys)):
        check_suited(judge, keys)


def measure_run(path: Path, metrics: Sequence[Metric]) -> list[dict[str, object]]:
    """One mapping per scored trial of a run file: its id, reader and strategy, and each metric's value.

    A value lies between 0 and 1; it is None where the question has nothing that the metric compares with.
    Raises UserError where there is nothing to measure.
    """
    run = read_run(path)
    rows: list[dict[str, object]] = [
        {"trial_id": record.trial_id, "reader": record.reader, "strategy": record.strategy}
        | {metric.name: metric.of_key(record.answer, run.samples[record.case_id].key) for metric in metrics}
        for record in run.records
        if record.outcome == "scored"
    ]
    if not rows:
        raise UserError(f"{path} holds no scored trial: there is nothing to measure.", "Run it first.")
    for metric in metrics:
        if all(row[metric.name] is None for row in rows):
            needed = "options" if metric.needs_options else "a reference answer"
            problem = f"{metric.name} needs questions with {needed}, and {path} has none."
            raise UserError(problem, "Take another metric: niah list metrics.")
    return rows


def write_label_sheet(path: Path, n: int, sheet: Path, seed: int = 1) -> int:
    """Write ``n`` answers of a run file to label, drawn from every score, reader and doubt; how many there
    are.

    Raises UserError where the sheet is there already, or the run has no scored answer.
    """
    run = read_run(path)
    check_has_trials(run, str(path))
    if sheet.exists():
        raise UserError(f"{sheet} is there already.", "Move it away, or name another with --out.")
    scored = [record for record in run.records if record.outcome == "scored"]
    if not scored:
        raise UserError(f"{path} holds no scored trial: there is nothing to label.", "Run it first.")
    check_folder(sheet.parent)
    drawn = draw(scored, n, lambda one: (one.score, one.unsure is None, one.reader), seed)
    keys = [run.samples[record.case_id].key for record in drawn]
    write_sheet(
        sheet,
        [(one.trial_id, key.question, key.answer, one.answer) for one, key in zip(drawn, keys, strict=True)],
    )
    return len(drawn)


def keep_labels(path: Path, labels: Path) -> RunContents:
    """Keep the labels of one or two people in a run file, as verdicts of label_1 and label_2; its contents
    then.

    Raises ConfigError, with nothing written, for a row that cannot be right.
    """
    run = read_run(path)
    check_has_trials(run, str(path))
    said = read_labels(labels, {record.trial_id for record in run.records if record.outcome == "scored"})
    with open_for_writing(path) as store:
        store.add_verdicts(
            (trial, Verdict(score, (), (), (), False, person, "1", f"labelled in {labels.name}"))
            for trial, scores in said.items()
            for person, score in zip(LABELS, scores, strict=False)
        )
    return read_run(path)


def judge_drift(path: Path, judge: Judge) -> str:
    """One line: how a judge judges the labelled answers of a run now, next to what the run file has of it.

    Raises UserError where the run has no labels, or no verdicts of this judge.
    """
    run = read_run(path)
    old: dict[str, tuple[float, float]] = {}
    for record in run.records:
        scores = record.judge_scores or {}
        if LABELS[0] in scores and judge.name in scores:
            old[record.trial_id] = (scores[LABELS[0]], scores[judge.name])
    if not old:
        problem = f"{path} has no labelled answer that {judge.name} judged."
        raise UserError(problem, "Label some first: niah judge audit RUN --sample 50, then --labels FILE.")
    judge.check()
    answers = [record for record in run.records if record.trial_id in old]

    async def again() -> list[Verdict | Failure]:
        async with judge:
            return [await judge.judge(one.answer, run.samples[one.case_id].key) for one in answers]

    verdicts = run_to_end(again())
    kept = [
        (*old[one.trial_id], made.score)
        for one, made in zip(answers, verdicts, strict=True)
        if isinstance(made, Verdict)
    ]
    labels, before, now = (list(side) for side in zip(*kept, strict=True)) if kept else ([], [], [])
    lost, won, p = drift(before, now, labels)
    said = "has drifted" if p < 0.05 else "shows no drift"
    return (
        f"{judge.name} {said}: of {len(kept)} labelled answers {lost} were right and are not any more,"
        f" {won} the other way (McNemar's exact test, p = {p:.2g})"
    )
