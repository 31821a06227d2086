"""What a night is compared with: the last accepted one, and a run that the user names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from niah.analysis.compare.pairs import Pairs
from niah.analysis.nights.pooled_nights import PooledNights
from niah.api.compare import comparable_pairs
from niah.errors import RunFileError
from niah.runs.file.night_record import NightRecord, read_night_record
from niah.runs.file.nights import Night, Skipped, night_before, night_of, whole_nights_before
from niah.runs.file.read_model import RunContents, read_run

BASELINE = "the baseline"
_LAST, _LAST_WHOLE, _LAST_ACCEPTED = "last night", "the last whole night", "the last accepted night"
_LAST_ALIKE = "the last accepted night that was asked alike"
_LOOKED_BACK = 20
"""So many accepted nights are tried where the latest were asked or judged otherwise than tonight."""


@dataclass(frozen=True)
class Comparable:
    """A run that compares with tonight's: in which pairs of trials, and what is to be said of the others.

    Attributes:
        role: what the run is, in words.
    """

    role: str
    run: RunContents
    pairs: Pairs
    notes: tuple[str, ...]


@dataclass(frozen=True)
class EarlierRuns:
    """What tonight may be compared with.

    Attributes:
        role: what the night is that tonight is compared with, in words.
        night: that night; None in the first one.
        is_whole: whether all its trials were run.
        is_accepted: whether it is accepted and whole. Where no night is, the latest stands in.
        accepted_are_gone: whether there were accepted nights, and their run files are gone.
        baseline: the run that the user named.
        record: which nights are accepted.
        pooled: the nights whose mean tonight is compared with, of which ``night`` is the latest.
    """

    role: str
    night: Night | None
    is_whole: bool
    is_accepted: bool
    accepted_are_gone: bool
    baseline: Path | None
    record: NightRecord
    pooled: PooledNights | None = None

    @property
    def refused_since(self) -> bool:
        """Whether nights after the one that tonight is compared with were not accepted."""
        return self.role == _LAST_ACCEPTED

    @property
    def baseline_is_night(self) -> bool:
        """Whether the user named the very night that tonight is compared with."""
        return bool(self.night and self.baseline and self.night.path.resolve() == self.baseline.resolve())

    @cached_property
    def night_run(self) -> RunContents | None:
        """What the night's run file holds. Raises RunFileError."""
        return read_run(self.night.path) if self.night else None

    @cached_property
    def baseline_run(self) -> RunContents | None:
        """What the baseline holds. Raises RunFileError."""
        return read_run(self.baseline) if self.baseline else None

    def comparable_night(self, tonight: RunContents, common: bool) -> Comparable:
        """The latest accepted night that compares with tonight.

        Args:
            tonight: its run, in part or as a whole.
            common: where the two differ, compare what they have in common.

        Raises RunFileError, of the latest one, where none compares.
        """
        assert self.night_run is not None
        try:
            return _comparable(self.role, self.night_run, tonight, common)
        except RunFileError:
            for path in self._older():
                with suppress(RunFileError):
                    return _comparable(_LAST_ALIKE, read_run(path), tonight, common)
            raise

    def comparable_baseline(self, tonight: RunContents, common: bool) -> Comparable:
        """The baseline. Raises RunFileError where it does not compare with tonight."""
        assert self.baseline_run is not None
        return _comparable(BASELINE, self.baseline_run, tonight, common)

    def _older(self) -> list[Path]:
        """Accepted nights before the last, the latest first."""
        if not self.night or not self.is_accepted or self.pooled:
            return []
        folder, name, day = self.night.path.parent, self.night.name, self.night.date
        return [run.path for run in whole_nights_before(folder, name, day, _LOOKED_BACK, self.record.accepts)]


def _comparable(role: str, run: RunContents, tonight: RunContents, common: bool) -> Comparable:
    return Comparable(role, run, *comparable_pairs(run, tonight, common=common))


def earlier_runs(
    name: str, path: Path, tonight: date, baseline: Path | None, say: Callable[[str], None]
) -> EarlierRuns:
    """What there is to compare with tonight, which will be ``path``, of the run called ``name``.

    ``say`` is called with one line for each earlier night that cannot be used, and where no accepted one is
    left. Raises RunFileError for a baseline that is tonight's own file, ConfigError for a record of nights
    that is not as it should be.
    """
    folder, record = path.parent, read_night_record(path.parent, name)
    if baseline and baseline.resolve() == path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    if not folder.is_dir():
        return EarlierRuns(_LAST, None, False, False, False, baseline, record)

    def say_skipped(skipped: Skipped) -> None:
        named = str(skipped.path) in skipped.reason
        say(skipped.reason if named else f"{skipped.path}: {skipped.reason}")

    last = night_before(folder, name, tonight, say_skipped)
    accepted, whole = (
        next(iter(whole_nights_before(folder, name, tonight, 1, among)), None)
        for among in (record.accepts, lambda day: True)
    )
    chosen = next((night_of(run.path) for run in (accepted, whole) if run), last)
    gone = accepted is None and whole is not None and any(map(record.accepts, record.nights))
    if gone and chosen:
        say(
            f"the run file of no accepted night is left in {folder}: tonight is compared with {chosen.date},"
            " which is not accepted."
        )
    return EarlierRuns(
        *(_role(chosen, last, tonight, record), chosen, whole is not None, accepted is not None),
        *(gone, baseline, record),
    )


def _role(chosen: Night | None, last: Night | None, tonight: date, record: NightRecord) -> str:
    """What the night is that tonight is compared with."""
    if chosen is None or last is None or chosen.date == last.date:
        return _LAST
    later = (day for day in (*record.nights, last.date) if chosen.date < day < tonight)
    return _LAST_ACCEPTED if any(map(record.refuses, later)) else _LAST_WHOLE
