"""Retrieval over context length, a column per number of needles (u-niah, figure 9)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from niah.plots.figures.charts.estimates import COLUMNS, Estimates, bands_label, means, n_label, row_of
from niah.plots.figures.charts.lines import draw_lines, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.over_lengths import lines_over_lengths
from niah.plots.figures.retrieval_sheet import needles_label
from niah.plots.figures.trials import Trials
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_share, name_y, plain, x_lengths, y_shares
from niah.plots.kit.sheet import SheetLayout, new_sheet

_MEASURES = ("needles retrieved whole", "cases with every needle")
_WIDTHS = {1: 6.8, 2: 4.7, 3: 3.3, 4: 2.5}


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, of the strategies that retrieve: mean completeness, and how often it is complete."""
    trials = data.trials
    found = _found(trials)
    if not found[0]:
        return
    needles = sorted({int(number) for number, _, _ in found[0]})
    lengths = sorted({int(length) for _, _, length in found[0]})
    layout = SheetLayout(2, len(needles), _WIDTHS[min(4, len(needles))], 2.1, 0.85)
    title = "Retrieval over context length"
    says = "share of needles wholly inside what is retrieved, and of cases with all of them"
    subtitle = f"{says} · {bands_label(found[0])}"
    sheet = new_sheet(layout, title, subtitle, data.key(strategy for _, strategy, _ in found[0]))
    for row, (measure, estimates) in enumerate(zip(_MEASURES, found, strict=True)):
        lowest = lowest_share(value_range(estimates.values())[0])
        for column, number in enumerate(needles):
            own = {key[1:]: point for key, point in estimates.items() if key[0] == number}
            heading = needles_label(number) if row == 0 else ""
            axes = sheet.panel(row, column, heading, n_label(own, "case"))
            plain(axes)
            y_shares(axes, lowest, labelled=column == 0)
            x_lengths(axes, lengths, layout.width)
            draw_lines(axes, lines_over_lengths(data, own, lengths))
            if column == 0:
                name_y(axes, measure)
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "retrieval-by-length",
        title,
        "What retrieval found before any reader answered, by number of needles: above, the mean share of "
        "needles found whole; below, the share of cases with every needle, which bounds a complete answer.",
        "Retrieval",
        sheet.figure,
        ("measure", "needles", "strategy", "context_length", *COLUMNS),
        tuple(
            (measure, int(number), trials.strategies[int(strategy)], int(length), *row_of(point))
            for measure, estimates in zip(_MEASURES, found, strict=True)
            for (number, strategy, length), point in estimates.items()
        ),
    )


def _found(trials: Trials) -> tuple[Estimates, Estimates]:
    """Each measure by needles, strategy and length."""
    shares = np.where(_one_a_case(trials), trials.completeness, np.nan)
    by = (trials.needles, trials.strategy, trials.length)
    complete = np.where(np.isnan(shares), np.nan, shares == 1)
    return means(shares, trials.cluster, *by), means(complete, trials.cluster, *by)


def _one_a_case(trials: Trials) -> np.ndarray:
    """Shape (n,): one row with retrieval of each case and strategy; readers and repeats share it."""
    seen: set[tuple[str, str]] = set()
    first = []
    for record in trials.records:
        key = (record.case_id, record.strategy)
        first.append(bool(record.needle_ranks) and key not in seen)
        if first[-1]:
            seen.add(key)
    return np.array(first, dtype=np.bool_)
