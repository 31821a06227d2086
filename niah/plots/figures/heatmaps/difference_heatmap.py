"""One run less another, or one model less another, by context length and depth: where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.compare import Comparison, Row
from niah.analysis.frame import row_groups, trial_frame
from niah.analysis.lengths import length_labels
from niah.analysis.pairs import Pairs, axis_names
from niah.plots.kit.labels import depth_label
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, thinned
from niah.plots.kit.sheets.layout import SheetLayout, headed_alike
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.plots.kit.theme import INK, MISSING, PAPER, ink_on
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap
    from numpy.typing import NDArray
    from pandas import DataFrame

_NAME = "difference-heatmap"
_ACROSS, _CELL, _NARROWEST, _WIDEST = 8.4, 0.34, 2.3, 4.2
_LEAST_END = 2
_FEW = 8
"""Cells of fewer pairs say so."""
_COLUMNS = ("reader", "strategy", "context_length", "depth", "n", "needle_sets", "difference")


@dataclass(frozen=True)
class DifferenceMap:
    """What two runs differ by, of one reader and strategy.

    Attributes:
        reader, strategy: whose.
        lengths, depths: of the columns and the rows, rising.
        n: pairs with a score on both sides, shape (depths, lengths).
        needle_sets: whose pairs those are, by row and column; cells without a pair are not there.
        difference: later less earlier mean score; NaN where there is no pair.
        worse: whether the verdict names a cell's length or depth as significantly worse, or of two models as
            worse or better.
        all_worse: whether it names the reader and strategy as a whole.
    """

    reader: str
    strategy: str
    lengths: tuple[int, ...]
    depths: tuple[float, ...]
    n: NDArray[np.int64]
    needle_sets: Mapping[tuple[int, int], tuple[str, ...]]
    difference: NDArray[np.float64]
    worse: NDArray[np.bool_]
    all_worse: bool


def difference_maps(pairs: Pairs, comparison: Comparison) -> list[DifferenceMap]:
    """One for each reader and strategy with a depth, by name; none where no question has a depth."""
    count = len(pairs.baseline)
    both = trial_frame((*pairs.baseline, *pairs.candidate))
    earlier, later = both[:count], both[count:].reset_index(drop=True)
    leads = later["score"].to_numpy() - earlier["score"].to_numpy()
    named = list(_named(comparison))
    by_place = _covered(later, comparison, [row for row in named if not _is_whole(row)])
    whole = _covered(later, comparison, [row for row in named if _is_whole(row)])
    made = []
    placed = np.flatnonzero(later["depth"].notna())
    length, depth, asked = (later[name].to_numpy() for name in ("context_length", "depth", "needle_set"))
    for (reader, strategy), rows in row_groups(later, "reader", "strategy", rows=placed):
        lengths, depths = np.unique(length[rows]), np.unique(depth[rows])
        shape = len(depths), len(lengths)
        at = np.searchsorted(depths, depth[rows]), np.searchsorted(lengths, length[rows])
        known = ~np.isnan(leads[rows])
        n, total, marked = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape, bool)
        np.add.at(n, (at[0][known], at[1][known]), 1)
        np.add.at(total, (at[0][known], at[1][known]), leads[rows][known])
        np.logical_or.at(marked, at, by_place[rows])
        mean = np.where(n > 0, total / np.maximum(n, 1), np.nan)
        sets: dict[tuple[int, int], set[str]] = {}
        for row, column, name in zip(at[0][known], at[1][known], asked[rows][known], strict=True):
            sets.setdefault((int(row), int(column)), set()).add(str(name))
        axes = tuple(lengths.tolist()), tuple(depths.tolist())
        own = {place: tuple(sorted(names)) for place, names in sets.items()}
        made.append(
            DifferenceMap(reader, strategy, *axes, n, own, mean, marked & (n > 0), bool(whole[rows].all()))
        )
    return made


def _named(comparison: Comparison) -> Iterator[Row]:
    """The rows of scores that the verdict names and their worst cells, of two models both ways."""
    for way in (comparison, *([comparison.other_way] if comparison.other_way else [])):
        for row, cell in zip(way.verdict.regressions, way.verdict.cells, strict=True):
            if row.measure == "score":
                yield cell or row


def _is_whole(row: Row) -> bool:
    """Whether it is of a reader, a strategy, both or all: not of a place, nor of a needle set."""
    return set(row.parts) <= {"reader", "strategy"}


def _covered(frame: DataFrame, comparison: Comparison, rows: Sequence[Row]) -> NDArray[np.bool_]:
    """Whether each trial, shape (n,), is in one of these rows; rows of needle sets say nothing of places."""
    named = {axis: np.array(axis_names(frame, axis), dtype=object) for axis in comparison.by}
    covered = np.zeros(len(frame), dtype=bool)
    for row in rows:
        if not {"needle_set", "question_set"} & set(row.parts):
            inside = [named[axis] == part for axis, part in row.parts.items()]
            covered |= np.logical_and.reduce([np.ones(len(frame), dtype=bool), *inside])
    return covered


def draw_difference(pairs: Pairs, comparison: Comparison) -> RenderedFigure | None:
    """A panel per reader and strategy; None where no question has a depth. Call it inside ``themed``."""
    maps = difference_maps(pairs, comparison)
    if not any(each.n.any() for each in maps):
        return None
    lengths = max(len(each.lengths) for each in maps)
    depths = max(len(each.depths) for each in maps)
    across = min(len(maps), max(1, int(_ACROSS / max(_NARROWEST, 0.45 * lengths))))
    width = min(_WIDEST, _ACROSS / across)
    words = _figure_words(comparison)
    headings = [
        spoken(each.strategy, first=True)
        if comparison.readers
        else f"{each.reader} · {spoken(each.strategy)}"
        for each in maps
    ]
    layout = SheetLayout(
        *(ceil(len(maps) / across), across, width, max(0.8, _CELL * depths)),
        gap=0.75,
        right=1.05,
    )
    sheet = new_sheet(
        headed_alike(layout, headings), words.title, words.subtitle, note=_note(maps, comparison, words.found)
    )
    largest = max(np.nanmax(np.abs(each.difference)) for each in maps if each.n.any())
    end = max(_LEAST_END, ceil(largest))
    mesh = None
    for index, (each, heading) in enumerate(zip(maps, headings, strict=True)):
        mesh = _draw(sheet, index, heading, each, end, words.found) or mesh
    assert mesh is not None
    sheet.add_colour_bar(mesh, (-end, -end / 2, 0, end / 2, end), words.bar)
    sheet.name_x("context length (tokens)")
    return RenderedFigure(
        _NAME,
        words.title,
        f"{words.colours} Frames mark the lengths and depths that the comparison names as "
        f"{words.found}; a colour alone is no finding.",
        "Scores",
        sheet.figure,
        (*_COLUMNS, words.found.replace(" ", "_")),
        tuple(
            (each.reader, each.strategy, length, depth, int(each.n[i, j]),
             ", ".join(each.needle_sets.get((i, j), ())), _rounded(each.difference[i, j]),
             bool(each.worse[i, j] or each.all_worse))
            for each in maps
            for i, depth in enumerate(each.depths)
            for j, length in enumerate(each.lengths)
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class _FigureWords:
    """What the figure says; ``found`` is what frames mark."""

    title: str
    subtitle: str
    colours: str
    bar: str
    found: str


def _figure_words(comparison: Comparison) -> _FigureWords:
    if comparison.readers:
        first, second = comparison.readers
        return _FigureWords(
            f"{second} less {first}, by context length and depth",
            f"mean score of {second} less that of {first}, of the same cases",
            f"Red: {second} is worse, blue: {second} is better, white: no difference.",
            "difference",
            "significantly different",
        )
    return _FigureWords(
        "What changed, by context length and depth",
        f"mean score of {comparison.candidate} less {comparison.baseline}, of the same trials",
        "Red is worse, blue is better, white is unchanged.",
        "change",
        "significantly worse",
    )


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)


def _draw(
    sheet: Sheet, index: int, heading: str, each: DifferenceMap, end: int, found: str
) -> ScalarMappable | None:
    mean = float(np.nansum(each.difference * each.n) / max(each.n.sum(), 1))
    named = f", {found}" if each.all_worse else ""
    facts = f"{_signed(mean)} in all{named} · n = {_cell_counts(each)} a cell"
    axes = sheet.panel(*divmod(index, sheet.layout.columns), heading, facts)
    axes.set_facecolor(MISSING)
    axes.tick_params(length=0, pad=4, labelsize=8.5)
    for side in axes.spines.values():
        side.set_visible(False)
    colours = _colours()
    shown = np.ma.masked_invalid(each.difference)
    mesh = axes.pcolormesh(shown, cmap=colours, vmin=-end, vmax=end, edgecolors=PAPER, linewidth=0.8)
    axes.invert_yaxis()
    if index % sheet.layout.columns == 0:
        name_y(axes, "depth")
    step = sheet.layout.width / len(each.lengths)
    middles = [(place + 0.5) * step for place in range(len(each.lengths))]
    axes.set_xticks(np.arange(len(middles)) + 0.5, thinned(length_labels(each.lengths), middles, 8.5))
    axes.set_yticks(np.arange(len(each.depths)) + 0.5, [depth_label(depth) for depth in each.depths])
    _write(axes, each, colours, end, step)
    return mesh if each.n.any() else None


def _write(axes: Axes, each: DifferenceMap, colours: Colormap, end: int, step: float) -> None:
    """The difference in each cell that has room for it, and the frames."""
    from matplotlib.patches import Rectangle

    for (row, column), value in np.ndenumerate(each.difference):
        if each.worse[row, column]:
            corner = (column + 0.04, row + 0.06)
            axes.add_patch(Rectangle(corner, 0.92, 0.88, fill=False, edgecolor=INK, linewidth=1.6))
        if not np.isnan(value) and step >= 0.36:
            ink = ink_on(colours((value + end) / (2 * end)))
            place: dict[str, Any] = {"ha": "center", "va": "center", "color": ink}
            n = int(each.n[row, column])
            if n >= _FEW:
                axes.text(column + 0.5, row + 0.5, _signed(value), fontsize=8.5, **place)
                continue
            axes.text(column + 0.5, row + 0.34, _signed(value), fontsize=8.5, **place)
            axes.text(column + 0.5, row + 0.76, f"n {n}", fontsize=6.0, **place)


def _cell_counts(each: DifferenceMap) -> str:
    """How many pairs cells with any have: "12", or "4–12"."""
    counts = each.n[each.n > 0]
    low, high = (int(counts.min()), int(counts.max())) if counts.size else (0, 0)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _note(maps: Sequence[DifferenceMap], comparison: Comparison, found: str) -> str:
    """What frames are, which needle sets a change sits in, and that cells differ in theirs; or ""."""
    notes = []
    if any(each.worse.any() for each in maps):
        notes.append(f"▢ framed: a length or depth that the comparison names as {found}")
    if any(len(set(each.needle_sets.values())) > 1 for each in maps):
        notes.append("Needle sets differ from cell to cell (see the CSV): so may what changed.")
    return "      ".join(notes)


def _signed(value: float) -> str:
    """With its sign: "+0.4", "−1.2"; "0" for none."""
    text = f"{abs(value):.1f}"
    return "0" if text == "0.0" else f"{'+' if value > 0 else '−'}{text}"


def _colours() -> Colormap:
    """Red to blue by way of white; safe for the colour-blind."""
    import seaborn

    colours: Colormap = seaborn.color_palette("RdBu", as_cmap=True)
    return colours
