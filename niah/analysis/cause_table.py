"""Why answers went wrong, by reader and strategy."""

from __future__ import annotations

from collections.abc import Sequence

from niah.analysis.cause_counts import cause_counts
from niah.analysis.table import Table
from niah.runs.trial import TrialRecord

_NOTE = (
    "trials: those not correct whose first cause this is, in the order listed; holds: all for which it holds,"
    " first or not; elements: missing and wrong elements of this cause; n: scored trials. Causes that hold for"
    " none have no row."
)


def cause_table(records: Sequence[TrialRecord]) -> Table:
    """One row per reader, strategy and cause that holds for a trial."""
    return Table(
        name="causes",
        title="Causes of errors",
        columns=("reader", "strategy", "cause", "trials", "holds", "elements", "n"),
        rows=tuple(
            (row.reader, row.strategy, cause, row.trials[cause], row.holds[cause], row.elements[cause], row.n)
            for row in cause_counts(records)
            for cause in row.trials
            if row.holds[cause] or row.elements[cause]
        ),
        note=_NOTE,
    )
