"""What the figures over context length share: a line per strategy, and the rows behind it."""

from __future__ import annotations

from collections.abc import Sequence

from niah.plots.figures.charts.estimates import COLUMNS, Estimates, row_of
from niah.plots.figures.charts.lines import Line, lines_of
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.trials import Trials
from niah.plots.kit.scales import length_place

LENGTH_COLUMNS = ("reader", "strategy", "context_length", *COLUMNS)


def lines_over_lengths(data: FigureData, own: Estimates, lengths: Sequence[int]) -> list[Line]:
    """A line for each strategy that ``own``, by strategy and length, knows."""
    return lines_of(data.styles.values(), own, lengths, [length_place(length) for length in lengths])


def rows_over_lengths(trials: Trials, found: Estimates) -> tuple[tuple[str | float | int | None, ...], ...]:
    """What ``found``, by reader, strategy and length, has; see ``LENGTH_COLUMNS``."""
    return tuple(
        (trials.readers[int(reader)], trials.strategies[int(strategy)], int(length), *row_of(point))
        for (reader, strategy, length), point in found.items()
    )
