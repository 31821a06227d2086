"""Which side alone is correct, or better, by knowledge source and type of question.

long-context-vs-rag, figures 3 and 4 (correct), 6 and 7 (better).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from niah.analysis.stats import Interval
from niah.analysis.tables.rag_papers.lc_vs_rag import lc_vs_rag_shares
from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import ESTIMATE_COLUMNS, interval_label, row_of, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import names_width
from niah.plots.kit.sheets.layout import row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import BLUE, VERMILION, Style
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIDES = {"lc": ("full context", Style(BLUE, "-", "o")), "rag": ("retrieval", Style(VERMILION, "-", "s"))}
_COLUMNS = ("reader", "strategy", "by", "part", "side", *ESTIMATE_COLUMNS)
_ALL = "all"
_SOURCES = ("knowledge source", "source")
"""The first of them that questions have."""

_TYPES = ("question type",)

_Numbers = tuple[float, float | None, float | None, int, int]
_Panel = tuple[str, str]
_Found = dict[tuple[str, str, str, str, str], Interval]
"""By reader, strategy, facet, part of it, and side."""


def draw_lc_vs_rag_figure_3(data: FigureData) -> Iterator[RenderedFigure]:
    """Questions that one side alone answers correctly, by knowledge source."""
    return _drawn(data, "3", _SOURCES, "only", "knowledge source")


def draw_lc_vs_rag_figure_4(data: FigureData) -> Iterator[RenderedFigure]:
    """Questions that one side alone answers correctly, by type of question."""
    return _drawn(data, "4", _TYPES, "only", "type of question")


def draw_lc_vs_rag_figure_6(data: FigureData) -> Iterator[RenderedFigure]:
    """Questions that one side answers better, by knowledge source."""
    return _drawn(data, "6", _SOURCES, "better", "knowledge source")


def draw_lc_vs_rag_figure_7(data: FigureData) -> Iterator[RenderedFigure]:
    """Questions that one side answers better, by type of question."""
    return _drawn(data, "7", _TYPES, "better", "type of question")


def _drawn(
    data: FigureData, number: str, facets: Sequence[str], what: str, by: str
) -> Iterator[RenderedFigure]:
    """One figure; none where no facet has two parts."""
    found = _shares(data, facets, what)
    panels = list(dict.fromkeys((reader, strategy) for reader, strategy, *_ in found))
    if not panels:
        return
    parts = [_ALL, *(part for part in dict.fromkeys(key[3] for key in found) if part != _ALL)]
    names = [_panel_name(panel, panels) for panel in panels]
    layout = row_panels(names, names_width(parts), 0.4 * len(parts) + 0.15)
    says = "alone correct" if what == "only" else "better"
    title = f"Which side is {says}, by {by}"
    whiskers = interval_label(dict(found), "whiskers", data.clusters)
    key = [(f"{name} {says}", style) for name, style in _SIDES.values()]
    sheet = new_sheet(layout, title, f"share of questions · {whiskers}", key)
    highest = value_range(found.values())[1]
    repeats = int(data.frame["repeat"].nunique())
    for index, (panel, name) in enumerate(zip(panels, names, strict=True)):
        own = {key[3:]: point for key, point in found.items() if key[:2] == panel}
        axes = sheet.named_rows(index, name, _pairs_label(own[_ALL, "lc"].n, repeats), parts)
        _share_axis(axes, highest)
        sides = [(style, [own.get((part, side)) for part in parts]) for side, (_, style) in _SIDES.items()]
        draw_dots(axes, sides)
    sheet.name_x("share of questions")
    yield RenderedFigure(
        f"lc-vs-rag-figure-{number}",
        title,
        f"As figure {number} of long-context-vs-rag: shares of the questions of each row. "
        + ("A side alone is correct where the other is not." if what == "only" else _BETTER),
        "Retrieval",
        sheet.figure,
        _COLUMNS,
        tuple((*key, *row_of(point)) for key, point in found.items()),
    )


_BETTER = "A side is better where it alone is correct, or where neither is and its F1 is higher."


def _shares(data: FigureData, facets: Sequence[str], what: str) -> _Found:
    """Both sides' shares by the first of these facets that is there, with the row of all questions first."""
    rows = lc_vs_rag_shares(data.frame).rows
    facet = next((each for each in facets if any(row[2] == each for row in rows)), None)
    pattern = "only_{}" if what == "only" else "{}_better"
    names = {pattern.format(side): side for side in _SIDES}
    found: _Found = {}
    for row in rows if facet else ():
        reader, strategy, by, part, share_of, share, low, high, pairs, documents = row
        if by in (facet, _ALL) and share_of in names:
            numbers = cast("_Numbers", (share, low, high, pairs, documents))
            found[str(reader), str(strategy), str(by), str(part), names[str(share_of)]] = Interval(*numbers)
    return found


def _panel_name(panel: _Panel, panels: Sequence[_Panel]) -> str:
    reader, strategy = panel
    several = len({each[0] for each in panels}) > 1
    return f"{reader} · {spoken(strategy)}" if several else spoken(strategy)


def _pairs_label(pairs: int, repeats: int) -> str:
    """How many questions; where they were asked again, how many pairs of answers."""
    return f"n = {pairs:,} questions" if repeats == 1 else f"n = {pairs:,} pairs, in {repeats} repeats"


def _share_axis(axes: Axes, highest: float) -> None:
    """Shares from 0, in percent, to the next quarter or tenth above the highest."""
    end = next((each for each in (0.1, 0.25, 0.5) if highest <= each), 1.0)
    ticks = [end * place / 5 for place in range(6)]
    axes.set_xlim(0, end)
    axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks[:-1]] + [f"{100 * end:g} %"])
