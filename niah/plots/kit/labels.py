"""How lengths, depths, outcomes, means and counts are written in figures and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from niah.file_mistakes import counted
from niah.runs.trial import Outcome

if TYPE_CHECKING:
    from niah.analysis.cells import Grid

SHORT_OUTCOMES: Mapping[Outcome, str] = {
    "refused": "refus",
    "truncated": "trunc",
    "overflow": "over",
    "reader_error": "error",
    "preparation_error": "prep",
    "judge_error": "judge",
    "not_run": "–",
}
"""Outcomes in a cell's few letters."""

_TENTH = Decimal("0.1")
_LISTED_SETS = 3


def depth_label(depth: float) -> str:
    """A depth, 0 to 100: "25 %"."""
    return f"{depth:g} %"


def outcome_label(outcome: Outcome) -> str:
    """An outcome in words: "reader error"."""
    return outcome.replace("_", " ")


def outcome_count(number: int, outcome: Outcome) -> str:
    """Such as "1 reader error", "13 reader errors", "13 refused"."""
    label = outcome_label(outcome)
    return counted(number, label) if label.endswith("error") else f"{number:,} {label}"


def outcome_words(outcome: Outcome) -> str:
    """An outcome for keys and filters, where it must not be taken for an answer that declines."""
    return "refused by the endpoint" if outcome == "refused" else outcome_label(outcome)


def mean_label(mean: float) -> str:
    """A mean score with one decimal; a full 10 without. Halves go up, as in the page's own script."""
    return "10" if mean == 10 else str(Decimal(mean).quantize(_TENTH, ROUND_HALF_UP))


def amount_label(amount: int | None) -> str:
    """A number of tokens, short: "812", "48.3k", "1.2M"; "–" where it is not known."""
    if amount is None:
        return "–"
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if amount >= size * 0.9995:
            scaled = amount / size
            return f"{scaled:.1f}{unit}" if scaled < 99.95 else f"{scaled:.0f}{unit}"
    return str(amount)


def duration_label(seconds: float | None) -> str:
    """A duration, short: "0.4 s", "73 s", "12 min", "3.4 h"; "–" where it is not known."""
    if seconds is None:
        return "–"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"


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
