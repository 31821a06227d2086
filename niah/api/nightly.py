"""One night: ask what the run config says, compare it with the last accepted nights, come to one verdict.

A regression stays one every night until it is mended or accepted, since the nights that are worse are no
reference. A whole night is accepted by itself where nothing got worse than the last accepted one, or where no
accepted night compares with it, unless a regression is open. Every other night waits for a person.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path

from niah.analysis.compare import Limits
from niah.analysis.nights import (
    BASELINE,
    REFERENCE_NIGHTS,
    NightStanding,
    NightVerdict,
    assess_night,
    open_regression,
)
from niah.api.compare import MOST_NIGHTS
from niah.api.judge import drift_of_labelled
from niah.api.request import AskedRun
from niah.api.run import execute, fault_lines
from niah.errors import RunFileError, Say
from niah.files import check_folder
from niah.runs.execution.run import RunResult
from niah.runs.file.nights import NightEntry, night_of, read_night_record
from niah.runs.file.read import RunContents, read_run


def run_night(
    asked: AskedRun, tonight: date, say: Say, *, baseline: Path | None, limits: Limits, common: bool
) -> tuple[RunResult, NightVerdict | None]:
    """Run a config for one night, and compare it with the accepted nights of its folder and with a baseline.
    A part of a night has no verdict. Raises UserError for mistakes, before anything is asked."""
    folder, name = asked.path.parent, asked.config.path.stem
    for each in (folder, read_night_record(folder, name).path.parent, asked.figures):
        check_folder(each)
    if baseline and baseline.resolve() == asked.path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    other = read_run(baseline) if baseline else None
    result = execute(asked, say)
    if result.stopped or result.ledger.stopped or result.waiting[0]:
        return result, None

    run, record = read_run(asked.path), read_night_record(folder, name)
    accepted = record.latest_before(tonight, MOST_NIGHTS, record.accepts, say)
    earlier = accepted or record.latest_before(tonight, 1) or record.latest_before(tonight, 1, whole=False)
    are_gone = not accepted and any(record.accepts(day) for day in record.nights if day < tonight)
    if are_gone:
        say(f"the run file of no accepted night is left in {folder}: no night is accepted by itself.")
    level = [each for each in accepted if _date_of(each) >= record.level_since(tonight)]
    # Accepted nights before the last one too, for a suite that went back to what it was.
    is_last = bool(other and earlier and other.path.resolve() == earlier[0].path.resolve())
    last_role = "the last accepted night" if accepted else "last night"
    sides = {last_role: earlier} if earlier and not is_last else {}
    sides |= {BASELINE: [other]} if other else {}
    verdict = replace(
        assess_night(str(tonight), run, sides, level, asked.config.anchors, limits, common=common),
        unanswered=tuple(fault_lines(run.trials, result.stopped_readers)),
        drift=drift_of_labelled(level[:REFERENCE_NIGHTS], asked.config.judge),
    )
    kinds = {each.verdict.kind for role, each in verdict.comparisons.items() if is_last or role != BASELINE}
    red = open_regression(record, tonight)
    is_level = kinds == {"no regression"} if kinds else not red
    by_itself = run.whole and run.is_scored and verdict.kind != "regression" and is_level and not are_gone
    by_hand = record.nights.get(tonight, NightEntry()).accepted == "by hand"
    compared = verdict.comparisons.values()
    entry = NightEntry(
        verdict=verdict.kind,
        compared_with=next((Path(each.baseline).stem for each in compared), None),
        accepted="by hand" if by_hand else "by itself" if by_itself else None,
        worse=tuple(row.parts for each in compared for row in each.verdict.regressions),
        page=Path(os.path.relpath(asked.figures / "index.html", record.path.parent)).as_posix(),
    )
    read_night_record(folder, name).add(tonight, entry)  # as it is by now
    last, tonights = next(iter(earlier), None), asked.path.stem
    before = _date_of(last) if last else date.min
    since = next((day for day in record.regressions if before < day < tonight), tonight)
    is_reported = by_hand or verdict.kind == "regression" or (red is not None and red.is_compared_by(entry))
    standing = NightStanding(
        night=tonights,
        accepted=entry.accepted is not None,
        next_reference=tonights if entry.accepted else last.name if last else None,
        since=since if verdict.kind == "regression" else None,
        still_open=None if is_reported else red,
    )
    return result, replace(verdict, standing=standing)


def _date_of(run: RunContents) -> date:
    night = night_of(run.path)
    return night.date if night else date.min
