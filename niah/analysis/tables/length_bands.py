"""Scores by band of context length, reading everything and with retrieval (u-niah, tables 1 and 4)."""

from __future__ import annotations

from niah.analysis.bands import bands
from niah.analysis.columns import Columns, groups
from niah.analysis.stats.spread import SPREAD, spread
from niah.analysis.tables.table import Table

_NOTE = (
    "Mean and sample standard deviation of scores, 1 to 10, over the n scored trials; trials with another"
    " outcome are counted in not_scored and in no mean. A band takes its upper border; 1k is 1024 tokens."
)


def length_bands(columns: Columns) -> Table:
    """One row per reader, strategy and band that has trials, over all needle sets."""
    by = (columns.reader, columns.strategy, bands(columns.length))
    return Table(
        name="scores-by-length",
        title="Scores by context length",
        columns=("reader", "strategy", "band", *SPREAD),
        rows=tuple((*names, *spread(columns.score[rows])) for names, rows in groups(columns.rows, *by)),
        note=_NOTE,
    )


def length_bands_by_needle_set(columns: Columns) -> Table:
    """One row per reader, needle set, strategy and band that has trials: u-niah's table 1."""
    by = (columns.reader, columns.needle_set, columns.strategy, bands(columns.length))
    return Table(
        name="scores-by-needle-set-and-length",
        title="Scores by needle set and context length",
        columns=("reader", "needle_set", "strategy", "band", *SPREAD),
        rows=tuple((*names, *spread(columns.score[rows])) for names, rows in groups(columns.rows, *by)),
        note=_NOTE,
    )
