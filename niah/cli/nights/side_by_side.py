"""Two run files, read and paired for a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.analysis.compare.comparison import Comparison, compare
from niah.analysis.compare.compatibility import apart, compatibility
from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.compare.verdict import Limits
from niah.errors import RunFileError
from niah.runs.file.comparable import RunFingerprint, grounds_of
from niah.runs.file.store import open_for_reading
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class Side:
    """One of two runs.

    Attributes:
        records: those that are meant.
        grounds: what their scores depend on.
    """

    records: Sequence[TrialRecord]
    grounds: RunFingerprint


def read_side(path: Path) -> Side:
    """A run file as it stands. Raises RunFileError."""
    with open_for_reading(path) as store:
        return Side(store.records(), grounds_of(store))


def comparable_pairs(
    baseline: Side, candidate: Side, *, common: bool, other_reader: bool = False
) -> tuple[Pairs, tuple[str, ...]]:
    """The pairs that may be compared, and what to tell of the others.

    Args:
        baseline, candidate: of two runs, or of two readers of one.
        common: where they differ, take what they have in common.
        other_reader: readers are what is compared, so that their names need not agree.

    Raises RunFileError where the two do not compare.
    """
    pairs = pair(baseline.records, candidate.records, other_reader=other_reader)
    names = f"{baseline.grounds.name} and {candidate.grounds.name}"
    if not pairs.baseline:
        told = apart(baseline.grounds, candidate.grounds, pairs)
        raise RunFileError(
            f"{names} have no trial in common{f' ({told})' if told else ''}.",
            "Compare runs of one suite, or name two readers with --readers X,Y.",
        )
    found = compatibility(baseline.grounds, candidate.grounds, pairs)
    partial = _partial(baseline, pairs)
    if not found.differences:
        return pairs, (*partial, *found.notes)
    told = "; ".join(found.differences)
    if not common:
        raise RunFileError(
            f"{names} do not compare: {told}.", "Compare what they have in common with --common."
        )
    if not found.common.baseline or (_both_scored(pairs) and not _both_scored(found.common)):
        raise RunFileError(
            f"{names} have nothing in common: {told}.", "niah judge RUN --judge NAME judges a run again."
        )
    return found.common, (*(f"left out: {line}" for line in found.differences), *partial, *found.notes)


def _both_scored(pairs: Pairs) -> bool:
    """Whether any pair has a score on both sides."""
    both = zip(pairs.baseline, pairs.candidate, strict=True)
    return any(one.score is not None and other.score is not None for one, other in both)


def _partial(baseline: Side, pairs: Pairs) -> tuple[str, ...]:
    """What to tell of a baseline that has not run all its trials."""
    missing = sum(record.outcome == "not_run" for record in pairs.baseline)
    if not missing:
        return ()
    return (f"{baseline.grounds.name} has not run {missing:,} of the {len(pairs.baseline):,} pairs' trials",)


def compared(baseline: Path, candidate: Path, *, common: bool, limits: Limits) -> Comparison:
    """Two run files compared with all that is usual. Raises RunFileError where they do not compare."""
    pairs, notes = comparable_pairs(read_side(baseline), read_side(candidate), common=common)
    return compare(pairs, names=(str(baseline), str(candidate)), limits=limits, notes=notes)
