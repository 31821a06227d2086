"""What noise among the retrieved chunks does to answers (u-niah, figure 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from niah.plots.figures.charts.estimates import COLUMNS, bands_label, means, n_label, row_of
from niah.plots.figures.charts.lines import draw_lines, lines_of, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, plain, y_numbers, y_scores
from niah.plots.kit.sheet import SheetLayout, new_sheet
from niah.plots.kit.styles import plain_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In percent; closer where retrieval of long contexts has its noise.
_EDGES = (0, 20, 40, 60, 80, 90, 95, 98, 100)
_BINS = range(len(_EDGES) - 1)
_MEASURES = ("mean score", "missing elements an answer", "extra elements an answer")


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure: score, missing and wrong elements, a line per reader."""
    trials = data.trials
    which = (trials.completeness == 1) & ~np.isnan(trials.noise)
    bins = np.digitize(100 * np.nan_to_num(trials.noise), _EDGES[1:-1], right=True)
    found = [
        means(np.where(which, values, np.nan), trials.cluster, trials.reader, bins)
        for values in (trials.score, trials.missing, trials.wrong)
    ]
    if not found[0]:
        return
    styles = plain_styles(trials.readers)
    present = {int(reader) for reader, _ in found[0]}
    title = "The effect of noise among what is retrieved"
    subtitle = f"RAG trials whose retrieval was complete, by noise ratio · {bands_label(found[0])}"
    layout = SheetLayout(1, 3, 3.3, 2.7, gap=0.6)
    key = [item for place, item in enumerate(styles.items()) if place in present]
    sheet = new_sheet(layout, title, subtitle, key)
    for column, (measure, estimates) in enumerate(zip(_MEASURES, found, strict=True)):
        axes = sheet.panel(0, column, measure, n_label(estimates))
        plain(axes)
        low, high = value_range(estimates.values())
        y_numbers(axes, 0, max(high, 0.1)) if column else y_scores(axes, lowest_score(low))
        _x_noise(axes)
        draw_lines(axes, lines_of(styles.values(), estimates, _BINS, [place + 0.5 for place in _BINS]))
    name_y(sheet.figure.axes[0], "mean score")
    sheet.name_x("noise ratio: retrieved chunks without a needle (%)")
    yield RenderedFigure(
        "noise-ratio",
        title,
        "Only trials that retrieved every needle, so that what gets worse to the right is the reader's "
        "doing. Long contexts and generous scopes are the noisy ones: noise and length rise together.",
        "Errors",
        sheet.figure,
        ("measure", "reader", "noise_from_percent", "noise_to_percent", *COLUMNS),
        tuple(
            (measure, trials.readers[int(reader)], _EDGES[int(b)], _EDGES[int(b) + 1], *row_of(point))
            for measure, estimates in zip(_MEASURES, found, strict=True)
            for (reader, b), point in estimates.items()
        ),
    )


def _x_noise(axes: Axes) -> None:
    axes.set_xlim(0, len(_EDGES) - 1)
    axes.set_xticks(range(len(_EDGES)), [str(edge) for edge in _EDGES])
