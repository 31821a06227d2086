"""Heatmaps in a terminal: the mean in every cell, on the figures' colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from niah.analysis.cells import Cell, Grid
from niah.plots.labels import depth_label, length_labels, mean_label
from niah.plots.theme import PAPER, ink_on
from niah.runs.trial import Outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# viridis at the scores 1, 2, ..., 10: matplotlib would cost half a second at start-up.
_VIRIDIS = (
    "440154",
    "482878",
    "3e4989",
    "31688e",
    "26828e",
    "1f9e89",
    "35b779",
    "6ece58",
    "b5de2b",
    "fde725",
)
_CELL = 6
SHORT_OUTCOMES: Mapping[Outcome, str] = {
    "refused": "refus",
    "truncated": "trunc",
    "overflow": "over",
    "reader_error": "error",
    "judge_error": "judge",
    "not_run": "–",
}
"""Outcomes in a cell's few letters."""


def print_heatmaps(grids: Sequence[Grid], console: Console) -> None:
    """Print the grids, side by side where they fit; none where nobody looks (``console`` is no terminal).

    A grid wider than the terminal is left to the figures.
    """
    from rich.columns import Columns

    texts = [heatmap_text(grid) for grid in grids] if console.is_terminal else []
    fitting = [text for text in texts if max(map(len, text.plain.splitlines())) <= console.width]
    if fitting:
        console.print(Columns(fitting, padding=(1, 3)))


def heatmap_text(grid: Grid) -> Text:
    """One grid: depths down, context lengths across; a cell with nothing scored says why."""
    from rich.text import Text

    labels = [depth_label(depth) for depth in grid.depths]
    margin = max(map(len, labels)) + 1
    text = Text(no_wrap=True)
    text.append(" · ".join(filter(None, (grid.reader, grid.strategy, grid.needle_set))) + "\n", style="bold")
    text.append(
        " " * margin + "".join(f"{label:^{_CELL}}" for label in length_labels(grid.lengths)), style="dim"
    )
    for label, row in zip(labels, grid.rows, strict=True):
        text.append(f"\n{label:>{margin - 1}} ", style="dim")
        for cell in row:
            text.append(_cell_text(cell), style=_style(cell))
    return text


def score_colour(mean: float) -> tuple[float, float, float, float]:
    """The colour of a mean score, 1 to 10: red, green, blue, opacity from 0 to 1."""
    low = min(int(mean), 9)
    share = mean - low
    below, above = (bytes.fromhex(_VIRIDIS[score - 1]) for score in (low, low + 1))
    red, green, blue = ((1 - share) * b / 255 + share * a / 255 for b, a in zip(below, above, strict=True))
    return red, green, blue, 1.0


def _cell_text(cell: Cell) -> str:
    if cell.mean is not None:
        return f"{mean_label(cell.mean):^{_CELL}}"
    return f"{SHORT_OUTCOMES[cell.hindrance[0]] if cell.hindrance else '':^{_CELL}}"


def _style(cell: Cell) -> str:
    if cell.mean is None:
        return "dim"
    colour = score_colour(cell.mean)
    ink = "bright_white" if ink_on(colour) == PAPER else "black"
    red, green, blue = (round(255 * part) for part in colour[:3])
    return f"{ink} on rgb({red},{green},{blue})"
