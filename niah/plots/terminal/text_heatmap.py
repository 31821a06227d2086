"""Heatmaps in a terminal: the mean in every cell, on the figures' colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from niah.analysis.cells import Cell, Grid
from niah.analysis.lengths import length_labels
from niah.plots.kit.labels import SHORT_OUTCOMES, depth_label, mean_label
from niah.plots.kit.theme import ON_DARK, score_colour, score_ink
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_CELL = 6


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
    names = filter(None, (grid.reader, spoken(grid.strategy), grid.needle_set))
    text.append(" · ".join(names) + "\n", style="bold")
    text.append(
        " " * margin + "".join(f"{label:^{_CELL}}" for label in length_labels(grid.lengths)), style="dim"
    )
    for label, row in zip(labels, grid.rows, strict=True):
        text.append(f"\n{label:>{margin - 1}} ", style="dim")
        for cell in row:
            text.append(_cell_text(cell), style=_style(cell))
    return text


def _cell_text(cell: Cell) -> str:
    if cell.mean is not None:
        return f"{mean_label(cell.mean):^{_CELL}}"
    return f"{SHORT_OUTCOMES[cell.hindrance[0]] if cell.hindrance else '':^{_CELL}}"


def _style(cell: Cell) -> str:
    if cell.mean is None:
        return "dim"
    ink = "bright_white" if score_ink(cell.mean) == ON_DARK else "black"
    red, green, blue = (round(255 * part) for part in score_colour(cell.mean)[:3])
    return f"{ink} on rgb({red},{green},{blue})"
