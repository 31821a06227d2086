"""What is wrong with the answers, by strategy and reader (u-niah, figure 10)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from niah.judges.error_types import ERROR_TYPES
from niah.plots.figures.charts.bars import stack_across
from niah.plots.figures.charts.estimates import round_value
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import names_width, plain, x_shares, y_names
from niah.plots.kit.sheet import Swatch, new_sheet, row_panels
from niah.plots.kit.styles import ERRORS
from niah.plots.kit.theme import QUIET


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """All answers; and those of perfect retrieval, where errors are the reader's own."""
    trials = data.trials
    everything = np.ones(len(trials.score), dtype=np.bool_)
    yield from _paint(data, everything, "error-types", "Error types", "all scored answers")
    complete = trials.completeness == 1
    title = "Error types under perfect retrieval"
    yield from _paint(data, complete, "error-types-complete", title, "answers whose prompt held every needle")


def _paint(data: FigureData, which: np.ndarray, name: str, title: str, says: str) -> Iterator[RenderedFigure]:
    trials = data.trials
    which = which & (trials.error >= 0)
    if not which.any():
        return
    counts = np.zeros((len(trials.readers), len(trials.strategies), len(ERROR_TYPES)), dtype=np.int64)
    np.add.at(counts, (trials.reader[which], trials.strategy[which], trials.error[which]), 1)
    readers = np.flatnonzero(counts.any(axis=(1, 2)))
    strategies = np.flatnonzero(counts.any(axis=(0, 2)))
    names = [trials.strategies[i] for i in strategies]
    layout = row_panels([trials.readers[i] for i in readers], names_width(names), 0.3 * len(names))
    key = [(text, Swatch(colour)) for colour, text in ERRORS.values()]
    sheet = new_sheet(layout, title, f"share of {says}, %", key)
    for index, reader in enumerate(readers):
        row, column = divmod(index, layout.columns)
        own = counts[reader][strategies]
        total = own.sum(axis=1, keepdims=True)
        axes = sheet.panel(row, column, trials.readers[reader], f"n = {own.sum():,} answers")
        plain(axes, "x")
        x_shares(axes)
        y_names(axes, names if column == 0 else [""] * len(names), layout.left - 0.2)
        stack_across(axes, own / np.where(total, total, np.nan), [colour for colour, _ in ERRORS.values()])
        for place, number in enumerate(total[:, 0]):
            text = f"n {number:,}" if number else "none"
            axes.text(1.015, place, text, va="center", fontsize=8.5, color=QUIET)
    sheet.name_x("share of answers")
    yield RenderedFigure(
        name,
        title,
        "How answers err, of those that were scored. “Wrong” names what the reference does not have; “other” "
        "names no element at all.",
        "Errors",
        sheet.figure,
        ("reader", "strategy", "n", *ERROR_TYPES),
        tuple(
            (trials.readers[i], trials.strategies[j], int(n), *(round_value(c / n) for c in counts[i, j]))
            for i in readers
            for j in strategies
            if (n := counts[i, j].sum())
        ),
    )
