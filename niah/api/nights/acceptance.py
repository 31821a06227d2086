"""Which nights are accepted: those that later nights are compared with.

A regression stays one every night until it is mended or accepted, since the night in which it began is no
reference. A whole night is accepted by itself where nothing got worse than the last accepted one; or where
no accepted night compares with it, since it is the first, or the first of which something else is asked;
unless a regression is open, which would be lost with the level that it is one against.
Every other night waits for a person: a regression, and one of which too much is missing to say.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from niah.analysis.compare import VerdictKind
from niah.analysis.nights import NightStanding, NightVerdict, RedNights, open_regression
from niah.api.nights.comparisons import BASELINE, EarlierRuns
from niah.api.run_files import run_path
from niah.errors import UserError
from niah.runs.file.night_record import NightEntry, NightRecord, read_night_record, record_night
from niah.runs.file.nights import Night, night_of, nights
from niah.runs.file.read_model import RunScores, read_scores

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True)
class AcceptedNight:
    """A night that a person accepted.

    Attributes:
        night: which it is.
        record: of the run's nights, as it is now.
        later: the latest night after it that is accepted, and is what comes next is compared with.
        already: whether it was accepted before, by hand or by itself.
    """

    night: Night
    record: NightRecord
    later: date | None
    already: bool


def accept_or_not(verdict: NightVerdict, earlier: EarlierRuns, tonight: date, run: RunScores) -> NightVerdict:
    """Record what a night came to; returns its verdict with what it is for the nights after it.

    Args:
        verdict: of tonight.
        earlier: what tonight was compared with.
        tonight: its date.
        run: what its run file holds.
    """
    night = night_of(run.path)
    if night is None or night.name != earlier.record.path.stem:  # a run file of the caller's own naming
        return verdict
    record, kept = earlier.record, earlier.record.nights.get(tonight)
    by_hand = kept is not None and kept.accepted == "by hand"
    open_ = open_regression(record, tonight)
    accepted = by_hand or _accepts_itself(verdict, earlier, run, open_)
    compared_with = next((Path(each.baseline).stem for each in verdict.comparisons.values()), None)
    entry = NightEntry(
        verdict=verdict.kind,
        compared_with=compared_with,
        accepted="by hand" if by_hand else "by itself" if accepted else None,
        worse=tuple(row.parts for each in verdict.comparisons.values() for row in each.verdict.regressions),
        page=_kept_page(kept, verdict.kind),
    )
    record_night(run.path.parent, night.name, tonight, entry)
    before = earlier.night.date if earlier.night else date.min
    since = next((day for day in record.regressions if before < day < tonight), tonight)
    return replace(
        verdict,
        standing=NightStanding(
            night=run.name,
            accepted=accepted,
            next_reference=run.name if accepted else earlier.night.path.stem if earlier.night else None,
            since=since if verdict.kind == "regression" else None,
            still_open=open_ if open_ and not by_hand and _is_untold(open_, verdict.kind, entry) else None,
        ),
    )


def _kept_page(kept: NightEntry | None, kind: VerdictKind) -> str | None:
    """The page that a night has until its report is written again; under another verdict its top."""
    if kept is None:
        return None
    return kept.page if kept.verdict == kind else kept.page_file


def _is_untold(red: RedNights, kind: VerdictKind, tonight: NightEntry) -> bool:
    """Whether tonight tells nothing of a regression, since it does not compare with what was before."""
    return kind != "regression" and not red.is_compared_by(tonight)


def _accepts_itself(
    verdict: NightVerdict, earlier: EarlierRuns, run: RunScores, red: RedNights | None
) -> bool:
    """Whether a night is accepted for what it came to."""
    if not _is_reference(run) or verdict.kind == "regression":
        return False
    own = [each for role, each in verdict.comparisons.items() if role != BASELINE]
    if not own and red:
        return False
    if not own or not (earlier.is_accepted or earlier.accepted_are_gone):
        return True
    return not earlier.accepted_are_gone and all(each.verdict.kind == "no regression" for each in own)


def _is_reference(run: RunScores) -> bool:
    """Whether all trials of a night were run, and some have a score."""
    return run.whole and any(record.outcome == "scored" for record in run.records)


def note_page(path: Path, page: Path, fragment: str = "") -> None:
    """Put the page of a night into the record, which has that night already.

    Args:
        path: of the night's run file.
        page: of its report.
        fragment: where on the page what got worse is seen: "#trial=...".
    """
    night = night_of(path)
    if night is None:
        return
    record = read_night_record(path.parent, night.name)
    seen_from = os.path.relpath(page, record.path.parent)
    entry = record.nights[night.date].model_copy(update={"page": f"{Path(seen_from).as_posix()}{fragment}"})
    record_night(path.parent, night.name, night.date, entry)


def accept_night(named: str, folder: Path = Path("runs")) -> AcceptedNight:
    """Accept a night by hand: those after it are compared with it, whatever it came to.

    Args:
        named: a run file, its name in ``folder``, or a date that one night there has.
        folder: where the nights are.

    Raises UserError where that is no night, or one that nothing can be compared with.
    """
    night = _night_named(named, folder)
    run = read_scores(night.path)
    missing = sum(record.outcome == "not_run" for record in run.records)
    if missing:
        raise UserError(
            f"{night.path} has not run {missing:,} of its {len(run.records):,} trials, and nights are"
            " compared with whole ones alone.",
            f"niah nightly with --date {night.date} runs the rest.",
        )
    if not _is_reference(run):
        raise UserError(f"{night.path} has no score that a later night could be compared with.")
    before = read_night_record(night.path.parent, night.name)
    known = before.nights.get(night.date, NightEntry())
    entry = known.model_copy(update={"accepted": "by hand"})
    record_night(night.path.parent, night.name, night.date, entry)
    record = read_night_record(night.path.parent, night.name)
    later = [day for day, each in record.nights.items() if each.accepted and day > night.date]
    return AcceptedNight(night, record, max(later, default=None), known.accepted is not None)


def _night_named(named: str, folder: Path) -> Night:
    if _DATE.fullmatch(named):
        return _night_of_date(named, folder)
    path = run_path(named)
    try:
        night = night_of(path)
    except ValueError:
        night = None
    if night is None:
        raise UserError(
            f"{path} is no night: nights are called NAME-YYYY-MM-DD.sqlite.",
            "Name a night, or its date.",
        )
    return night


def _night_of_date(named: str, folder: Path) -> Night:
    try:
        day = date.fromisoformat(named)
    except ValueError:
        raise UserError(f"{named} is not in the calendar.", "Write a date as 2026-11-22.") from None
    every = nights(folder)
    found = [night for night in every if night.date == day]
    if len(found) > 1:
        names = ", ".join(night.path.stem for night in found)
        raise UserError(f"{folder} holds {len(found)} nights of {named}: {names}.", "Name one of them.")
    if not found:
        last = f"The last is {every[-1].path.stem}." if every else "There is none at all."
        raise UserError(f"{folder} holds no night of {named}.", last)
    return found[0]
