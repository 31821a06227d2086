"""A reader's heatmaps, a panel per strategy, with a number in each cell (u-niah, figure 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from niah.analysis.cells import Grid
from niah.plots.figures.charts.estimates import round_value
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmap_sheet import Size, heatmap_sheet
from niah.plots.kit.labels import count_label, sets_label
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.runs.trial import plain_depth

_SIZE = Size(across=10.4, panel=2.4, narrowest=0.36, widest=0.62, height=0.28, most=4)

_APART = (
    " Needle sets that are not asked at the same lengths and depths have rows of their own: together, one "
    "length would differ from the next by what is asked there."
)

HEATMAP_COLUMNS = ("reader", "strategy", "needle_set", "context_length", "depth", "mean", "n", "trials")


def draw_heatmaps(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure per reader."""
    stems = unique_stems({reader: ("heatmaps", reader) for reader in data.readers})
    for reader, stem in stems.items():
        grids = [grid for grid in data.grids_of_like_sets if grid.reader == reader]
        if grids:
            yield _of_reader(reader, stem, grids)


def heatmap_rows(grids: Sequence[Grid]) -> tuple[tuple[str | int | float | None, ...], ...]:
    """Every cell, see ``HEATMAP_COLUMNS``."""
    return tuple(
        (
            grid.reader,
            grid.strategy,
            ", ".join(grid.needle_sets) if grid.needle_set else None,
            cell.context_length,
            plain_depth(cell.depth),
            None if cell.mean is None else round_value(cell.mean),
            cell.n,
            cell.trials,
        )
        for grid in grids
        for cell in grid.cells
        if cell.trials
    )


def _of_reader(reader: str, stem: str, grids: Sequence[Grid]) -> RenderedFigure:
    title = f"{reader}: score by context length and depth"
    subtitle = f"mean score, one colour scale for all figures · {sets_label(grids)} · {count_label(grids)}"
    caption = (
        "Each cell is the mean score of all scored trials at one context length (across) and depth of the "
        "first needle (down). Hatched cells have no score and say why; they count as nothing, not as zero."
        + (_APART if any(grid.needle_set for grid in grids) else "")
    )
    figure = heatmap_sheet(grids, _SIZE, title, subtitle).figure
    return RenderedFigure(stem, title, caption, "Scores", figure, HEATMAP_COLUMNS, heatmap_rows(grids))
