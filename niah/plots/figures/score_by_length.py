"""Mean score over context length: a panel per reader, a line per strategy (u-niah, figures 4 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

from niah.plots.figures.charts.estimates import bands_label, means, n_label
from niah.plots.figures.charts.lines import draw_lines, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.over_lengths import LENGTH_COLUMNS, lines_over_lengths, rows_over_lengths
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, plain, x_lengths, y_scores
from niah.plots.kit.sheet import new_sheet, reader_panels


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, of the readers with a score."""
    trials = data.trials
    found = means(trials.score, trials.cluster, trials.reader, trials.strategy, trials.length)
    if not found:
        return
    readers = sorted({int(reader) for reader, _, _ in found})
    lengths = sorted({int(length) for _, _, length in found})
    layout = reader_panels([trials.readers[reader] for reader in readers])
    lowest = lowest_score(value_range(found.values())[0])
    title = "Score over context length"
    subtitle = f"mean score, 1 to 10, over all depths · {bands_label(found)}"
    sheet = new_sheet(layout, title, subtitle, data.key(strategy for _, strategy, _ in found))
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, trials.readers[reader], n_label(own))
        plain(axes)
        y_scores(axes, lowest)
        x_lengths(axes, lengths, layout.width)
        draw_lines(axes, lines_over_lengths(data, own, lengths))
        if column == 0:
            name_y(axes, "mean score")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "score-by-length",
        title,
        "Each line is one strategy's mean score over all depths, cases and repeats that were scored. Bands "
        "are 95 % intervals that resample whole clusters (needle set × seed), where there are 5 or more.",
        "Scores",
        sheet.figure,
        LENGTH_COLUMNS,
        rows_over_lengths(trials, found),
    )
