"""How often each cause holds, by reader and strategy; and the cases whose answer needs no context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from niah.analysis.causes.causes import CAUSES, Cause, CauseKind, causes, is_known, scored_answers
from niah.analysis.frame import row_groups, values_at
from niah.analysis.table import Table
from niah.analysis.trial_columns import Trials
from niah.cases.sample import Sample


@dataclass(frozen=True)
class CauseRow:
    """Why one reader's answers went wrong with one strategy.

    Attributes:
        reader, strategy: whose trials.
        n: how many trials were scored.
        trials: of those that are not correct, how many have each cause; zeros included, in the order of
            ``CAUSES``.
        elements: missing and wrong elements by cause, zeros included.
    """

    reader: str
    strategy: str
    n: int
    trials: Mapping[CauseKind, int]
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


def cause_counts(
    frame: Trials, samples: Mapping[str, Sample], found: Mapping[str, Cause] | None = None
) -> tuple[CauseRow, ...]:
    """One row per reader and strategy; none for closed-book.

    The order of the rows changes nothing.

    Args:
        frame: of trials.
        samples: of the same, by sample id.
        found: why answers went wrong, where somebody knows; see ``causes``.
    """
    found = causes(frame, samples) if found is None else found
    scored, is_floor = np.asarray(frame["scored"]), np.asarray(frame["is_floor"])
    trial_ids, counts = frame["trial_id"].tolist(), []
    for (reader, strategy), rows in row_groups(frame, "reader", "strategy"):
        if is_floor[rows[0]]:
            continue
        wrong = [found[trial_ids[row]] for row in rows if scored[row] and trial_ids[row] in found]
        counts.append(
            CauseRow(
                reader,
                strategy,
                n=int(scored[rows].sum()),
                trials=_counted(cause.kind for cause in wrong),
                elements=_counted(kind for cause in wrong for kind in cause.elements.values()),
            )
        )
    return tuple(counts)


def known_without_context(frame: Trials, samples: Mapping[str, Sample]) -> tuple[KnownCase, ...]:
    """The cases that a closed-book trial got right, by reader and case id.

    Not those that the text does not answer: there, to say so is right with any text and with none.
    """
    is_floor = np.asarray(frame["is_floor"])
    if not is_floor.any():
        return ()
    readers = values_at(frame, "reader", np.flatnonzero(is_floor & np.asarray(frame["scored"])))
    known: dict[tuple[str, str], list[bool]] = {}
    for reader, answer in zip(readers, scored_answers(frame, is_floor), strict=True):
        right = is_known(answer, samples.get(answer.case_id))
        known.setdefault((reader, answer.case_id), []).append(right)
    return tuple(KnownCase(*key, sum(each), len(each)) for key, each in sorted(known.items()) if any(each))


def errors_by_cause(
    frame: Trials, samples: Mapping[str, Sample], found: Mapping[str, Cause] | None = None
) -> Table:
    """One row per reader and strategy: how many trials have each cause as their first."""
    return Table(
        name="causes",
        title="Causes of errors",
        columns=("reader", "strategy", "n", "errors", *CAUSES),
        rows=tuple(
            (row.reader, row.strategy, row.n, row.errors, *(row.trials[kind] for kind in CAUSES))
            for row in cause_counts(frame, samples, found)
        ),
        note="n: scored trials; errors: those not correct, by the first cause that holds, in the order"
        " listed; the docs' page Concepts defines them.",
    )


def known_cases(frame: Trials, samples: Mapping[str, Sample]) -> Table:
    """Cases that readers answer without any context, which tell nothing of contexts."""
    return Table(
        name="known-without-context",
        title="Cases known without context",
        columns=("reader", "case_id", "right", "asked"),
        rows=tuple(
            (case.reader, case.case_id, case.right, case.asked)
            for case in known_without_context(frame, samples)
        ),
        note="right: closed-book trials answered correctly, of those asked.",
    )


def _counted(kinds: Iterable[CauseKind]) -> dict[CauseKind, int]:
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in CAUSES}
