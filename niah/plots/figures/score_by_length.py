"""Mean score over context length: a panel per reader, a line per strategy (u-niah, figures 4 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

from niah.plots.figures.estimates import COLUMNS, Estimates, bands_label, means, n_label, row_of
from niah.plots.figures.lines import Line, draw_lines, reach
from niah.plots.figures.material import Material
from niah.plots.figures.publish import Painted
from niah.plots.figures.scales import length_place, lowest_score, name_y, plain, x_lengths, y_scores
from niah.plots.figures.sheet import new_sheet, reader_panels


def paint(material: Material) -> Iterator[Painted]:
    """One figure, of the readers with a score."""
    trials = material.trials
    found = means(trials.score, trials.cluster, trials.reader, trials.strategy, trials.length)
    if not found:
        return
    readers = sorted({int(reader) for reader, _, _ in found})
    lengths = sorted({int(length) for _, _, length in found})
    layout = reader_panels([trials.readers[reader] for reader in readers])
    lowest = lowest_score(reach(found.values())[0])
    title = "Score over context length"
    subtitle = f"mean score, 1 to 10, over all depths · {bands_label(found)}"
    sheet = new_sheet(layout, title, subtitle, material.key(strategy for _, strategy, _ in found))
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, trials.readers[reader], n_label(own))
        plain(axes)
        y_scores(axes, lowest)
        x_lengths(axes, lengths, layout.width)
        draw_lines(axes, lines_over_lengths(material, own, lengths))
        if column == 0:
            name_y(axes, "mean score")
    sheet.name_x("context length (tokens)")
    yield Painted(
        "score-by-length",
        title,
        "Each line is one strategy's mean score over all depths, cases and repeats that were scored. Bands "
        "are 95 % intervals that resample whole clusters (needle set × seed), where there are 5 or more.",
        "Scores",
        sheet.figure,
        ("reader", "strategy", "context_length", *COLUMNS),
        tuple(
            (trials.readers[int(reader)], trials.strategies[int(strategy)], int(length), *row_of(point))
            for (reader, strategy, length), point in found.items()
        ),
    )


def lines_over_lengths(material: Material, own: Estimates, lengths: list[int]) -> list[Line]:
    """A line for each strategy that ``own``, by strategy and length, knows."""
    x = tuple(length_place(length) for length in lengths)
    known = {strategy for strategy, _ in own}
    return [
        Line(style, x, tuple(own.get((place, length)) for length in lengths))
        for place, style in enumerate(material.styles.values())
        if place in known
    ]
