"""Missing and extra elements over context length (u-niah, figure 11)."""

from __future__ import annotations

from collections.abc import Iterator

from niah.plots.figures.charts.estimates import bands_label, means, n_label
from niah.plots.figures.charts.lines import draw_lines, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.over_lengths import LENGTH_COLUMNS, lines_over_lengths, rows_over_lengths
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, plain, x_lengths, y_numbers
from niah.plots.kit.sheet import SheetLayout, new_sheet

_MEASURES = ("missing elements", "extra elements")


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure: a row per reader, missing elements on the left and wrong ones on the right."""
    trials = data.trials
    by = (trials.reader, trials.strategy, trials.length)
    found = [means(values, trials.cluster, *by) for values in (trials.missing, trials.wrong)]
    if not found[0]:
        return
    readers = sorted({int(reader) for reader, _, _ in found[0]})
    lengths = sorted({int(length) for _, _, length in found[0]})
    layout = SheetLayout(len(readers), 2, 4.7, 1.9, gap=0.6)
    title = "Missing and extra elements over context length"
    subtitle = f"mean number an answer, of scored answers · {bands_label(found[0])}"
    sheet = new_sheet(layout, title, subtitle, data.key(strategy for _, strategy, _ in found[0]))
    for column, (measure, estimates) in enumerate(zip(_MEASURES, found, strict=True)):
        highest = max(value_range(estimates.values())[1], 0.1)
        for row, reader in enumerate(readers):
            own = {key[1:]: point for key, point in estimates.items() if key[0] == reader}
            heading = trials.readers[reader] if column == 0 else ""
            axes = sheet.panel(row, column, heading, f"{measure} · {n_label(own)}", span=2)
            plain(axes)
            y_numbers(axes, 0, highest)
            x_lengths(axes, lengths, layout.width)
            draw_lines(axes, lines_over_lengths(data, own, lengths))
            name_y(axes, "elements an answer") if column == 0 else None
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "missing-and-extra",
        title,
        "How many elements of the reference an answer leaves out, and how many it names that are wrong. "
        "Sets with more needles have more to miss, so compare lines, not heights of different runs.",
        "Errors",
        sheet.figure,
        ("measure", *LENGTH_COLUMNS),
        tuple(
            (measure, *row)
            for measure, estimates in zip(_MEASURES, found, strict=True)
            for row in rows_over_lengths(trials, estimates)
        ),
    )
