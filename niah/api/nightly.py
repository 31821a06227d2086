"""One night: ask what the run config says, compare it with the last accepted nights, come to one verdict.

A regression stays one every night until it is mended or accepted, since the night in which it began is no
reference. A whole night is accepted by itself where nothing got worse than the last accepted one; or where
no accepted night compares with it, since it is the first, or the first of which something else is asked;
unless a regression is open, which would be lost with the level that it is one against.
Every other night waits for a person: a regression, and one of which too much is missing to say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.compare import Comparison, Limits, VerdictKind, compare_pairs
from niah.analysis.nights import (
    NightStanding,
    NightVerdict,
    RedNights,
    assess_night,
    history_table,
    open_regression,
)
from niah.analysis.pairs import pair
from niah.analysis.table import Table
from niah.api.compare import MOST_NIGHTS, comparable_pairs
from niah.api.judge import drift_of_labelled
from niah.api.outcome import fault_lines
from niah.api.report import run_path
from niah.api.resolve import AskedRun
from niah.api.run import Say, conduct_asked
from niah.errors import RunFileError, UserError, did_you_mean
from niah.files import check_folder
from niah.runs.execution.run import RunResult
from niah.runs.file.nights import (
    PATTERN,
    Night,
    NightEntry,
    NightRecord,
    Skipped,
    accepted_nights,
    night_before,
    night_of,
    nights,
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
"""The mean of five has a variance of a fifth of one night's; more bring little beside tonight's own."""


@dataclass(frozen=True)
class NightlyResult:
    """What came of a night.

    Attributes:
        run: what the run file holds afterwards.
        verdict: None where the run was stopped: nothing can be said of a part.
    """

    run: RunResult
    verdict: NightVerdict | None


@dataclass(frozen=True)
class _Earlier:
    """What tonight may be compared with.

    Attributes:
        night: the latest accepted whole night, or where there is none the latest; None in the first one.
        is_accepted: whether it is accepted and whole.
        accepted_are_gone: whether there were accepted nights, and their run files are gone.
        baseline: the run that the user named.
        record: which nights are accepted.
    """

    night: Night | None
    is_accepted: bool
    accepted_are_gone: bool
    baseline: Path | None
    record: NightRecord


def run_night(
    asked: AskedRun,
    tonight: date,
    say: Say,
    *,
    baseline: Path | None = None,
    limits: Limits | None = None,
    common: bool = False,
) -> NightlyResult:
    """Run a config for one night, and compare it with the last accepted nights and with a baseline.

    The same night again goes on where it was stopped.

    Args:
        asked: the run of that date; nights before it are looked for in its run file's folder.
        tonight: the night's date.
        say: is called with what the user should know meanwhile, one line each.
        baseline: the run file of a run to compare with as well.
        limits: the level of the night, whatever it is compared with, and when there is too little to say.
        common: where tonight and an earlier run differ, compare what they have in common.

    Raises UserError, before anything is asked, for mistakes in the config and for a baseline that cannot be
    read.
    """
    for folder in (asked.path.parent, record_folder(asked.path.parent), asked.figures):
        check_folder(folder)
    earlier = _earlier_runs(asked.config.name, asked.path, tonight, baseline, say)
    run = conduct_asked(asked, say)
    if run.stopped or run.ledger.stopped:
        return NightlyResult(run, None)
    comparisons, hindrances, before = _compare_night(earlier, asked.path, tonight, limits or Limits(), common)
    anchors = asked.config.seeds.anchor
    verdict = assess_night(str(tonight), run.records, before, anchors, comparisons, hindrances)
    accepted = accepted_nights(asked.path.parent, asked.config.name, tonight, _REFERENCE_NIGHTS)
    drift = drift_of_labelled([night.path for night in accepted], asked.config.judge)
    unanswered = tuple(fault_lines(run.records, run.stopped_readers))
    verdict = replace(verdict, unanswered=unanswered, drift=drift)
    return NightlyResult(run, _accept_or_not(verdict, earlier, tonight, read_run(asked.path)))


def _earlier_runs(name: str, path: Path, tonight: date, baseline: Path | None, say: Say) -> _Earlier:
    """What there is to compare with tonight, which will be ``path``, of the run called ``name``.

    ``say`` hears of each earlier night that cannot be used, and where no accepted one is left.
    """
    folder, record = path.parent, read_night_record(path.parent, name)
    if baseline and baseline.resolve() == path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    if baseline:
        read_run(baseline)
    if not folder.is_dir():
        return _Earlier(None, False, False, baseline, record)

    def skip(skipped: Skipped) -> None:
        has_path = str(skipped.path) in skipped.reason
        say(skipped.reason if has_path else f"{skipped.path}: {skipped.reason}")

    last = night_before(folder, name, tonight, skip)
    accepted, whole = (
        next(iter(whole_nights_before(folder, name, tonight, 1, among)), None)
        for among in (record.accepts, lambda day: True)
    )
    chosen = next((night_of(run.path) for run in (accepted, whole) if run), last)
    gone = accepted is None and whole is not None and any(map(record.accepts, record.nights))
    if gone and chosen:
        left = f"the run file of no accepted night is left in {folder}"
        say(f"{left}: tonight is compared with {chosen.date}, which is not accepted.")
    return _Earlier(chosen, accepted is not None, gone, baseline, record)


def _compare_night(
    earlier: _Earlier, path: Path, tonight: date, limits: Limits, common: bool
) -> tuple[dict[str, Comparison], dict[str, str], DataFrame | tuple[()]]:
    """Tonight's comparisons by what it is compared with, what hinders others, and earlier trials."""
    run, night = read_run(path), earlier.night
    sides: list[tuple[str, list[Path]]] = []
    if night and not (earlier.baseline and night.path.resolve() == earlier.baseline.resolve()):
        role, older = "last night", list[RunContents]()
        if earlier.is_accepted:  # accepted nights before it too, for a suite that went back to what it was
            role, place = "the last accepted night", (path.parent, night.name, night.date, MOST_NIGHTS)
            older = whole_nights_before(*place, earlier.record.accepts)
        sides.append((role, [night.path, *(each.path for each in older)]))
    if earlier.baseline:
        sides.append((_BASELINE, [earlier.baseline]))
    name = night.name if night else earlier.record.path.stem
    accepted = accepted_nights(path.parent, name, tonight, MOST_NIGHTS)
    own = replace(limits, alpha=limits.alpha / max(len(sides), 1))
    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    before: DataFrame | tuple[()] = ()
    for role, paths in sides:
        try:
            reference, pairs, notes = _first_comparable(paths, run, common)
        except RunFileError as error:  # of another config, say: the night is run, and only this is lost
            hindrances[role] = str(error)
            continue
        alike = [each for each in accepted if _alike(each, reference)]
        is_night = role != _BASELINE and earlier.is_accepted
        others = [each for each in alike if each.path != reference.path and is_night][: _REFERENCE_NIGHTS - 1]
        if others:
            role = f"the mean of the last {len(others) + 1} accepted nights"
        comparisons[role] = compare_pairs(
            pairs,
            names=(str(reference.path), str(path)),
            limits=own,
            notes=notes,
            reference=[each.trials for each in others],
            history=[each.trials for each in alike],
        )
        before = reference.trials
    return comparisons, hindrances, before


def _first_comparable(paths: Sequence[Path], run: RunContents, common: bool):  # type: ignore[no-untyped-def]
    """The first run that compares with tonight's, the pairs, and notes. Raises RunFileError of the first."""
    first: RunFileError | None = None
    for path in paths:
        try:
            reference = read_run(path)
            return reference, *comparable_pairs(reference, run, common=common)
        except RunFileError as error:
            first = first or error
    assert first is not None
    raise first


def _alike(run: RunContents, reference: RunContents) -> bool:
    """Whether a night was asked and judged as the reference was."""
    versions = [set(side.trials["judge_version"]) - {""} for side in (run, reference)]
    shared = pair(reference.trials, run.trials)
    ids = [side["trial_id"].tolist() for side in (shared.baseline, shared.candidate)]
    return run.judge == reference.judge and versions[0] == versions[1] and ids[0] == ids[1] and bool(ids[0])


def _accept_or_not(verdict: NightVerdict, earlier: _Earlier, tonight: date, run: RunContents) -> NightVerdict:
    """Record what a night came to; its verdict with what it is for the nights after it."""
    night = night_of(run.path)
    if night is None or night.name != earlier.record.path.stem:  # a run file of the caller's own naming
        return verdict
    record, known = earlier.record, earlier.record.nights.get(tonight)
    by_hand = known is not None and known.accepted == "by hand"
    red = open_regression(record, tonight)
    accepted = by_hand or _accepts_itself(verdict, earlier, run, red)
    entry = NightEntry(
        verdict=verdict.kind,
        compared_with=next((Path(each.baseline).stem for each in verdict.comparisons.values()), None),
        accepted="by hand" if by_hand else "by itself" if accepted else None,
        worse=tuple(row.parts for each in verdict.comparisons.values() for row in each.verdict.regressions),
        page=_page_until_written(known, verdict.kind),
    )
    record_night(run.path.parent, night.name, tonight, entry)
    before = earlier.night.date if earlier.night else date.min
    since = next((day for day in record.regressions if before < day < tonight), tonight)
    tells = verdict.kind == "regression" or (red is not None and red.is_compared_by(entry))
    standing = NightStanding(
        night=run.name,
        accepted=accepted,
        next_reference=run.name if accepted else earlier.night.path.stem if earlier.night else None,
        since=since if verdict.kind == "regression" else None,
        still_open=red if red and not by_hand and not tells else None,
    )
    return replace(verdict, standing=standing)


def _page_until_written(known: NightEntry | None, kind: VerdictKind) -> str | None:
    """The page that a night has until its report is written again; under another verdict its top."""
    if known is None:
        return None
    return known.page if known.verdict == kind else known.page_file


def _accepts_itself(
    verdict: NightVerdict, earlier: _Earlier, run: RunContents, red: RedNights | None
) -> bool:
    """Whether a night is accepted for what it came to."""
    if not _is_reference(run) or verdict.kind == "regression":
        return False
    own = [each for role, each in verdict.comparisons.items() if role != _BASELINE]
    if not own and red:
        return False
    if not own or not (earlier.is_accepted or earlier.accepted_are_gone):
        return True
    return not earlier.accepted_are_gone and all(each.verdict.kind == "no regression" for each in own)


def _is_reference(run: RunContents) -> bool:
    """Whether all trials of a night were run, and some have a score."""
    return run.whole and any(record.outcome == "scored" for record in run.records)


def note_page(path: Path, page: Path, fragment: str = "") -> None:
    """Put the page of the night in the run file ``path`` into the record, which has that night already.

    ``fragment`` is where on the page what got worse is seen: "#trial=...".
    """
    if (night := night_of(path)) is None:
        return
    record = read_night_record(path.parent, night.name)
    seen_from = Path(os.path.relpath(page, record.path.parent)).as_posix()
    entry = record.nights[night.date].model_copy(update={"page": f"{seen_from}{fragment}"})
    record_night(path.parent, night.name, night.date, entry)


@dataclass(frozen=True)
class AcceptedNight:
    """A night that a person accepted.

    Attributes:
        night: which it is.
        record: the file with the run's nights.
        later: the latest night after it that is accepted, and is what comes next is compared with.
        already: whether it was accepted before, by hand or by itself.
    """

    night: Night
    record: Path
    later: date | None
    already: bool


def accept_night(named: str, folder: Path = Path("runs")) -> AcceptedNight:
    """Accept a night by hand: those after it are compared with it, whatever it came to.

    ``named`` is a run file, its name in ``folder``, or a date that one night there has. Raises UserError
    where that is no night, or one that nothing can be compared with.
    """
    night = _night_named(named, folder)
    run = read_run(night.path)
    if missing := sum(record.outcome == "not_run" for record in run.records):
        problem = f"{night.path} has not run {missing:,} of its {len(run.records):,} trials"
        remedy = f"niah nightly with --date {night.date} runs the rest."
        raise UserError(f"{problem}, and nights are compared with whole ones alone.", remedy)
    if not _is_reference(run):
        raise UserError(f"{night.path} has no score that a later night could be compared with.")
    place = night.path.parent, night.name
    known = read_night_record(*place).nights.get(night.date, NightEntry())
    record_night(*place, night.date, known.model_copy(update={"accepted": "by hand"}))
    record = read_night_record(*place)
    later = [day for day, each in record.nights.items() if each.accepted and day > night.date]
    return AcceptedNight(night, record.path, max(later, default=None), known.accepted is not None)


def _night_named(named: str, folder: Path) -> Night:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", named, re.ASCII):
        path = run_path(named)
        try:
            night = night_of(path)
        except ValueError:
            night = None
        if night is None:
            raise UserError(f"{path} is no night: nights are called {PATTERN}.", "Name a night, or its date.")
        return night
    every = nights(folder)
    found = [night for night in every if str(night.date) == named]
    if len(found) > 1:
        names = ", ".join(night.path.stem for night in found)
        raise UserError(f"{folder} holds {len(found)} nights of {named}: {names}.", "Name one of them.")
    if not found:
        last = f"The last is {every[-1].path.stem}." if every else "There is none at all."
        raise UserError(f"{folder} holds no night of {named}.", last)
    return found[0]


@dataclass(frozen=True)
class History:
    """The nights of a folder.

    Attributes:
        table: one row per night, model and strategy.
        skipped: files that are called like nights and cannot be used.
        records: by run, which nights were regressions and which are accepted.
    """

    table: Table
    skipped: tuple[Skipped, ...]
    records: dict[str, NightRecord]


def read_history(folder: Path, name: str | None = None) -> History:
    """The nights in ``folder``, not searched any deeper, of one run or of all; only anchor cases count.

    Raises UserError where there is no night that can be read, and ConfigError for a record of nights that is
    not as it should be.
    """
    skipped: list[Skipped] = []
    read: list[tuple[Night, RunContents]] = []
    for night in nights(folder, name, skipped.append):
        try:
            read.append((night, read_run(night.path)))
        except RunFileError as error:
            skipped.append(Skipped(night.path, error.message))
    if not read:
        of = f" of {name!r}" if name else ""
        if skipped:
            problem = f"{skipped[0].path.name}: {skipped[0].reason}"
            raise UserError(f"{folder} holds no night{of} that can be read: {problem}")
        known = {night.name for night in nights(folder)}
        pattern = f"The run file of a night is called {PATTERN}."
        remedy = did_you_mean(name, known) if name and known else pattern
        raise UserError(f"{folder} holds no nights{of}.", remedy)
    records = {run: read_night_record(folder, run) for run in {night.name for night, _ in read}}
    return History(history_table(read, records), tuple(skipped), records)
