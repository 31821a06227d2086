"""Where within what got worse, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from niah.analysis.compare.naming import parts_within, worst_part
from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.weights import clusters_to_test
from niah.analysis.compare.tables import difference
from niah.analysis.compare.verdict import whole_label
from niah.analysis.stats.interval import LEAST_CLUSTERS


def where_words(row: Row, rows: Sequence[Row], alpha: float, *, turned: bool = False) -> Iterator[str]:
    """The part that is clearly worse than the rest, or that there is none, or too little to tell; at most one
    line, set in.

    Args:
        row: that got worse.
        rows: of the whole table.
        alpha: of the whole table.
        turned: of two models, whether it is told of the other one, which is better there.
    """
    inside = parts_within(row, rows)
    if not inside:
        return
    worst = worst_part(row, inside, alpha)
    if worst:
        part, elsewhere = (
            (turned_row(worst.row), -worst.elsewhere) if turned else (worst.row, worst.elsewhere)
        )
        yield (
            f"  most in {whole_label(part, rows)}: {difference(part)} (n = {part.n:,}),"
            f" elsewhere {elsewhere:+z.2f}"
        )
    elif row.clusters < LEAST_CLUSTERS or any(each.adjusted is None for each in inside):
        needed = clusters_to_test(sum(each.measure == row.measure for each in rows), alpha)
        most = max(needed, LEAST_CLUSTERS)
        yield f"  too few clusters to tell which part: {row.clusters}, {most} are needed"
    else:
        yield f"  everywhere alike: no part of it is clearly {'better' if turned else 'worse'} than the rest"


def turned_row(row: Row) -> Row:
    """The same seen from the other side: the candidate's means in the baseline's place."""
    low, high = row.low, row.high
    return replace(
        row,
        baseline=row.candidate,
        candidate=row.baseline,
        difference=None if row.difference is None else -row.difference,
        low=None if high is None else -high,
        high=None if low is None else -low,
    )
