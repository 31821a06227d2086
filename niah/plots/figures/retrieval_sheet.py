"""Retrieval completeness over context length, as in figure 9 of u-niah: a panel per number of needles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.stats.bootstrap import Interval
from niah.analysis.tables.retrieval import RetrievalRow, retrieval_rows
from niah.plots.figures.charts.estimates import Estimates, n_label
from niah.plots.figures.charts.lines import draw_lines, lines_of
from niah.plots.kit.scales import length_place, lowest_share, plain, x_lengths, y_shares
from niah.plots.kit.sheet import new_sheet, reader_panels
from niah.plots.kit.styles import strategy_styles
from niah.plots.kit.theme import save, themed
from niah.runs.retrieval import RetrievalRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT, _LEFT = 2.3, 0.75


def retrieval_figure(records: Sequence[RetrievalRecord], folder: Path) -> list[Path]:
    """Draw retrieval.png and retrieval.svg into ``folder``; the files written.

    None where no case has needles. The same records, whatever their seconds, give the same bytes.
    """
    rows = retrieval_rows(records, per_length=True, per_needles=True)
    if not rows:
        return []
    strategies = list(dict.fromkeys(record.strategy for record in records))
    with themed():
        return save(draw_retrieval(rows, strategies), folder, "retrieval")


def draw_retrieval(rows: Sequence[RetrievalRow], strategies: Sequence[str]) -> Figure:
    """One line per strategy in one panel per number of needles. Call it inside ``themed``.

    Args:
        rows: per length, number of needles and strategy; at least one.
        strategies: in the order of the key.
    """
    needles = sorted({row.needles or 0 for row in rows})
    lengths = sorted({row.context_length or 0 for row in rows})
    styles = strategy_styles(strategies)
    layout = reader_panels([needles_label(number) for number in needles], _HEIGHT, _LEFT)
    sheet = new_sheet(
        layout,
        "Retrieval completeness over context length",
        "mean share of needles wholly inside what is retrieved, no reader asked",
        tuple(styles.items()),
    )
    lowest = lowest_share(min(row.completeness for row in rows))
    for index, number in enumerate(needles):
        own = _points([row for row in rows if row.needles == number], strategies)
        axes = sheet.panel(*divmod(index, layout.columns), needles_label(number), n_label(own, "case"))
        plain(axes)
        y_shares(axes, lowest)
        x_lengths(axes, lengths, layout.width)
        draw_lines(axes, lines_of(styles.values(), own, lengths, list(map(length_place, lengths))))
    sheet.name_x("context length (tokens)")
    return sheet.figure


def needles_label(number: int) -> str:
    """How many needles: "1 needle", "3 needles"."""
    return f"{number} needle{'s' if number > 1 else ''}"


def _points(rows: Sequence[RetrievalRow], strategies: Sequence[str]) -> Estimates:
    """Mean completeness by place of the strategy and length, without intervals."""
    return {
        (strategies.index(row.strategy), row.context_length or 0): Interval(
            row.completeness, None, None, row.n, clusters=0
        )
        for row in rows
    }
