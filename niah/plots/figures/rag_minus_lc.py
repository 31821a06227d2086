"""RAG against reading everything, pair by pair, over context length (u-niah, figures 7 and 8)."""

from __future__ import annotations

from collections.abc import Iterator

from niah.analysis.tables.win_rates import lc_scores
from niah.plots.figures.charts.estimates import Estimates, bands_label, means, n_label
from niah.plots.figures.charts.lines import draw_lines, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.over_lengths import LENGTH_COLUMNS, lines_over_lengths, rows_over_lengths
from niah.plots.figures.trials import Trials
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, plain, x_lengths, y_numbers
from niah.plots.kit.sheet import new_sheet, reader_panels
from niah.plots.kit.theme import INK


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, of the readers that have scored pairs."""
    trials = data.trials
    found = _differences(trials)
    if not found:
        return
    readers = sorted({int(reader) for reader, _, _ in found})
    lengths = sorted({int(length) for _, _, length in found})
    layout = reader_panels([trials.readers[reader] for reader in readers])
    title = "RAG minus full context, over context length"
    subtitle = f"score difference of the same case, reader and repeat, RAG − lc · {bands_label(found)}"
    sheet = new_sheet(layout, title, subtitle, data.key(strategy for _, strategy, _ in found))
    low, high = value_range(found.values())
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, trials.readers[reader], n_label(own, "pair"))
        plain(axes)
        y_numbers(axes, min(low, -0.5), max(high, 0.5))
        x_lengths(axes, lengths, layout.width)
        axes.axhline(0, color=INK, linewidth=1.0, zorder=2)
        draw_lines(axes, lines_over_lengths(data, own, lengths))
        if column == 0:
            name_y(axes, "← lc better      RAG better →")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "rag-minus-lc",
        title,
        "Above the line retrieval scores higher than the whole context on the same cases, below it lower. "
        "Only pairs of which both were scored count: where a reader cannot take the whole context, none do.",
        "Scores",
        sheet.figure,
        LENGTH_COLUMNS,
        rows_over_lengths(trials, found),
    )


def _differences(trials: Trials) -> Estimates:
    """The mean of RAG minus lc by reader, strategy and length, of pairs that were both scored."""
    differences = trials.score - lc_scores(trials.frame)
    return means(differences, trials.cluster, trials.reader, trials.strategy, trials.length)
