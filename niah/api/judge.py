"""``niah.judge``; and stored answers: judged again, or labelled by people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from niah.api.cases import OpenedCase
from niah.api.report import check_has_trials
from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.errors import UserError
from niah.event_loop import run_to_end
from niah.files import check_folder, telling_of_files
from niah.judges.audit import LABELS, draw, drift, read_labels, write_sheet
from niah.judges.registry import Judge, check_suited, resolve_judge
from niah.judges.verdict import Verdict
from niah.readers.dialect import not_taken_line
from niah.readers.reader import Failure
from niah.runs.cost.prices import prices_of, stored_prices
from niah.runs.execution.judging import rejudge, unjudged
from niah.runs.file.read import RunContents, read_run
from niah.runs.file.store import JudgedAnswer, open_for_writing
from niah.runs.trial import rows_of

Advances = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Opens a progress display for so many answers; what it yields is called after each."""


@telling_of_files()
def judge(
    answer: str, question: str | Path | OpenedCase | AnswerKey, judge: str = "rubric", *, seed: int = 1
) -> Verdict:
    """The verdict on an answer: score, elements found, missing and wrong. Raises UserError.

    ``question`` is a needle set by name or path, whose facts ``seed`` draws, or one of ``niah.cases``, or an
    answer key; ``judge`` is "rubric", a metric, any model, or "rubric+openai/gpt-4o-mini".
    """
    if not isinstance(answer, str) or not isinstance(question, str | Path | OpenedCase | AnswerKey):
        problem = f"the arguments answer and question are {answer!r} and {question!r}."
        raise UserError(problem, "Give a text, and name a needle set or give one of niah.cases.")
    named = key_of(str(question), seed) if isinstance(question, str | Path) else question
    key = named.sample.key if isinstance(named, OpenedCase) else named
    chosen = resolve_judge(judge)
    chosen.check()
    check_suited(chosen, [key])
    (found,) = _judged(chosen, [(answer, key)])
    if isinstance(found, Failure):
        raise UserError(f"{chosen.name} gave no verdict: {found.reason.rstrip('.')}.", "Ask again.")
    return found


def _judged(judge: Judge, answers: Iterable[tuple[str, AnswerKey]]) -> list[Verdict | Failure]:
    async def verdicts() -> list[Verdict | Failure]:
        async with judge:
            return [await judge.judge(answer, key) for answer, key in answers]

    return run_to_end(verdicts())


def judge_run(
    path: Path,
    judge: Judge,
    *,
    limit: int | None = None,
    primary: bool = False,
    progress: Advances = lambda total: nullcontext(lambda: None),
    say: Callable[[str], None] = lambda line: None,
) -> tuple[RunContents, int, list[Failure]]:
    """Judge the answers of a run file that lack a verdict of this judge, each stored at once; ask no reader.

    Returns what the file holds afterwards, how many answers the judge was asked about, and the failures.
    With ``primary`` this judge's score is the score of a trial from now on. Raises UserError.
    """
    check_has_trials(planned := read_run(path))
    keys = list(dict.fromkeys(each.key for each in planned.samples.values()))
    if all(map(judge.unsuited, keys)):
        check_suited(judge, keys)
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
            store.note("primary", judge.name)
    return read_run(path), len(todo), failures


def write_label_sheet(path: Path, n: int, sheet: Path, seed: int = 1) -> int:
    """Write ``n`` answers to label, drawn from every score, model and doubt; how many. Raises UserError."""
    check_has_trials(run := read_run(path))
    if sheet.exists():
        raise UserError(f"{sheet} is there already.", "Move it away, or name another with --out.")
    scored = rows_of(run.trials[run.trials["outcome"] == "scored"])
    if not scored:
        raise UserError(f"{path} holds no scored trial: there is nothing to label.", "Run it first.")
    check_folder(sheet.parent)
    drawn = draw(scored, n, lambda one: (one.score, one.unsure is None, one.reader), seed)
    rows = ((one, run.samples[one.case_id].key) for one in drawn)
    write_sheet(sheet, [(one.trial_id, key.question, key.answer, one.answer) for one, key in rows])
    return len(drawn)


def store_labels(path: Path, labels: Path) -> RunContents:
    """Store labels of people as verdicts of label_1 and label_2; the run. Raises ConfigError for a row."""
    check_has_trials(run := read_run(path))
    said = read_labels(labels, {*run.trials.loc[run.trials["outcome"] == "scored", "trial_id"]})
    why = f"labelled in {labels.name}"
    with open_for_writing(path) as store:
        store.add_verdicts(
            JudgedAnswer(
                one.trial_id,
                Verdict(score, (), (), (), False, person, "1", why),
                one.answer,
                run.samples[one.case_id].key,
            )
            for one in rows_of(run.trials[run.trials["trial_id"].isin(said.keys())])
            for person, score in zip(LABELS, said[one.trial_id], strict=False)
        )
    return read_run(path)


def drift_of_labelled(runs: Iterable[RunContents], judge: Judge) -> str:
    """One line: how a judge judges the labelled answers of the first run with any, now and then; or ""."""
    for run in runs:
        trials = run.trials
        scores = trials["judge_scores"].map(lambda scores: scores or {})
        trials = trials[scores.map(lambda scores: {LABELS[0], judge.name} <= scores.keys())]
        if len(trials):
            break
    else:
        return ""
    judge.check()
    answers = zip(trials["answer"], trials["case_id"], strict=True)
    verdicts = _judged(judge, ((answer, run.samples[case_id].key) for answer, case_id in answers))
    told = [
        (score[judge.name], made.score, score[LABELS[0]])
        for score, made in zip(scores[trials.index], verdicts, strict=True)
        if isinstance(made, Verdict)
    ]
    lost, won, p = drift(*zip(*told, strict=True)) if told else (0, 0, 1.0)
    then, today = (sum(row[side] == row[2] for row in told) for side in (0, 1))
    said = "has drifted" if p < 0.05 else "shows no drift"
    return (
        f"{judge.name} {said}: {today} of {len(told)} labelled answers as labelled, {then} before;"
        f" {lost} lost, {won} won (McNemar's exact test, p = {p:.2g})"
    )
