"""Needle in needle: sets whose needles hide in long passages against plain ones (u-niah, figures 13, 14)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import COLUMNS, means, row_of, trials_label, whiskers_label
from niah.plots.figures.charts.lines import value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.trials import Trials
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, names_width, plain, x_scores, y_names
from niah.plots.kit.sheet import new_sheet, row_panels
from niah.plots.kit.styles import BLUE, VERMILION, Style

_KINDS = (("plain needles", Style(BLUE, filled=False)), ("nested needles", Style(VERMILION, marker="s")))


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, where both kinds of sets were asked at the same lengths."""
    trials = data.trials
    nested = np.array([record.needle_set in data.nested for record in trials.records])
    score = np.where(_in_common(trials, nested), trials.score, np.nan)
    found = means(score, trials.cluster, trials.reader, trials.strategy, nested)
    if len({kind for _, _, kind in found}) < 2:
        return
    readers = sorted({int(reader) for reader, _, _ in found})
    strategies = sorted({int(strategy) for _, strategy, _ in found})
    names = [trials.strategies[i] for i in strategies]
    layout = row_panels([trials.readers[i] for i in readers], names_width(names), 0.34 * len(names) + 0.15)
    title = "Needle in needle"
    subtitle = f"mean score over the lengths that both kinds of needle sets have · {whiskers_label(found)}"
    sheet = new_sheet(layout, title, subtitle, _KINDS)
    lowest = lowest_score(value_range(found.values())[0])
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, trials.readers[reader], trials_label(own))
        plain(axes, "x")
        x_scores(axes, lowest)
        y_names(axes, names if column == 0 else [""] * len(names), layout.left - 0.2)
        draw_dots(
            axes,
            [(style, [own.get((s, kind)) for s in strategies]) for kind, (_, style) in enumerate(_KINDS)],
        )
    sheet.name_x("mean score")
    yield RenderedFigure(
        "needle-in-needle",
        title,
        "Nested needles stand inside long passages, unevenly, so that retrieval must cut them; plain ones "
        "stand alone. The sets ask different questions: compare the gap of strategies, not the gap itself.",
        "Scores",
        sheet.figure,
        ("reader", "strategy", "nested", *COLUMNS),
        tuple(
            (trials.readers[int(reader)], trials.strategies[int(strategy)], bool(kind), *row_of(point))
            for (reader, strategy, kind), point in found.items()
        ),
    )


def _in_common(trials: Trials, nested: np.ndarray) -> np.ndarray:
    """Shape (n,): whether the row's length has scores of both kinds."""
    both = [set(trials.length[trials.scored & (nested == kind)].tolist()) for kind in (True, False)]
    return np.isin(trials.length, sorted(both[0] & both[1]))
