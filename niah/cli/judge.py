"""``niah judge``: a run's answers judged again, and answers labelled by people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from niah.cli.options import A_FILE, COUNT, RUN, RunCommand, completes
from niah.cli.terminal import say
from niah.errors import UserError, counted
from niah.files import check_folder, check_free


@click.command("audit", cls=RunCommand)
@click.argument("run", metavar="RUN", **RUN)
@click.option("--sample", type=COUNT, help="Write so many answers to label, such as 50, to RUN.labels.csv.")
@click.option("--labels", type=A_FILE, help="Read such a file, filled in by one or two people.")
def audit_command(run: Path, sample: int | None, labels: Path | None) -> None:
    """Check the judge of RUN against people: label some answers, and the report corrects its means by them.

    niah judge audit RUN --sample 50 writes the answers, --labels FILE reads the labels: agreement, Cohen's
    kappa, Krippendorff's alpha, and every mean corrected by prediction-powered inference.
    """
    if (sample is None) == (labels is None):
        raise UserError("--sample or --labels: give one.", "Begin with --sample 50.")
    from niah.judges.audit import LABELS, draw, read_labels, write_sheet
    from niah.runs.file.read import check_has_trials, read_run
    from niah.runs.trial import rows_of

    check_has_trials(contents := read_run(run), scored=True)
    answers = rows_of(contents.trials[contents.trials["outcome"] == "scored"])
    if sample is not None:
        sheet = run.with_suffix(".labels.csv")
        check_free(sheet)
        check_folder(sheet.parent)
        drawn = draw(answers, sample, lambda one: (one.score, one.unsure is None, one.reader))
        rows = ((one, contents.samples[one.case_id].key) for one in drawn)
        write_sheet(sheet, [(one.trial_id, key.question, key.answer, one.answer) for one, key in rows])
        to_do = "Write 1, 3, 5, 7 or 10 in label_1, a second person in label_2."
        click.echo(f"{sheet}: {len(drawn)} answers. {to_do}\nnext: niah judge audit {run} --labels {sheet}")
        return
    from niah.analysis.frame import run_frame
    from niah.analysis.tables import make_table
    from niah.judges.verdict import Verdict
    from niah.plots.tables import print_table
    from niah.runs.file.store import open_for_writing

    assert labels is not None
    said, why = read_labels(labels, {one.trial_id for one in answers}), f"labelled in {labels.name}"
    labelled = []
    for one in answers:
        key = contents.samples[one.case_id].key
        for person, score in zip(LABELS, said.get(one.trial_id, ()), strict=False):
            verdict = Verdict(score, (), (), (), False, person, "1", why)
            labelled.append((one.trial_id, verdict, one.answer, key))
    now = {(trial_id, verdict.judge) for trial_id, verdict, *_ in labelled}
    there = {(one.trial_id, each.judge) for one in answers for each in one.verdicts if each.judge in LABELS}
    if earlier := len(there - now):
        say(f"{counted(earlier, 'label')} of earlier files count too.")
    with open_for_writing(run) as store:
        store.add_verdicts(labelled)
    frame = run_frame(read_run(run))
    for name in ("judge-agreement", "label-confusion", "corrected-means"):
        if (table := make_table(name, frame)).rows:
            print_table(table)


@click.command(cls=RunCommand, others={"audit": audit_command})
@click.argument("run", metavar="RUN", **RUN)
@click.option(
    "--judge", required=True, shell_complete=completes("judges"), help="rubric, auto, a metric or a model."
)
@click.option("--api-base", metavar="URL", help="Address of a server that has the judge.")
@click.option("--concurrency", type=COUNT, help="How many answers the judge may get at once; 8 without it.")
@click.option("--votes", type=click.IntRange(1, 9), default=1, help="How many verdicts of a model make one.")
@click.option("--limit", type=COUNT, help="Judge at most this many answers now.")
@click.option("--primary", is_flag=True, help="Once it has judged all answers, its score is a trial's score.")
def judge_command(
    run: Path, judge: str, api_base: str | None, limit: int | None, primary: bool, **of_judge: Any
) -> int:
    """Judge the answers of RUN (a name or a run file) again; no model is asked for answers.

    The run file holds the verdicts of all judges. Stop it at any time: verdicts are stored, and the same
    command goes on. Where some answers got no verdict it ends with exit code 3.
    """
    from niah.judges.registry import resolve_judge, rules_and_model

    if (api_base or of_judge["votes"] > 1) and not rules_and_model(judge)[1]:
        problem = f"{'--api-base' if api_base else '--votes'}: the judge {judge} asks no model."
        raise UserError(problem, "Leave it out, or name a model.")
    chosen = resolve_judge(judge, api_base=api_base, by_hand=True, **of_judge)
    from niah.analysis.causes import with_causes
    from niah.analysis.frame import run_frame
    from niah.analysis.summary import summary
    from niah.analysis.tables import make_table
    from niah.api.judge import judge_run
    from niah.api.run import UNFINISHED, most_often
    from niah.plots.tables import print_table
    from niah.plots.terminal import print_summary

    contents, asked, failures = judge_run(run, chosen, limit=limit, primary=primary, say=say)
    frame = with_causes(run_frame(contents), contents.samples)
    print_summary(summary(frame))
    if (table := make_table("judge-agreement", frame)).rows:
        print_table(table)
    say(f"{counted(asked - len(failures), 'new verdict')} of {judge}.")
    if not failures:
        return 0
    none = f"{counted(len(failures), 'answer')} got none{most_often(each.reason for each in failures)}."
    again = "The same command asks again; " if chosen.needs_model else ""  # rules would fail alike again
    say(f"{none} {again}--judge auto judges every answer by rules.")
    return UNFINISHED
