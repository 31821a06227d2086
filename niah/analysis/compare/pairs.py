"""Trials of two runs side by side: the same case, strategy, reader and repeat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class Pairs:
    """Two runs side by side.

    Attributes:
        baseline, candidate: of the same length; the i-th of both were asked the same.
        only_baseline, only_candidate: trials that the other run did not plan.
    """

    baseline: tuple[TrialRecord, ...]
    candidate: tuple[TrialRecord, ...]
    only_baseline: tuple[TrialRecord, ...]
    only_candidate: tuple[TrialRecord, ...]


def pair(
    baseline: Sequence[TrialRecord], candidate: Sequence[TrialRecord], *, other_reader: bool = False
) -> Pairs:
    """The pairs, in the order of the baseline's cases; whatever became of the trials.

    Args:
        baseline, candidate: of two runs, or of two readers of one run.
        other_reader: readers are what is compared, so that their names need not agree.
    """
    first = {_asked(record, other_reader): record for record in baseline}
    second = {_asked(record, other_reader): record for record in candidate}
    both = [key for key in first if key in second]
    return Pairs(
        baseline=tuple(first[key] for key in both),
        candidate=tuple(second[key] for key in both),
        only_baseline=tuple(record for key, record in first.items() if key not in second),
        only_candidate=tuple(record for key, record in second.items() if key not in first),
    )


def _asked(record: TrialRecord, other_reader: bool) -> Hashable:
    reader = None if other_reader else record.reader
    # A case id leaves the folders of own files out.
    return record.case_id, record.needle_set, record.haystack, record.strategy, record.repeat, reader
