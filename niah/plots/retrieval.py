"""Retrieval completeness over context length, as in figure 9 of u-niah: a panel per number of needles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.analysis.retrieval import RetrievalRow, retrieval_rows
from niah.plots.figures.scales import GRID
from niah.plots.furniture import Box, add_axes, add_titles, new_figure, write
from niah.plots.labels import depth_label, length_labels
from niah.plots.theme import PAPER, QUIET, save, themed
from niah.runs.retrieval import RetrievalRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches.
_LEFT, _TOP = 0.95, 1.2
_PANEL_HEIGHT, _GAP_ACROSS, _GAP_DOWN = 2.3, 0.3, 0.85
_ACROSS = 3
_WIDEST_PANEL, _NARROWEST_PANEL, _ALL_PANELS = 6.4, 3.2, 10.2
_AXIS_NAME, _KEY_TOP, _KEY_LINE, _KEY_SAMPLE, _KEY_EM = 0.52, 0.9, 0.27, 0.55, 0.085

# Okabe and Ito's colours, which the colour-blind can tell apart, without yellow (too pale on white). Shapes
# and dashes say the same again, for print in grey and for lines that lie on each other.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00")
_MARKERS = ("o", "s", "^", "D", "v", "p", "<", ">")
_DASHES = ("-", (0, (5, 1.5)), (0, (2, 1.2)))

# Shares of the x axis: how far apart the markers of two strategies stand, so that both show where they
# retrieve alike, and at most all those of one length.
_DODGE, _WIDEST_DODGE = 0.014, 0.06
# Of the y axis, which all panels share; it begins at the step below the lowest mean, at 50 % at the latest.
_STEP = 0.25
# Doublings of the length that the x axis has to spare at either end.
_MARGIN = 0.4


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
    lowest = min(0.5, floor(min(row.completeness for row in rows) / _STEP) * _STEP)
    across = min(len(needles), _ACROSS)
    down = ceil(len(needles) / across)
    width = max(_NARROWEST_PANEL, min(_WIDEST_PANEL, _ALL_PANELS / across))
    panels = Box(
        _LEFT,
        _TOP,
        across * (width + _GAP_ACROSS) - _GAP_ACROSS,
        down * (_PANEL_HEIGHT + _GAP_DOWN) - _GAP_DOWN,
    )
    columns = _key_columns(strategies, panels.width)
    key = Box(panels.left, panels.top + panels.height + _KEY_TOP, panels.width / columns, _KEY_LINE)
    key_height = ceil(len(strategies) / columns) * _KEY_LINE
    figure = new_figure(replace(panels, height=panels.height + _AXIS_NAME / 2 + key_height), "")
    for index, number in enumerate(needles):
        row, column = divmod(index, across)
        box = Box(
            panels.left + column * (width + _GAP_ACROSS),
            panels.top + row * (_PANEL_HEIGHT + _GAP_DOWN),
            width,
            _PANEL_HEIGHT,
        )
        axes = add_axes(figure, box)
        axes.set_gid("panel")
        members = [one for one in rows if one.needles == number]
        _label(axes, lengths, lowest, is_left=column == 0)
        _draw_lines(axes, members, strategies)
        write(figure, box.left, box.top - 0.2, needles_label(number), fontsize=12, fontweight="bold")
        write(figure, box.left + width, box.top - 0.19, _n(members), ha="right", fontsize=10, color=QUIET)
    middle, below = panels.left + panels.width / 2, panels.top + panels.height + _AXIS_NAME
    write(figure, middle, below, "context length (tokens)", ha="center", fontsize=11, color=QUIET)
    _draw_key(figure, strategies, key, columns)
    subtitle = "mean share of needles wholly inside what is retrieved, no reader asked"
    add_titles(figure, panels, "Retrieval completeness over context length", subtitle)
    return figure


def needles_label(number: int) -> str:
    """How many needles: "1 needle", "3 needles"."""
    return f"{number} needle{'s' if number > 1 else ''}"


def _draw_lines(axes: Axes, rows: Sequence[RetrievalRow], strategies: Sequence[str]) -> None:
    low, high = axes.get_xlim()
    step = min(_DODGE, _WIDEST_DODGE / len(strategies))
    for index, strategy in enumerate(strategies):
        members = [row for row in rows if row.strategy == strategy]
        shift = (high / low) ** (step * (index - (len(strategies) - 1) / 2))
        axes.plot(
            [(row.context_length or 0) * shift for row in members],
            [row.completeness for row in members],
            label=strategy,
            clip_on=False,
            zorder=3 + index,
            **_style(index),
        )


def _style(index: int) -> dict[str, Any]:
    return {
        "color": _COLOURS[index % len(_COLOURS)],
        "marker": _MARKERS[index % len(_MARKERS)],
        "linestyle": _DASHES[index % len(_DASHES)],
        "linewidth": max(1.4, 3.0 - 0.25 * index),  # what lies below another line shows beside it
        "markersize": 7.5,
        "markeredgecolor": PAPER,
        "markeredgewidth": 0.9,
    }


def _label(axes: Axes, lengths: Sequence[int], lowest: float, *, is_left: bool) -> None:
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, length_labels(lengths))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(lengths[0] / 2**_MARGIN, lengths[-1] * 2**_MARGIN)
    axes.set_ylim(lowest, 1 + 0.03 * (1 - lowest))
    shares = [lowest + _STEP * i for i in range(round((1 - lowest) / _STEP) + 1)]
    axes.set_yticks(shares, [depth_label(100 * share) for share in shares] if is_left else [""] * len(shares))
    axes.tick_params(length=0, pad=6, labelsize=10.5)
    axes.grid(color=GRID, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _n(rows: Sequence[RetrievalRow]) -> str:
    """How many cases stand behind each marker: "n = 12 a point", or their range."""
    counts = {row.n for row in rows}
    low, high = min(counts), max(counts)
    return f"n = {low if low == high else f'{low}-{high}'} a point"


def _key_columns(strategies: Sequence[str], width: float) -> int:
    widest = _KEY_SAMPLE + 0.3 + max(map(len, strategies)) * _KEY_EM
    return max(1, min(len(strategies), int(width / widest)))


def _draw_key(figure: Figure, strategies: Sequence[str], cell: Box, columns: int) -> None:
    """The strategies with a sample of each line, row by row below the panels."""
    from matplotlib.lines import Line2D

    width, height = figure.get_size_inches()
    for index, strategy in enumerate(strategies):
        row, column = divmod(index, columns)
        left, top = cell.left + column * cell.width, cell.top + row * cell.height
        across = [left, left + _KEY_SAMPLE / 2, left + _KEY_SAMPLE]
        figure.add_artist(
            Line2D([x / width for x in across], [1 - top / height] * 3, markevery=[1], **_style(index))
        )
        write(figure, left + _KEY_SAMPLE + 0.1, top, strategy, fontsize=10.5)
