"""Stored answers before another judge, metrics over them, and audits of judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from niah.api.run_files import check_has_trials
from niah.cases.samples import key_of
from niah.errors import UserError
from niah.event_loop import run_to_end
from niah.files import check_folder
from niah.judges.audit.probes import build_probes, draw_probes
from niah.judges.audit.report import AuditReport, audit_file, audit_judge, audit_warning, keep_audit
from niah.judges.judge import Judge
from niah.judges.metrics.metric import Metric
from niah.judges.registry import check_suited
from niah.readers.http.dialect import not_taken_line
from niah.readers.reader import Failure
from niah.runs.cost.prices.model_prices import prices_of
from niah.runs.cost.prices.own_prices import stored_prices
from niah.runs.execution.judging import rejudge, unjudged
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.file.store import open_for_writing

Advances = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Opens a progress display for so many answers; what it yields is called after each."""

FEWEST_KEPT = 50
"""Answers of an audit that counts: a handful tells nothing of a judge, good or bad."""


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
        say: is called with a warning of a judge that failed its audit.

    Raises UserError where the file holds no trials, or the judge can judge none of its questions.
    """
    check_has_trials(planned := read_run(path), str(path))
    _check_suited(judge, planned)
    judge.check()
    if warning := audit_warning(judge):
        say(warning)
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


def run_audit(
    judge: Judge,
    needle_sets: Sequence[str],
    *,
    seed: int = 1,
    limit: int | None = None,
    progress: Advances = _no_progress,
) -> AuditReport:
    """Put answers with known verdicts, hostile ones among them, to a judge.

    The outcome is kept, unless it is of fewer than ``FEWEST_KEPT`` answers: a judge that failed is warned of
    where it is used.

    Args:
        judge: not open yet.
        needle_sets: names or paths of those that the answers are built from.
        seed: another one gives other answers.
        limit: at most so many answers; every type keeps its share.
        progress: shows how far it is.

    Raises UnknownName, ConfigError or ReaderConfigError before any work.
    """
    judge.check()
    file = audit_file(judge)
    check_folder(file.parent)
    probes = [probe for name in needle_sets for probe in build_probes(key_of(name, seed), seed)]
    if limit is not None:
        probes = list(draw_probes(probes, limit, seed))
    with progress(len(probes)) as advance:
        report = run_to_end(audit_judge(judge, probes, seed, advance))
    if report.figures.answers >= FEWEST_KEPT:
        keep_audit(report, file)
    return report
