"""A run as another judge scored it, whose verdicts the run file holds beside those that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from niah.errors import RunFileError, UnknownName, UserError, did_you_mean
from niah.judges.error_types import ErrorReading
from niah.judges.registry import resolve_judge
from niah.runs.file.read_model import RunContents, read_run

_LISTED = " See: niah list judges."


def read_scored_by(path: Path, judge: str, errors: ErrorReading = "niah") -> RunContents:
    """As ``read_run``, the scores being those of ``judge``; answers that it has not judged are not there.

    Raises RunFileError, also where it judged none.
    """
    run = read_run(path, errors, judge)
    if not judge or not any(record.outcome == "scored" for record in run.records):
        held = {name for record in run.records for name in record.judge_scores or ()}
        raise _no_verdicts(path, judge, sorted(held))
    kept = tuple(each for each in run.records if each.outcome != "judge_error" or not each.verdicts)
    return replace(run, records=kept, scored_by=judge)


def _no_verdicts(path: Path, judge: str, held: Sequence[str]) -> RunFileError:
    """What to do where ``judge`` judged nothing: let it judge, or take one of those that did, ``held``."""
    has = f" It has those of {', '.join(held)}." if held else ""
    run_file = quote(str(path))
    problem = f"{path} holds no verdict of {judge or repr(judge)}"
    try:
        resolve_judge(judge)
    except UnknownName as unknown:
        meant = (did_you_mean(judge, held), unknown.remedy.removesuffix(_LISTED))
        near = next((each for each in meant if each.startswith("Did you mean")), "")
        instead = (
            near or f"Take {' or '.join(held) or 'a judge'}, or let another judge it: niah judge {run_file}."
        )
        return RunFileError(f"{problem}, and no judge is called that.{has}", f"{instead}{_LISTED}")
    except UserError:
        pass  # It is a judge: what it lacks, such as a key, is told by the command that asks it.
    return RunFileError(
        f"{problem}.{has}", f"niah judge {run_file} --judge {judge} adds them, and asks no reader."
    )
