"""A run as another judge scored it, whose verdicts the run file holds beside those that count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from niah.errors import RunFileError
from niah.judges.error_types import ErrorReading
from niah.runs.file.read_model import RunContents, read_run


def read_scored_by(path: Path, judge: str, errors: ErrorReading = "niah") -> RunContents:
    """As ``read_run``, the scores being those of ``judge``; answers that it has not judged are not there.

    Raises RunFileError, also where it judged none.
    """
    run = read_run(path, errors, judge)
    if not any(record.outcome == "scored" for record in run.records):
        others = sorted({name for record in run.records for name in record.judge_scores or ()})
        held = f" It has those of {', '.join(others)}." if others else ""
        remedy = f"niah judge {path} --judge {judge} adds them, and asks no reader.{held}"
        raise RunFileError(f"{path} holds no verdict of {judge}.", remedy)
    kept = tuple(each for each in run.records if each.outcome != "judge_error" or not each.verdicts)
    return replace(run, records=kept, scored_by=judge)
