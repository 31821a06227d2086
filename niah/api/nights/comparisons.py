"""What tonight is compared with: the mean of the last accepted nights, and a run that the user names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from niah.analysis.compare import Comparison, Limits, compare_pairs
from niah.analysis.pairs import pair
from niah.api.compare import MOST_NIGHTS, comparable_pairs
from niah.errors import RunFileError
from niah.runs.file.night_record import NightRecord, accepted_nights, read_night_record
from niah.runs.file.nights import Night, Skipped, night_before, night_of, whole_nights_before
from niah.runs.file.read_model import RunContents, RunScores, read_run
from niah.runs.trial import TrialRecord

BASELINE = "the baseline"
REFERENCE_NIGHTS = 5
"""The mean of five has a variance of a fifth of one night's; more bring little beside tonight's own."""


@dataclass(frozen=True)
class EarlierRuns:
    """What tonight may be compared with.

    Attributes:
        role: what the night is that tonight is compared with, in words.
        night: the latest accepted whole night, or where there is none the latest; None in the first one.
        is_accepted: whether it is accepted and whole.
        accepted_are_gone: whether there were accepted nights, and their run files are gone.
        baseline: the run that the user named.
        record: which nights are accepted.
    """

    role: str
    night: Night | None
    is_accepted: bool
    accepted_are_gone: bool
    baseline: Path | None
    record: NightRecord


@dataclass(frozen=True)
class NightOutcome:
    """What tonight's comparisons come to.

    Attributes:
        comparisons: by what tonight is compared with.
        hindrances: why one could not be compared with.
        before: records of the run that effective lengths are compared with; none without one.
    """

    comparisons: Mapping[str, Comparison]
    hindrances: Mapping[str, str]
    before: Sequence[TrialRecord]


def earlier_runs(
    name: str, path: Path, tonight: date, baseline: Path | None, say: Callable[[str], None]
) -> EarlierRuns:
    """What there is to compare with tonight, which will be ``path``, of the run called ``name``.

    ``say`` is called with one line for each earlier night that cannot be used, and where no accepted one is
    left. Raises RunFileError for a baseline that is tonight's own file or cannot be read, ConfigError for a
    record of nights that is not as it should be.
    """
    folder, record = path.parent, read_night_record(path.parent, name)
    if baseline and baseline.resolve() == path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    if baseline:
        read_run(baseline)
    if not folder.is_dir():
        return EarlierRuns("last night", None, False, False, baseline, record)

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
    role = "the last accepted night" if accepted else "last night"
    return EarlierRuns(role, chosen, accepted is not None, gone, baseline, record)


def compare_night(
    earlier: EarlierRuns, path: Path, tonight: date, limits: Limits, *, common: bool
) -> NightOutcome:
    """What tonight comes to, once it is run.

    Args:
        earlier: what there is to compare with.
        path: of tonight's run file.
        tonight: its date.
        limits: the level of the night, whatever it is compared with.
        common: where tonight and an earlier run differ, compare what they have in common.
    """
    run, night = read_run(path), earlier.night
    same = bool(night and earlier.baseline and night.path.resolve() == earlier.baseline.resolve())
    sides: list[tuple[str, list[Path]]] = []
    if night and not same:
        sides.append((earlier.role, [night.path, *_older(earlier, night)]))
    if earlier.baseline:
        sides.append((BASELINE, [earlier.baseline]))
    name = night.name if night else earlier.record.path.stem
    accepted = accepted_nights(path.parent, name, tonight, MOST_NIGHTS)
    own = replace(limits, alpha=limits.alpha / max(len(sides), 1))
    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    before: Sequence[TrialRecord] = ()
    for role, paths in sides:
        try:
            reference, pairs, notes = _first_comparable(paths, run, common)
        except RunFileError as error:  # of another config, say: the night is run, and only this is lost
            hindrances[role] = str(error)
            continue
        # The nights that were asked and judged as the reference is.
        alike = [each for each in accepted if _alike(each, reference)]
        is_night = role != BASELINE and earlier.is_accepted
        others = [each for each in alike if each.path != reference.path and is_night][: REFERENCE_NIGHTS - 1]
        if others:
            role = f"the mean of the last {len(others) + 1} accepted nights"
        comparisons[role] = compare_pairs(
            pairs,
            names=(str(reference.path), str(path)),
            limits=own,
            notes=notes,
            reference=[each.records for each in others],
            history=[each.records for each in alike],
        )
        before = reference.records
    return NightOutcome(comparisons, hindrances, before)


def _older(earlier: EarlierRuns, night: Night) -> list[Path]:
    """Accepted nights before the last, the latest first: for a suite that went back to what it was."""
    if not earlier.is_accepted:
        return []
    folder, accepts = night.path.parent, earlier.record.accepts
    return [each.path for each in whole_nights_before(folder, night.name, night.date, MOST_NIGHTS, accepts)]


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


def _alike(run: RunScores, reference: RunScores) -> bool:
    """Whether a night was asked and judged as the reference was."""
    versions = [
        {each.judge_version for each in side.records if each.judge_version} for side in (run, reference)
    ]
    shared = pair(reference.records, run.records)
    same = all(
        one.trial_id == other.trial_id for one, other in zip(shared.baseline, shared.candidate, strict=True)
    )
    return run.judge == reference.judge and versions[0] == versions[1] and bool(shared.baseline) and same
