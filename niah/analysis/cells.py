"""The heatmap's numbers: mean score by context length and depth (u-niah paper, section 3.1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from niah.analysis.grouping import NOT_SCORED, count_outcomes, grouped, mean_score, needle_sets
from niah.runs.trial import Outcome, TrialRecord


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
        needle_set: the one needle set, or None where all are taken together.
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


def cells(records: Sequence[TrialRecord], *, per_needle_set: bool = False) -> tuple[Grid, ...]:
    """One grid per reader and strategy (and needle set).

    All grids of a reader have the same lengths and depths, so that they can stand side by side. The order
    of the records changes nothing.
    """
    axes = _axes(records)
    return tuple(
        Grid(
            key.reader,
            key.strategy,
            key.needle_set,
            needle_sets(group),
            *axes[key.reader],
            _rows(group, *axes[key.reader]),
        )
        for key, group in grouped(records, per_needle_set=per_needle_set).items()
    )


def _axes(records: Sequence[TrialRecord]) -> dict[str, tuple[tuple[int, ...], tuple[float, ...]]]:
    lengths: dict[str, set[int]] = {}
    depths: dict[str, set[float]] = {}
    for record in records:
        lengths.setdefault(record.reader, set()).add(record.context_length)
        depths.setdefault(record.reader, set()).add(record.depth)
    return {reader: (tuple(sorted(lengths[reader])), tuple(sorted(depths[reader]))) for reader in lengths}


def _rows(
    records: Sequence[TrialRecord], lengths: Sequence[int], depths: Sequence[float]
) -> tuple[tuple[Cell, ...], ...]:
    members: dict[tuple[int, float], list[TrialRecord]] = {}
    for record in records:
        members.setdefault((record.context_length, record.depth), []).append(record)
    return tuple(
        tuple(_cell(length, depth, members.get((length, depth), [])) for length in lengths)
        for depth in depths
    )


def _cell(length: int, depth: float, records: Sequence[TrialRecord]) -> Cell:
    outcomes = count_outcomes(records)
    return Cell(length, depth, mean_score(records), outcomes["scored"], outcomes)
