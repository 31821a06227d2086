"""Which of the rows that got worse are named: those that say best where the drop is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.beyond_luck import Cells
from niah.analysis.stats.interval import LEAST_CLUSTERS
from niah.analysis.stats.quantiles import students_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BETTER = 1.25
"""So many times as much must be explained by a row of one axis more, or by several rows, than by a broader
one: of a drop that struck a whole row, some part has more by luck."""

_MOSTLY = 1 / 2
"""A row has a drop of its own where that share of its drop is not luck's, nor in what is named already."""


@dataclass(frozen=True)
class WorstPart:
    """A part of a row.

    Attributes:
        row: of the part.
        elsewhere: the mean difference over the row's other pairs.
        away: how many standard errors the part is worse than these.
    """

    row: Row
    elsewhere: float
    away: float


def named_rows(worse: Sequence[Row], rows: Sequence[Row]) -> tuple[Row, ...]:
    """Those of the rows that got worse that together say where, in the order of the table.

    Rows overlap: a drop at one depth shows in that depth's row, in those of all strategies, and in that of
    the reader. So the one is named that explains most, beyond what luck did to all of them alike. Several of
    one level are named where they explain clearly more than any one row, and then whatever has most of its
    drop outside of what is named.

    Args:
        worse: of the table, those that were found.
        rows: the whole table.
    """
    named = [
        row
        for measure in dict.fromkeys(row.measure for row in worse)
        for row in _named(
            [row for row in worse if row.measure == measure], [row for row in rows if row.measure == measure]
        )
    ]
    return tuple(row for row in rows if row in named)


def parts_within(whole: Row, rows: Sequence[Row]) -> list[Row]:
    """The rows of a table that are parts of one of it, of the same measure and with a difference."""
    return [
        row
        for row in rows
        if row.measure == whole.measure
        and len(row.parts) > len(whole.parts)
        and whole.parts.items() <= row.parts.items()
        and row.difference is not None
    ]


def worst_part(whole: Row, inside: Sequence[Row], alpha: float) -> WorstPart | None:
    """Of all parts the one that says best where; None where luck could make each of them the worst.

    A part counts where its interval is on the worse side of 0, and it is worse than the rest by more than the
    worst of so many parts is by luck (Bonferroni's step, 5 %): without it some cell would be named in every
    bad night. Where the table tests the part, that test finds it too. Where clusters were too few for that,
    the row that holds it was found: its parts are asked about only then, as in a tree of hypotheses
    (Meinshausen 2008). Of several such the clearest, where one of an axis more must explain ``_BETTER``
    times as much.

    Args:
        whole: the row that got worse.
        inside: rows of parts of it, of the same measure.
        alpha: of the whole table.
    """
    sign = -1.0 if whole.measure == "score" else 1.0
    parts = list(_parts(whole, [row for row in inside if 0 < row.n < whole.n], sign))
    clear = [
        part
        for part in parts
        if (part.row.adjusted is None or part.row.adjusted <= alpha)
        and part.away > students_quantile(1 - 0.05 / len(parts), part.row.clusters - 1)
    ]
    return max(clear, key=lambda part: part.away**2 / _BETTER ** len(part.row.parts), default=None)


def _named(worse: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """Of one measure."""
    finest = _cells(rows)
    held = np.array([[row.parts.items() <= cell.parts.items() for cell in finest] for row in worse])
    cells = _as_arrays(finest, -1.0 if worse[0].measure == "score" else 1.0)
    left, own_drop = np.ones(len(finest), dtype=np.bool_), cells.drop
    # A row that is not made of the finest ones is named for itself.
    named = [at for at in range(len(worse)) if not held[at].any()]
    while True:
        open_ = [
            at
            for at in range(len(worse))
            if held[at].any() and _is_open(cells.drop[held[at]], np.where(left, own_drop, 0.0)[held[at]])
        ]
        if not open_:
            break
        best = max(
            _answers(worse, open_),
            key=lambda some: cells.explained(held[some], left) / _margin(worse, some),
        )
        named += best
        left &= ~held[best].any(axis=0)
        own_drop = cells.without_luck(left)
    return [worse[at] for at in named if not any(_within(held[at], held[other]) for other in named)]


def _cells(rows: Sequence[Row]) -> list[Row]:
    """The finest rows, which no pair is in twice."""
    levels: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        levels.setdefault(tuple(row.parts), []).append(row)
    return max(levels.values(), key=lambda level: (len(level), len(level[0].parts)))


def _as_arrays(finest: Sequence[Row], sign: float) -> Cells:
    n = np.array([cell.n for cell in finest], dtype=np.float64)
    variances = np.array([(cell.deviation or 0.0) ** 2 for cell in finest])
    return Cells(
        drop=sign * np.array([(cell.difference or 0.0) * cell.n for cell in finest]),
        n=n,
        luck=np.array([cell.luck for cell in finest]),
        variance=float(n @ variances / max(n.sum(), 1.0)),
    )


def _is_open(drop: NDArray[np.float64], left: NDArray[np.float64]) -> bool:
    """Whether most of a row's drop is left: neither luck's, nor in cells that a named row holds."""
    return bool(left.any() and left.sum() >= _MOSTLY * drop.sum())


def _answers(worse: Sequence[Row], open_: Sequence[int]) -> list[list[int]]:
    """Each row alone, and all of one level together."""
    levels: dict[tuple[str, ...], list[int]] = {}
    for at in open_:
        levels.setdefault(tuple(worse[at].parts), []).append(at)
    return [*([at] for at in open_), *(level for level in levels.values() if len(level) > 1)]


def _margin(worse: Sequence[Row], some: Sequence[int]) -> float:
    axes = max(len(worse[some[0]].parts), 1)
    return float(_BETTER ** (axes - (len(some) == 1)))


def _within(finer: NDArray[np.bool_], coarser: NDArray[np.bool_]) -> bool:
    return bool((finer <= coarser).all() and (finer < coarser).any())


def _parts(whole: Row, inside: Sequence[Row], sign: float) -> Iterator[WorstPart]:
    for row in inside:
        if row.difference is None or row.low is None or row.high is None or row.clusters < LEAST_CLUSTERS:
            continue
        if (row.high if sign < 0 else -row.low) >= 0:
            continue
        others = whole.n - row.n
        elsewhere = ((whole.difference or 0.0) * whole.n - row.difference * row.n) / others
        half = (row.high - row.low) / 2 / students_quantile(0.975, row.clusters - 1)
        # Clusters that all changed alike have no spread of their own: pairs of the whole row have.
        variance = max(half**2, (whole.deviation or 0.0) ** 2 / row.n) * (1 + row.n / others)
        if variance:
            yield WorstPart(row, elsewhere, sign * (row.difference - elsewhere) / sqrt(variance))
