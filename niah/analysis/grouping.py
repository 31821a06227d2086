"""Records in groups, and what every group is asked: its mean score and its outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, get_args

from niah.runs.trial import Outcome, TrialRecord
from niah.strategies.strategy import strategy_place

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
NOT_SCORED: tuple[Outcome, ...] = tuple(outcome for outcome in OUTCOMES if outcome != "scored")


class GroupKey(NamedTuple):
    """What a group's records have in common."""

    reader: str
    strategy: str


def grouped(records: Sequence[TrialRecord]) -> dict[GroupKey, list[TrialRecord]]:
    """Records by reader and strategy, in an order that the records' order does not change.

    Readers by name; strategies with the whole-context ones first, then by name.
    """
    groups: dict[GroupKey, list[TrialRecord]] = {}
    for record in records:
        groups.setdefault(GroupKey(record.reader, record.strategy), []).append(record)
    return {
        key: groups[key]
        for key in sorted(groups, key=lambda key: (key.reader, *strategy_place(key.strategy)))
    }


def count_outcomes(records: Sequence[TrialRecord]) -> Mapping[Outcome, int]:
    """How many records ended in each outcome; all are there, in the order of ``OUTCOMES``."""
    counts = Counter(record.outcome for record in records)
    return {outcome: counts[outcome] for outcome in OUTCOMES}


def mean_score(records: Sequence[TrialRecord]) -> float | None:
    """Mean score, 1 to 10, over outcome "scored" alone; None where nothing was scored."""
    scores = [record.score for record in records if record.outcome == "scored" and record.score is not None]
    return fmean(scores) if scores else None
