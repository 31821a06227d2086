"""Trials without a score: how many of each strategy at each length, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.frame import category_codes
from niah.analysis.grouping import NOT_SCORED, OUTCOMES
from niah.plots.figures.charts.corners import rectangle
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.labels import outcome_words
from niah.plots.kit.lettering import width_of
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import label_x, names_width, thinned
from niah.plots.kit.sheets.key import Swatch
from niah.plots.kit.sheets.layout import row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import OUTCOME_COLOURS
from niah.plots.kit.theme import INK, ink_on
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_ROW = 0.34
_POINTS = 8.5
# How much of an outcome's colour a cell has at the least: below that, it could not be told from paper.
_PALEST = 0.2
# From that opacity on, a text goes by the colour, not by the paper.
_DENSE = 0.6
_PLACES = [OUTCOMES.index(name) for name in NOT_SCORED]


def draw_outcomes(data: FigureData) -> Iterator[RenderedFigure]:
    """Trials without a score by strategy and context length: refused, cut off, too long, failed, not run.

    One figure, where some trial has no score; strategies and readers all of whose trials have one are named
    in a line.
    """
    codes = [category_codes(data.frame, column) for column in ("reader", "strategy", "length", "outcome")]
    counts = np.zeros(
        (len(data.readers), len(data.strategies), len(data.lengths), len(OUTCOMES)), dtype=np.int64
    )
    np.add.at(counts, tuple(codes), 1)
    lacking = counts[..., _PLACES]
    if not lacking.any():
        return
    readers = np.flatnonzero(lacking.any(axis=(1, 2, 3)))
    strategies = np.flatnonzero(lacking.any(axis=(0, 2, 3)))
    names = [spoken(data.strategies[at]) for at in strategies]
    commonest = {NOT_SCORED[at] for at in lacking.argmax(axis=-1)[lacking.any(axis=-1)]}
    key = [(outcome_words(name), Swatch(OUTCOME_COLOURS[name])) for name in NOT_SCORED if name in commonest]
    layout = row_panels([data.readers[at] for at in readers], names_width(names), _ROW * len(names))
    title = "Trials without a score"
    subtitle = "% of a strategy’s trials at each context length; the colour is the commonest reason"
    complete = len(readers) < len(data.readers) or len(strategies) < len(data.strategies)
    note = "Of readers and strategies that are not here, every trial has a score." if complete else ""
    sheet = new_sheet(layout, title, subtitle, key, note)
    for index, reader in enumerate(readers):
        facts = f"{lacking[reader].sum():,} of {counts[reader].sum():,} trials without a score"
        axes = sheet.named_rows(index, data.readers[reader], facts, names)
        _x_columns(axes, list(data.lengths.values()), sheet.layout.width)
        trials = counts[reader][strategies].sum(axis=-1)
        _draw_cells(axes, lacking[reader][strategies], trials, sheet.layout.width)
    sheet.name_x("context length (tokens)")
    lengths = list(data.lengths)
    yield RenderedFigure(
        "outcomes",
        title,
        "Trials that have no score, and why. They count in no mean, never as zero. The darker a cell, the "
        "more of its trials; where there is none, every trial has a score. An answer that declines to tell "
        "has a score: it is among the error types, not here.",
        "Errors",
        sheet.figure,
        ("reader", "strategy", "context_length", "trials", *OUTCOMES),
        tuple(
            (
                *(data.readers[i], data.strategies[j], data.length_value(lengths[k])),
                *(int(counts[i, j, k].sum()), *counts[i, j, k].tolist()),
            )
            for i, j, k in np.argwhere(counts.any(axis=-1))
        ),
    )


def _x_columns(axes: Axes, labels: Sequence[str], inches: float) -> None:
    """A column for each length, all as wide."""
    each = inches / len(labels)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.grid(visible=False)
    label_x(axes, range(len(labels)), thinned(labels, [(at + 0.5) * each for at in range(len(labels))]))


def _draw_cells(axes: Axes, lacking: NDArray[np.int64], trials: NDArray[np.int64], inches: float) -> None:
    """A cell where some trial has no score.

    Args:
        axes: with strategies down and lengths across.
        lacking: shape (strategies, lengths, reasons), how many trials have no score.
        trials: shape (strategies, lengths).
        inches: their width.
    """
    from matplotlib.colors import to_rgba

    from niah.plots.figures.charts.areas import Areas

    room = 0.92 * inches / trials.shape[1]
    cells, colours = [], []
    for row, column in np.argwhere(lacking.any(axis=-1)):
        share = float(lacking[row, column].sum() / trials[row, column])
        full = to_rgba(OUTCOME_COLOURS[NOT_SCORED[int(lacking[row, column].argmax())]])
        alpha = _PALEST + (1 - _PALEST) * share
        cells.append(rectangle(column - 0.47, row - 0.44, column + 0.47, row + 0.44))
        colours.append((*full[:3], alpha))  # paper shines through, white or dark
        text = f"{100 * share:.0f}" if share >= 0.01 else "<1"
        if width_of(text, _POINTS) <= room:
            style: dict[str, Any] = {
                "ha": "center",
                "va": "center_baseline",
                "fontsize": _POINTS,
                "zorder": 3,
            }
            axes.text(column, row, text, color=ink_on(full) if alpha > _DENSE else INK, **style)
    axes.add_collection(Areas(cells, facecolors=colours, linewidths=0, zorder=2), autolim=False)
