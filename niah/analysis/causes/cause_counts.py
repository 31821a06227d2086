"""How often each cause holds, by reader and strategy; and the cases whose answer needs no context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from niah.analysis.causes.causes import CAUSES, Cause, CauseKind, causes, knows, needle_set_of
from niah.analysis.causes.needle_sets_asked import needle_sets_asked
from niah.analysis.grouping import grouped
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of


@dataclass(frozen=True)
class CauseRow:
    """Why one reader's answers went wrong with one strategy.

    Attributes:
        reader, strategy: whose trials.
        needle_set: the one needle set, or None where all are taken together.
        n: how many trials were scored.
        trials: of those that are not correct, how many have each cause; zeros included, in the order of
            ``CAUSES``.
        holds: how many each cause holds for, first or not.
        elements: missing and wrong elements by cause, zeros included.
    """

    reader: str
    strategy: str
    needle_set: str | None
    n: int
    trials: Mapping[CauseKind, int]
    holds: Mapping[CauseKind, int]
    elements: Mapping[CauseKind, int]

    @property
    def errors(self) -> int:
        """How many trials are not correct."""
        return sum(self.trials.values())


@dataclass(frozen=True)
class KnownCase:
    """A case that tells nothing of a reader, since it was right without any context.

    Attributes:
        right: how many of its ``asked`` scored closed-book trials were.
    """

    reader: str
    case_id: str
    right: int
    asked: int


def cause_counts(records: Sequence[TrialRecord], *, per_needle_set: bool = False) -> tuple[CauseRow, ...]:
    """One row per reader and strategy (and needle set); none for closed-book.

    The order of the records changes nothing.
    """
    found = causes(records)
    return tuple(
        _row(*key, group, [found[record.trial_id] for record in group if record.trial_id in found])
        for key, group in grouped(records, per_needle_set=per_needle_set).items()
        if not strategy_of(key.strategy).is_floor
    )


def known_without_context(records: Sequence[TrialRecord]) -> tuple[KnownCase, ...]:
    """The cases that a closed-book trial got right, by reader and case id.

    Not those that the text does not answer: there, to say so is right with any text and with none.
    """
    closed = [each for each in records if strategy_of(each.strategy).is_floor and each.outcome == "scored"]
    asked = needle_sets_asked(closed)
    known: dict[tuple[str, str], list[bool]] = {}
    for record in closed:
        right = knows(record, needle_set_of(record, asked))
        known.setdefault((record.reader, record.case_id), []).append(right)
    return tuple(KnownCase(*key, sum(each), len(each)) for key, each in sorted(known.items()) if any(each))


def _row(
    reader: str,
    strategy: str,
    needle_set: str | None,
    records: Sequence[TrialRecord],
    found: Sequence[Cause],
) -> CauseRow:
    return CauseRow(
        reader,
        strategy,
        needle_set,
        n=sum(record.outcome == "scored" for record in records),
        trials=_counted(cause.kind for cause in found),
        holds=_counted(kind for cause in found for kind in (cause.kind, *cause.also)),
        elements=_counted(kind for cause in found for kind in cause.elements.values()),
    )


def _counted(kinds: Iterable[CauseKind]) -> dict[CauseKind, int]:
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in CAUSES}
