"""One night: ask what the run config says, compare it with the last accepted nights, come to one verdict.

A regression stays one every night until it is mended or accepted, since the nights that are worse are no
reference. A whole night is accepted by itself where nothing got worse than the last accepted one, or where no
accepted night compares with it, unless a regression is open. Every other night waits for a person.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from niah.analysis.compare import Comparison, Limits, compare_pairs
from niah.analysis.nights import NightStanding, NightVerdict, assess_night, history_table, open_regression
from niah.analysis.pairs import pair
from niah.analysis.table import Table
from niah.api.compare import MOST_NIGHTS, comparable_pairs
from niah.api.judge import drift_of_labelled
from niah.api.report import run_path
from niah.api.request import AskedRun
from niah.api.run import Say, conduct, fault_lines
from niah.errors import RunFileError, UserError
from niah.files import check_folder
from niah.runs.execution.run import RunResult
from niah.runs.file.nights import (
    PATTERN,
    Night,
    NightEntry,
    NightRecord,
    Skipped,
    night_of,
    nights,
    open_night,
    read_night_record,
    record_folder,
    record_night,
    whole_nights_before,
)
from niah.runs.file.read import RunContents, read_run

if TYPE_CHECKING:
    from pandas import DataFrame

_BASELINE = "the baseline"
_REFERENCE_NIGHTS = 5
"""The mean of five has a variance of a fifth of one night's."""


class _Earlier(NamedTuple):
    """The nights before tonight, and the record of which are accepted."""

    record: NightRecord
    nights: list[RunContents]  # whole ones that are accepted, the latest first; without any, the latest
    are_accepted: bool
    level: list[RunContents]  # accepted ones since a person accepted one: with that a new level begins
    are_gone: bool  # nights were accepted, and their run files are gone


def run_night(
    asked: AskedRun,
    tonight: date,
    say: Say,
    *,
    baseline: Path | None = None,
    limits: Limits | None = None,
    common: bool = False,
) -> tuple[RunResult, NightVerdict | None]:
    """Run a config for one night, and compare it with the accepted nights of its folder and with a baseline.

    The same night again goes on where it was stopped; a part has no verdict. With ``common`` runs that differ
    are compared in what they share. Raises UserError for mistakes, before anything is asked.
    """
    folder, name = asked.path.parent, asked.config.name
    for each in (folder, record_folder(folder), asked.figures):
        check_folder(each)
    if baseline and baseline.resolve() == asked.path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    other = read_run(baseline) if baseline else None
    read_night_record(folder, name)
    result = conduct(asked, say)
    if result.stopped or result.ledger.stopped:
        return result, None
    run, earlier = read_run(asked.path), _earlier_nights(folder, name, tonight, say)
    comparisons, hindrances, before = _compared(earlier, other, run, limits or Limits(), common)
    anchors = asked.config.seeds.anchor
    verdict = assess_night(str(tonight), result.contents.trials, before, anchors, comparisons, hindrances)
    unanswered = tuple(fault_lines(result.contents.trials, result.stopped_readers))
    drift = drift_of_labelled(earlier.level[:_REFERENCE_NIGHTS], asked.config.judge)
    verdict = replace(verdict, unanswered=unanswered, drift=drift)
    return result, _recorded(verdict, earlier, tonight, run, asked)


def _earlier_nights(folder: Path, name: str, tonight: date, say: Say) -> _Earlier:
    """The nights before tonight; ``say`` hears of each that cannot be used."""
    record = read_night_record(folder, name)

    def skip(skipped: Skipped) -> None:
        say(f"{skipped.path.stem}: {skipped.reason}")

    earlier = (night for night in reversed(nights(folder, name)) if night.date < tonight)
    latest = next(filter(None, (open_night(night, skip) for night in earlier)), None)
    accepted = whole_nights_before(folder, name, tonight, MOST_NIGHTS, record.accepts)
    since = max((day for day in record.taken_by_hand if day < tonight), default=date.min)
    level = [run for run in accepted if _date_of(run) >= since]
    others = whole_nights_before(folder, name, tonight, 1) or ([latest] if latest else [])
    are_gone = bool(not accepted and others and any(map(record.accepts, record.nights)))
    if are_gone:
        left = f"the run file of no accepted night is left in {folder}"
        say(f"{left}: tonight is compared with {_date_of(others[0])}, which is not accepted.")
    return _Earlier(record, accepted or others, bool(accepted), level, are_gone)


def _date_of(run: RunContents) -> date:
    night = night_of(run.path)
    return night.date if night else date.min


def _compared(
    earlier: _Earlier, baseline: RunContents | None, run: RunContents, limits: Limits, common: bool
) -> tuple[dict[str, Comparison], dict[str, str], DataFrame | None]:
    """Tonight's comparisons by what it is compared with, what hinders others, and earlier trials."""
    sides: dict[str, Sequence[RunContents]] = {}
    if earlier.nights and not (baseline and earlier.nights[0].path.resolve() == baseline.path.resolve()):
        # Accepted nights before the last one too, for a suite that went back to what it was.
        sides["the last accepted night" if earlier.are_accepted else "last night"] = earlier.nights
    if baseline:
        sides[_BASELINE] = [baseline]
    limits = replace(limits, alpha=limits.alpha / max(len(sides), 1))
    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    before: DataFrame | None = None
    for role, candidates in sides.items():
        errors: list[str] = []
        for reference in candidates:
            try:
                pairs, notes = comparable_pairs(reference, run, common=common)
                break
            except RunFileError as error:
                errors.append(str(error))
        else:  # of another config, say: the night is run, and only this is lost
            hindrances[role] = errors[0]
            continue
        alike = [each for each in earlier.level if _alike(each, reference)]
        others = [each for each in alike if each.path != reference.path][: _REFERENCE_NIGHTS - 1]
        others = others if role != _BASELINE else []
        name = f"the mean of the last {len(others) + 1} accepted nights" if others else role
        comparisons[name] = compare_pairs(
            pairs,
            names=(str(reference.path), str(run.path)),
            limits=limits,
            notes=notes,
            reference=[each.trials for each in others],
            history=[each.trials for each in alike],
        )
        before = reference.trials
    return comparisons, hindrances, before


def _alike(run: RunContents, reference: RunContents) -> bool:
    """Whether a night was asked and judged as the reference was."""
    versions = [set(side.trials["judge_version"]) - {""} for side in (run, reference)]
    shared = pair(reference.trials, run.trials)
    ids = [side["trial_id"].tolist() for side in (shared.baseline, shared.candidate)]
    return run.judge == reference.judge and versions[0] == versions[1] and ids[0] == ids[1] and bool(ids[0])


def _recorded(
    verdict: NightVerdict, earlier: _Earlier, tonight: date, run: RunContents, asked: AskedRun
) -> NightVerdict:
    """Record what a night came to; its verdict with what it is for the nights after it."""
    record, known = earlier.record, earlier.record.nights.get(tonight)
    red, by_hand = open_regression(record, tonight), known is not None and known.accepted == "by hand"
    accepted = by_hand or _accepts_itself(verdict, earlier, run, is_red=red is not None)
    page = os.path.relpath(asked.figures / "index.html", record.path.parent)
    entry = NightEntry(
        verdict=verdict.kind,
        compared_with=next((Path(each.baseline).stem for each in verdict.comparisons.values()), None),
        accepted="by hand" if by_hand else "by itself" if accepted else None,
        worse=tuple(row.parts for each in verdict.comparisons.values() for row in each.verdict.regressions),
        page=Path(page).as_posix(),
    )
    record_night(run.path.parent, asked.config.name, tonight, entry)
    last = earlier.nights[0] if earlier.nights else None
    before = _date_of(last) if last else date.min
    since = next((day for day in record.regressions if before < day < tonight), tonight)
    tells = verdict.kind == "regression" or (red is not None and red.is_compared_by(entry))
    standing = NightStanding(
        night=run.name,
        accepted=accepted,
        next_reference=run.name if accepted else last.name if last else None,
        since=since if verdict.kind == "regression" else None,
        still_open=red if red and not by_hand and not tells else None,
    )
    return replace(verdict, standing=standing)


def _accepts_itself(verdict: NightVerdict, earlier: _Earlier, run: RunContents, *, is_red: bool) -> bool:
    """Whether a night is accepted for what it came to; ``is_red``: a regression is open."""
    if not run.whole or not run.is_scored or verdict.kind == "regression":
        return False
    kinds = {each.verdict.kind for role, each in verdict.comparisons.items() if role != _BASELINE}
    if not kinds:
        return not is_red
    return kinds == {"no regression"} if earlier.are_accepted else not earlier.are_gone


class AcceptedNight(NamedTuple):
    """A night that a person accepted."""

    night: Night
    record: Path  # the file with the run's nights
    later: date | None  # the latest night after it that is accepted, with which new ones are compared
    already: bool  # whether it was accepted before, by hand or by itself


def accept_night(named: str, folder: Path = Path("runs")) -> AcceptedNight:
    """Accept a night by hand: those after it are compared with it, whatever it came to. Raises UserError.

    ``named`` is a run file, its name in ``folder``, or a date that one night there has.
    """
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", named, re.ASCII):
        every = nights(folder)
        found = [night.path.stem for night in every if str(night.date) == named]
        if len(found) != 1:
            known = found or [night.path.stem for night in every[-1:]]
            remedy = f"Name one: {', '.join(known)}." if known else "There is none at all."
            raise UserError(f"{folder} holds {len(found) or 'no'} nights of {named}.", remedy)
        named = str(folder / f"{found[0]}.sqlite")
    path = run_path(named)
    if (night := night_of(path)) is None:
        raise UserError(f"{path} is no night: nights are called {PATTERN}.", "Name a night, or its date.")
    run = read_run(path)
    if not run.whole or not run.is_scored:
        remedy = f"niah nightly with --date {night.date} runs the rest."
        raise UserError(f"{path} has trials that are not run, or none that is scored.", remedy)
    record = read_night_record(path.parent, night.name)
    entry = record.nights.get(night.date, NightEntry())
    record_night(path.parent, night.name, night.date, entry.model_copy(update={"accepted": "by hand"}))
    later = [day for day, each in record.nights.items() if each.accepted and day > night.date]
    return AcceptedNight(night, record.path, max(later, default=None), entry.accepted is not None)


def read_history(
    folder: Path, name: str | None = None
) -> tuple[Table, list[Skipped], dict[str, NightRecord]]:
    """The nights in ``folder``, of one run or of all, as a table with a row per night, model and strategy.

    Only anchor cases count. Also the files that cannot be used, and the record of each run. Raises UserError.
    """
    skipped: list[Skipped] = []
    opened = ((night, open_night(night, skipped.append)) for night in nights(folder, name))
    read = [(night, run) for night, run in opened if run]
    if not read:
        why = f" ({skipped[0].path.name}: {skipped[0].reason.rstrip('.')})" if skipped else ""
        problem = f"{folder} holds no nights{f' of {name!r}' if name else ''} that can be read{why}."
        raise UserError(problem, f"The run file of a night is called {PATTERN}.")
    records = {run: read_night_record(folder, run) for run in {night.name for night, _ in read}}
    return history_table(read, records), skipped, records
