"""The heatmap's numbers: mean score by context length and depth (u-niah paper, section 3.1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, category_names, row_groups
from niah.analysis.grouping import NOT_SCORED, OUTCOMES
from niah.runs.trial import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

MOST_GROUPS = 6
"""More groups of needle sets than that nobody compares."""
_LISTED = 2


@dataclass(frozen=True)
class Cell:
    """One cell H_ij of a heatmap.

    Attributes:
        context_length: L_i, in tokens.
        depth: d_j, 0 to 100 %.
        mean: mean score, 1 to 10, over outcome "scored" alone; None where nothing was scored.
        n: how many trials were scored.
        outcomes: count of every outcome, zeros included.
    """

    context_length: int
    depth: float
    mean: float | None
    n: int
    outcomes: Mapping[Outcome, int]

    @property
    def trials(self) -> int:
        """Trials planned for this cell, whatever became of them."""
        return sum(self.outcomes.values())

    @property
    def partial(self) -> bool:
        """Whether some trials were scored and some were not."""
        return 0 < self.n < self.trials

    @property
    def hindrance(self) -> tuple[Outcome, int] | None:
        """The most frequent outcome other than "scored", with its count; None if there is none."""
        outcome = max(NOT_SCORED, key=lambda name: self.outcomes[name])
        return (outcome, self.outcomes[outcome]) if self.outcomes[outcome] else None


@dataclass(frozen=True)
class Grid:
    """One heatmap.

    Attributes:
        reader, strategy: whose it is.
        needle_set: the one needle set, or the name of a group of them; None where all are taken together.
        needle_sets: every needle set that its trials ask about.
        lengths: context lengths in tokens, rising.
        depths: depths in %, rising.
        rows: ``rows[j][i]`` is the cell of ``depths[j]`` and ``lengths[i]``; one that no trial was planned
            for has no outcomes.
    """

    reader: str
    strategy: str
    needle_set: str | None
    needle_sets: tuple[str, ...]
    lengths: tuple[int, ...]
    depths: tuple[float, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def n(self) -> int:
        """How many trials were scored."""
        return sum(cell.n for cell in self.cells)

    @property
    def trials(self) -> int:
        """Trials planned."""
        return sum(cell.trials for cell in self.cells)

    @property
    def begun(self) -> bool:
        """Whether any trial has been run."""
        return any(cell.trials > cell.outcomes["not_run"] for cell in self.cells)

    @property
    def mean(self) -> float | None:
        """Mean score over all scored trials; None where nothing was scored."""
        total = fsum(cell.mean * cell.n for cell in self.cells if cell.mean is not None)
        return total / self.n if self.n else None


def cells(frame: DataFrame, *, per_needle_set: bool = False) -> tuple[Grid, ...]:
    """One grid per reader and strategy (and needle set).

    All grids of a reader have the same lengths and depths, so that they can stand side by side. Trials
    without a depth have no place in a map. The order of the rows changes nothing.
    """
    return _grids(frame, *(["needle_set"] if per_needle_set else []))


def cells_of_like_sets(frame: DataFrame) -> tuple[Grid, ...]:
    """One grid per reader, strategy and group of needle sets that are asked at the same lengths and depths.

    Taken together, sets of other lengths would make one length differ from the next by who is asked there.
    Where all are asked alike, or in more ways than ``MOST_GROUPS``, they are together as in ``cells``.
    """
    import pandas as pd

    groups = groups_of_like_sets(frame)
    if not groups:
        return cells(frame)
    of_set = {one: name for name, sets in groups.items() for one in sets}
    group = pd.Categorical(frame["needle_set"].astype(object).map(of_set), categories=list(groups))
    return _grids(frame.assign(like_sets=group), "like_sets")


def groups_of_like_sets(frame: DataFrame) -> dict[str, tuple[str, ...]]:
    """The groups of ``like_sets`` by name; none where one holds all, and where they are too many."""
    groups = like_sets(frame)
    return {_group_name(sets): sets for sets in groups} if 1 < len(groups) <= MOST_GROUPS else {}


def like_sets(frame: DataFrame) -> tuple[tuple[str, ...], ...]:
    """The needle sets, those together that are asked at the same lengths and depths; trials without a depth
    do not count."""
    placed = frame[["needle_set", "context_length", "depth"]].dropna().drop_duplicates()
    asked: dict[str, set[tuple[int, float]]] = {}
    for name, length, depth in placed.itertuples(index=False):
        asked.setdefault(name, set()).add((length, depth))
    groups: dict[frozenset[tuple[int, float]], list[str]] = {}
    for name in sorted(asked):
        groups.setdefault(frozenset(asked[name]), []).append(name)
    return tuple(map(tuple, groups.values()))


def _group_name(sets: Sequence[str]) -> str:
    return ", ".join(sets) if len(sets) <= _LISTED else f"{sets[0]} and {len(sets) - 1} more"


def _grids(frame: DataFrame, *apart: str) -> tuple[Grid, ...]:
    """The grids of each reader and strategy, and of each name in the column ``apart``."""
    placed = np.flatnonzero(frame["depth"].notna())
    length, depth, score = (frame[name].to_numpy() for name in ("context_length", "depth", "score"))
    outcome, needle_set = category_codes(frame, "outcome"), category_codes(frame, "needle_set")
    names = category_names(frame, "needle_set")
    grids = []
    for (reader,), own in row_groups(frame, "reader", rows=placed):
        lengths, depths = np.unique(length[own]), np.unique(depth[own])
        for (_, strategy, *one_set), rows in row_groups(frame, "reader", "strategy", *apart, rows=own):
            places = np.searchsorted(depths, depth[rows]) * len(lengths)
            places += np.searchsorted(lengths, length[rows])
            made = _cells(places, score[rows], outcome[rows], lengths, depths)
            sets = tuple(names[at] for at in np.unique(needle_set[rows]) if at >= 0)
            table = tuple(made[at : at + len(lengths)] for at in range(0, len(made), len(lengths)))
            axes = tuple(lengths.tolist()), tuple(depths.tolist())
            grids.append(Grid(reader, strategy, one_set[0] if one_set else None, sets, *axes, table))
    return tuple(grids)


def _cells(
    places: NDArray[np.intp],
    score: NDArray[np.float64],
    outcome: NDArray[np.int64],
    lengths: NDArray[np.int64],
    depths: NDArray[np.float64],
) -> tuple[Cell, ...]:
    """One per depth and length, lengths faster; the other arrays have shape (n,)."""
    count, scored = len(depths) * len(lengths), ~np.isnan(score)
    outcomes = np.zeros((count, len(OUTCOMES)), dtype=np.int64)
    np.add.at(outcomes, (places, outcome), 1)
    sums = np.bincount(places[scored], weights=score[scored], minlength=count)
    numbers = np.bincount(places[scored], minlength=count)
    return tuple(
        Cell(
            int(lengths[at % len(lengths)]),
            float(depths[at // len(lengths)]),
            float(sums[at] / numbers[at]) if numbers[at] else None,
            int(numbers[at]),
            dict(zip(OUTCOMES, outcomes[at].tolist(), strict=True)),
        )
        for at in range(count)
    )
