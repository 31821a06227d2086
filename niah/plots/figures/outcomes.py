"""Trials without a score, over context length: refused, cut off, too long, failed, not run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.grouping import NOT_SCORED, OUTCOMES
from niah.plots.figures.charts.bars import stack_up
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.labels import length_labels, outcome_label
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, on_one_line, plain, thinned, y_shares
from niah.plots.kit.sheet import Swatch, new_sheet, reader_panels
from niah.plots.kit.styles import OUTCOME_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, where some trial has no score."""
    trials = data.trials
    counts = np.zeros((len(trials.readers), len(trials.lengths), len(OUTCOMES)), dtype=np.int64)
    np.add.at(counts, (trials.reader, np.searchsorted(trials.lengths, trials.length), trials.outcome), 1)
    places = [OUTCOMES.index(outcome) for outcome in NOT_SCORED]
    present = [place for place in places if counts[:, :, place].any()]
    if not present:
        return
    layout = reader_panels(trials.readers, 2.1, 0.85)
    title = "Trials without a score"
    key = [(outcome_label(OUTCOMES[place]), Swatch(OUTCOME_COLOURS[OUTCOMES[place]])) for place in present]
    subtitle = "share of the trials planned at each context length, all strategies"
    sheet = new_sheet(layout, title, subtitle, key)
    colours = [OUTCOME_COLOURS[OUTCOMES[place]] for place in present]
    shares = counts / np.where((n := counts.sum(axis=2, keepdims=True)), n, np.nan)
    highest = float(np.nanmax(shares[:, :, present].sum(axis=2)))
    for index, reader in enumerate(trials.readers):
        row, column = divmod(index, layout.columns)
        own = counts[index]
        facts = f"{own[:, present].sum():,} of {own.sum():,} trials without a score"
        axes = sheet.panel(row, column, reader, facts)
        plain(axes)
        y_shares(axes, 0, highest)
        _x_lengths(axes, trials.lengths, layout.width)
        stack_up(axes, shares[index][:, present], colours)
        if column == 0:
            name_y(axes, "share of trials")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "outcomes",
        title,
        "Trials that have no score, and why. They count in no mean, never as zero.",
        "Errors",
        sheet.figure,
        ("reader", "context_length", "trials", *OUTCOMES),
        tuple(
            (trials.readers[i], trials.lengths[j], int(counts[i, j].sum()), *counts[i, j].tolist())
            for i, j in np.argwhere(counts.any(axis=2))
        ),
    )


def _x_lengths(axes: Axes, lengths: tuple[int, ...], inches: float) -> None:
    each = inches / len(lengths)
    labels = thinned(length_labels(lengths), [(place + 0.5) * each for place in range(len(lengths))])
    axes.set_xlim(-0.5, len(lengths) - 0.5)
    axes.set_xticks(range(len(lengths)), labels)
    on_one_line(axes)
    axes.grid(axis="x", visible=False)
