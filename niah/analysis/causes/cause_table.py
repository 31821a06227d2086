"""Why answers went wrong, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from niah.analysis.causes.cause_counts import cause_counts, known_without_context
from niah.analysis.causes.causes import CAUSES
from niah.analysis.tables.table import Table
from niah.runs.trial import TrialRecord


def errors_by_cause(records: Sequence[TrialRecord]) -> Table:
    """One row per reader and strategy: how many trials have each cause as their first."""
    return Table(
        name="causes",
        title="Causes of errors",
        columns=("reader", "strategy", "n", "errors", *CAUSES),
        rows=tuple(
            (row.reader, row.strategy, row.n, row.errors, *(row.trials[kind] for kind in CAUSES))
            for row in cause_counts(records)
        ),
        note="n: scored trials; errors: those not correct, by the first cause that holds, in the order"
        " listed; docs/causes.md defines them.",
    )


def known_cases(records: Sequence[TrialRecord]) -> Table:
    """Cases that readers answer without any context, which tell nothing of contexts."""
    return Table(
        name="known-without-context",
        title="Cases known without context",
        columns=("reader", "case_id", "right", "asked"),
        rows=tuple(
            (case.reader, case.case_id, case.right, case.asked) for case in known_without_context(records)
        ),
        note="right: closed-book trials answered correctly, of those asked.",
    )
