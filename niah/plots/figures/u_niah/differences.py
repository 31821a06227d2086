"""RAG minus the whole context, pair by pair: by reader, by needle set, on needles in needles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_names
from niah.analysis.tables.u_niah.settings import needle_sets, nested, rag_strategies, rows_with
from niah.analysis.tables.win_rates import lc_scores
from niah.plots.figures.charts.estimates import names_in
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.u_niah.spreads import (
    GROUP,
    SPREAD_COLUMNS,
    Spread,
    Spreads,
    draw_spread,
    reader_label,
    readers_by_size,
    score_spreads,
)
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, plain, x_lengths, y_numbers
from niah.plots.kit.sheets.key import Key
from niah.plots.kit.sheets.layout import (
    SheetLayout,
    facts_points,
    heading_lines,
    reader_panels,
    spread_over_figures,
)
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import BLUE, GREEN, GREY, PURPLE, VERMILION, Style
from niah.plots.kit.theme import INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_BETTER, _WORSE, _ALIKE = Style(BLUE, "none"), Style(VERMILION, "none", "s"), Style(GREY, "none", "D")
_MEAN = Style(INK, marker="")
_KEY: Key = (
    ("RAG better", _BETTER),
    ("full context better", _WORSE),
    ("alike", _ALIKE),
    ("mean, ± 1 standard deviation", _MEAN),
)
_BACKGROUNDS = (GREEN, VERMILION, BLUE, PURPLE)
_ACROSS, _WIDTHS = 5, {1: 6.4, 2: 4.7, 3: 3.3, 4: 2.5, 5: 2.0}


@dataclass(frozen=True)
class _Gains:
    """RAG minus lc, of some rows.

    Attributes:
        values: shape (n,), NaN in rows that are no pair.
        strategies: what stands for RAG.
        lengths: of the pairs, with their labels.
    """

    values: NDArray[np.float64]
    strategies: Sequence[str]
    lengths: Mapping[int, str]

    @property
    def subtitle(self) -> str:
        """What is subtracted from what."""
        return f"score of {', '.join(self.strategies)} − full context, the same case, reader and repeat"


def _gains(data: FigureData, which: NDArray[np.bool_]) -> _Gains | None:
    """None where there are no pairs, or at one length alone."""
    strategies = rag_strategies(data.frame)
    pairs = rows_with(data.frame, strategies) & which
    values = np.where(pairs, data.frame["score"].to_numpy() - lc_scores(data.frame), np.nan)
    known = sorted(set(data.frame["length"][~np.isnan(values)]))
    return _Gains(values, strategies, {n: data.lengths[n] for n in known}) if len(known) > 1 else None


def draw_figure_7(data: FigureData) -> Iterator[RenderedFigure]:
    """A panel per reader; a mark is a needle set at one length; plain needles."""
    gains = _gains(data, ~nested(data.frame))
    if gains is None:
        return
    marks = score_spreads(data.frame, gains.values, "reader", "needle_set", "haystack", "length")
    means = score_spreads(data.frame, gains.values, "reader", "length")
    readers = readers_by_size(data, names_in(means, 0))
    if len(readers) < 2:
        return
    layout = reader_panels([reader_label(data, name) for name in readers], 2.2)
    title = "u-niah, figure 7: RAG minus the whole context"
    subtitle = f"{gains.subtitle} · a mark is one needle set, over depths and seeds"
    sheet = new_sheet(layout, title, subtitle, _KEY)
    for index, reader in enumerate(readers):
        own = {key: point for key, point in marks.items() if key[0] == reader}
        axes = sheet.panel(*divmod(index, layout.columns), reader_label(data, reader), _pairs(own))
        line = {length: point for (name, length), point in means.items() if name == reader}
        _axes(axes, marks, means, gains, sheet.layout)
        _draw(axes, data, own, line)
        if index % layout.columns == 0:
            name_y(axes, "RAG − full context")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "u-niah-figure-7",
        title,
        "Above the line retrieval scores higher than the whole context on the same cases, below it lower. "
        "Bands are one standard deviation of single differences, as in the paper, and no interval.",
        GROUP,
        sheet.figure,
        ("reader", "needle_set", "haystack", "context_length", *SPREAD_COLUMNS),
        tuple((*key[:3], data.length_value(key[3]), *point.row) for key, point in marks.items()),
    )


def draw_figure_8(data: FigureData) -> Iterator[RenderedFigure]:
    """Readers down, needle sets across; a mark is a depth at one length; plain needles."""
    gains = _gains(data, ~nested(data.frame))
    if gains is None:
        return
    import pandas as pd

    frame = data.frame.assign(at_depth=pd.Categorical(data.frame["depth"]))
    marks = score_spreads(frame, gains.values, "reader", "needle_set", "at_depth", "length")
    means = score_spreads(frame, gains.values, "reader", "needle_set", "length")
    readers = readers_by_size(data, names_in(means, 0))
    sets = [name for name in needle_sets(frame, ~np.isnan(gains.values)) if name in names_in(means, 1)]
    if len(sets) < 2:
        return
    for name, part in spread_over_figures("u-niah-figure-8", sets, _ACROSS):
        yield _by_case(data, name, gains, marks, means, readers, part)


def _by_case(
    data: FigureData,
    name: str,
    gains: _Gains,
    marks: Spreads,
    means: Spreads,
    readers: Sequence[str],
    sets: Sequence[str],
) -> RenderedFigure:
    width = _WIDTHS[len(sets)]
    labels = [reader_label(data, reader) for reader in readers]
    lines = max(heading_lines(sets, width), heading_lines(labels, width * len(sets)))
    shown = {
        (reader, needle_set): {key: point for key, point in marks.items() if key[:2] == (reader, needle_set)}
        for reader in readers
        for needle_set in sets
    }
    facts = {key: f"{key[1]} · {_pairs(own) if own else 'no pair'}" for key, own in shown.items()}
    layout = SheetLayout(
        *(len(readers), len(sets), width, 1.5),
        heading_lines=lines,
        facts_points=facts_points(facts.values(), width),
    )
    title = "u-niah, figure 8: RAG minus the whole context by needle set"
    sheet = new_sheet(layout, title, f"{gains.subtitle} · a mark is one depth, over seeds", _KEY)
    for row, reader in enumerate(readers):
        for column, needle_set in enumerate(sets):
            heading = labels[row] if column == 0 else ""
            axes = sheet.panel(row, column, heading, facts[reader, needle_set], span=len(sets))
            _axes(axes, marks, means, gains, sheet.layout, labelled=column == 0)
            line = {key[2]: point for key, point in means.items() if key[:2] == (reader, needle_set)}
            _draw(axes, data, shown[reader, needle_set], line)
            if column == 0:
                name_y(axes, "RAG − full context")
    sheet.name_x("context length (tokens)")
    return RenderedFigure(
        name,
        title,
        "The same differences, every needle set by itself: how hard the question is decides who wins. Sets "
        "of few elements stand on the left, of many on the right.",
        GROUP,
        sheet.figure,
        ("reader", "needle_set", "depth", "context_length", *SPREAD_COLUMNS),
        tuple(
            (*key[:3], data.length_value(key[3]), *point.row)
            for key, point in marks.items()
            if key[1] in sets
        ),
    )


def draw_figure_14(data: FigureData) -> Iterator[RenderedFigure]:
    """Needles in needles: a panel per reader, those that think last; a colour per haystack."""
    gains = _gains(data, nested(data.frame))
    if gains is None:
        return
    marks = score_spreads(data.frame, gains.values, "reader", "haystack", "length")
    readers = readers_by_size(data, names_in(marks, 0))
    if len(readers) < 2:
        return
    haystacks = [name for name in category_names(data.frame, "haystack") if name in names_in(marks, 1)]
    styles = {
        name: Style(_BACKGROUNDS[index % len(_BACKGROUNDS)], marker="os^D"[index % 4])
        for index, name in enumerate(haystacks)
    }
    layout = reader_panels([reader_label(data, name) for name in readers], 2.2)
    title = "u-niah, figure 14: RAG minus the whole context on needles in needles"
    sheet = new_sheet(layout, title, f"{gains.subtitle} · over depths and seeds", list(styles.items()))
    bare = {key: point._replace(sd=None) for key, point in marks.items()}
    for index, reader in enumerate(readers):
        own = {key: point for key, point in bare.items() if key[0] == reader}
        axes = sheet.panel(*divmod(index, layout.columns), reader_label(data, reader), _pairs(own))
        _axes(axes, marks, bare, gains, sheet.layout)
        for haystack, style in styles.items():
            line = {key[2]: point for key, point in own.items() if key[1] == haystack}
            if line:
                draw_spread(axes, style, line, data.length_places(sorted(line)))
        if index % layout.columns == 0:
            name_y(axes, "RAG − full context")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "u-niah-figure-14",
        title,
        "Needles that hide in long passages, on each background: above the line retrieval scores higher than "
        "the whole context. Models that think stand last, where the config says which they are.",
        GROUP,
        sheet.figure,
        ("reader", "haystack", "context_length", *SPREAD_COLUMNS),
        tuple((*key[:2], data.length_value(key[2]), *point.row) for key, point in marks.items()),
    )


def _axes(
    axes: Axes, marks: Spreads, means: Spreads, gains: _Gains, layout: SheetLayout, *, labelled: bool = True
) -> None:
    """Lengths across, differences up, the same in every panel; a line where both are alike."""
    values = [point.mean for point in marks.values()]
    ends = [end for point in means.values() for end in point.ends]
    plain(axes)
    y_numbers(axes, min(-0.5, *values, *ends), max(0.5, *values, *ends), labelled=labelled)
    x_lengths(axes, gains.lengths, layout.width)
    axes.axhline(0, color=INK, linewidth=1.0, zorder=2, linestyle=(0, (4, 3)))


def _draw(axes: Axes, data: FigureData, marks: Spreads, line: Mapping[int, Spread]) -> None:
    """Marks by who is better, and the mean over them with its band."""
    if not line:
        return
    draw_spread(axes, _MEAN, line, data.length_places(sorted(line)))
    sides: tuple[tuple[Style, Callable[[float], bool]], ...] = (
        (_BETTER, lambda gain: gain > 0),
        (_WORSE, lambda gain: gain < 0),
        (_ALIKE, lambda gain: gain == 0),
    )
    for style, holds in sides:
        points = [(key[-1], point.mean) for key, point in marks.items() if holds(point.mean)]
        if points:
            places = data.length_places([length for length, _ in points])
            axes.plot(
                [places[length] for length, _ in points],
                [gain for _, gain in points],
                linestyle="none",
                marker=style.marker,
                markersize=4.5,
                color=style.colour,
                markeredgecolor=PAPER,
                markeredgewidth=0.5,
                alpha=0.85,
                zorder=4,
                clip_on=False,
            )


def _pairs(points: Spreads) -> str:
    return f"n = {sum(point.n for point in points.values()):,} pairs"
