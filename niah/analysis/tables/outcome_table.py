"""What became of the trials, by reader and strategy."""

from __future__ import annotations

import numpy as np

from niah.analysis.columns import Columns, groups
from niah.analysis.grouping import OUTCOMES
from niah.analysis.tables.table import Table


def outcomes(columns: Columns) -> Table:
    """One row per reader and strategy; every outcome is a column, zeros included."""
    return Table(
        name="outcomes",
        title="Outcomes",
        columns=("reader", "strategy", "trials", *OUTCOMES),
        rows=tuple(
            (*names, len(rows), *np.bincount(columns.outcome.codes[rows], minlength=len(OUTCOMES)).tolist())
            for names, rows in groups(columns.rows, columns.reader, columns.strategy)
        ),
        note="Only a scored trial has a score; no other outcome turns into one.",
    )
