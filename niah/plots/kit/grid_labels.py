"""What titles and notes say of heatmaps: which trials, how many, what the marks mean."""

from __future__ import annotations

from collections.abc import Sequence

from niah.analysis.cells import Grid
from niah.plots.kit.labels import mean_label

_LISTED_SETS = 3


def note_on(grids: Sequence[Grid]) -> str:
    """What the marks in these grids mean; "" where there are none."""
    every = [cell for grid in grids for cell in grid.cells]
    marks = []
    if any(cell.partial for cell in every):
        marks.append("◥ some trials were not scored")
    if any(cell.mean is None for cell in every):
        marks.append("▨ none was scored, and why")
    return "      ".join(marks)


def count_label(grids: Sequence[Grid]) -> str:
    """How many trials stand behind the numbers: "n = 118 of 120 trials"."""
    n, trials = sum(grid.n for grid in grids), sum(grid.trials for grid in grids)
    return f"n = {'' if n == trials else f'{n:,} of '}{trials:,} trial{'s' if trials > 1 else ''}"


def sets_label(grids: Sequence[Grid]) -> str:
    """The needle sets by name, or how many where there are many."""
    names = sorted({name for grid in grids for name in grid.needle_sets})
    if len(names) > _LISTED_SETS:
        return f"{len(names)} needle sets"
    return f"needle set{'s' if len(names) > 1 else ''} {', '.join(names)}"


def mean_of(grid: Grid) -> str:
    """The grid's mean score, or "no score"."""
    return "no score" if grid.mean is None else f"mean {mean_label(grid.mean)}"


def cell_count_label(grids: Sequence[Grid]) -> str:
    """How many trials stand behind each cell that has any: "n = 12 a cell", or their range."""
    counts = [cell.n for grid in grids for cell in grid.cells if cell.n]
    if not counts:
        return "n = 0"
    low, high = min(counts), max(counts)
    return f"n = {low} a cell" if low == high else f"n = {low}–{high} a cell"
