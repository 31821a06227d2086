"""Published means beside the run's, for the same model, strategy, needle set and context length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from niah.analysis.lengths import length_labels
from niah.analysis.stats import Interval, mean_interval
from niah.analysis.tables.published_comparison import counterparts
from niah.analysis.trial_columns import LENGTH_BANDS
from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    Clusters,
    Estimates,
    bounds_of,
    interval_label,
    n_label,
    round_value,
    row_of,
)
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.lettering import fitted
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, names_width, x_scores
from niah.plots.kit.sheets.inches import write
from niah.plots.kit.sheets.layout import SheetLayout
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.plots.kit.styles import BLUE, GREY, Style
from niah.plots.kit.theme import QUIET
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PRINTED, _OURS = Style(GREY, "none", "D", filled=False), Style(BLUE)
_KEY = (("published, bar: ± 1 standard deviation", _PRINTED), ("this run", _OURS))
_ACROSS, _WIDTHS = 4, {1: 5.6, 2: 3.7, 3: 2.6, 4: 2.0}
_LINE, _NAMES = 0.32, 2.0
_EDGE = 0.15
_HEADING_COLOUR = "#eef0f2"
# A longer list than this is two figures.
_MOST_LINES = 40

_Place: TypeAlias = tuple[int, int]
"""Where on the axis of lengths a number belongs: place of its band, -1 for none, and tokens, 0 for none."""


@dataclass(frozen=True)
class _Pair:
    """A printed mean and the run's."""

    number: ReferenceNumber
    reader: str
    strategy: str
    ours: Interval

    @property
    def place(self) -> _Place:
        return LENGTH_BANDS.index(self.number.band) if self.number.band else -1, self.number.length or 0

    @property
    def case(self) -> str:
        """What was asked, and where it is printed."""
        asked = self.number.dataset or "all needle sets"
        haystack = f" in {self.number.haystack}" if self.number.haystack else ""
        return f"{asked}{haystack} · {self.number.paper}, {self.number.source}"

    @property
    def difference(self) -> float:
        """This run's mean minus the printed one."""
        return self.ours.estimate - self.number.value

    @property
    def printed(self) -> tuple[float, float]:
        """From where to where its standard deviation reaches, on the scale of scores."""
        sd = self.number.sd or 0.0
        return max(LOWEST, self.number.value - sd), min(HIGHEST, self.number.value + sd)


@dataclass(frozen=True)
class _ListLine:
    """One line of the list: a heading without pairs, or a strategy with its pairs at several lengths."""

    text: str
    pairs: Mapping[_Place, _Pair]
    bold: bool = False


def draw_beside_papers(data: FigureData) -> Iterator[RenderedFigure]:
    """A list of cases and strategies, a column per length; several figures where the list is long."""
    parts = _parts(_pairs(data))
    for index, pairs in enumerate(parts):
        name = "beside-papers" + (f"-{index + 1}" if len(parts) > 1 else "")
        yield _rendered(name, pairs, data.clusters)


def _pairs(data: FigureData) -> list[_Pair]:
    """By reader and case as printed; without those of which the run has no score."""
    scores, clusters = data.frame["score"].to_numpy(), np.asarray(data.frame["cluster"])
    pairs = []
    for found in counterparts(data.frame, data.published):
        rows = found.rows[~np.isnan(scores[found.rows])]
        if len(rows):
            ours = mean_interval(scores[rows], clusters[rows])
            pairs.append(_Pair(found.number, found.reader, found.strategy, ours))
    cases = list(dict.fromkeys(pair.case for pair in pairs))
    strategies = data.strategies
    return sorted(pairs, key=lambda p: (p.reader, cases.index(p.case), strategies.index(p.strategy), p.place))


def _parts(pairs: Sequence[_Pair]) -> list[list[_Pair]]:
    """The pairs of each figure: whole cases, as many as it has lines for."""
    parts: list[list[_Pair]] = []
    for _, members in groupby(pairs, key=lambda pair: (pair.reader, pair.case)):
        case = list(members)
        if parts and len(_lines([*parts[-1], *case])) <= _MOST_LINES:
            parts[-1] += case
        else:
            parts.append(case)
    return parts


def _lines(pairs: Sequence[_Pair]) -> list[_ListLine]:
    """Readers with their cases, and these with their strategies."""
    lines: list[_ListLine] = []
    for reader, cases in groupby(pairs, key=lambda pair: pair.reader):
        lines.append(_ListLine(reader, {}, bold=True))
        for case, strategies in groupby(cases, key=lambda pair: pair.case):
            lines.append(_ListLine(case, {}))
            for strategy, members in groupby(strategies, key=lambda pair: pair.strategy):
                lines += [_ListLine(spoken(strategy), row) for row in _rows(members)]
    return lines


def _rows(pairs: Iterable[_Pair]) -> list[dict[_Place, _Pair]]:
    """One row, or more where a length has several numbers: of other embedding models, say."""
    rows: list[dict[_Place, _Pair]] = []
    for pair in pairs:
        free = next((row for row in rows if pair.place not in row), None)
        if free is None:
            rows.append(free := {})
        free[pair.place] = pair
    return rows


def _rendered(name: str, pairs: Sequence[_Pair], clusters: Clusters) -> RenderedFigure:
    lines = _lines(pairs)
    places = sorted({pair.place for pair in pairs})
    names = [line.text if line.pairs else "" for line in lines]
    layout = _layout(names, len(places))
    title = "Beside published numbers"
    estimates: Estimates = {(index,): pair.ours for index, pair in enumerate(pairs)}
    subtitle = f"mean score · {interval_label(estimates, 'whiskers', clusters)}"
    note = (
        "On the right: this run minus published. · "
        "The bar is how far single scores lie apart, not how well a mean is known."
    )
    sheet = new_sheet(layout, title, subtitle, _KEY, note)
    lowest = lowest_score(min(min(pair.printed[0], bounds_of(pair.ours)[0]) for pair in pairs))
    for index, place in enumerate(places):
        own: Estimates = {(i,): pair.ours for i, pair in enumerate(pairs) if pair.place == place}
        axes = sheet.named_rows(index, _place_label(place), n_label(own), names)
        x_scores(axes, lowest)
        for at, line in enumerate(lines):
            if place in line.pairs:
                _draw(axes, at, line.pairs[place])
        row, column = divmod(index, layout.columns)
        if column == 0:
            _head(sheet, row, lines)
    sheet.name_x("mean score")
    return RenderedFigure(
        name,
        title,
        f"Means printed in {_sources(pairs)}, beside this run's for the same model, strategy, needle set and "
        "context length. Judge, seeds and texts are not the paper's.",
        "Scores",
        sheet.figure,
        ("paper", "source", "reader", "strategy", "needle_set", "haystack", "context", "published",
         "published_sd", *ESTIMATE_COLUMNS, "difference"),
        tuple(_row(pair) for pair in pairs),
    )  # fmt: skip


def _layout(names: Sequence[str], lengths: int) -> SheetLayout:
    columns = min(lengths, _ACROSS)
    left = max(names_width(names, _NAMES), 1.0) + 0.3
    return SheetLayout(
        ceil(lengths / columns), columns, _WIDTHS[columns], _LINE * len(names), left, gap=0.55, right=0.6
    )


def _place_label(place: _Place) -> str:
    band, length = place
    parts = [LENGTH_BANDS[band]] * (band >= 0) + length_labels([length]) * (length > 0)
    return f"{', '.join(parts)} tokens" if parts else "all lengths"


def _draw(axes: Axes, row: int, pair: _Pair) -> None:
    """The printed mean, large and hollow, and ours upon it, so that both show where they agree."""
    axes.hlines(row, *pair.printed, colors=GREY, linewidths=7, alpha=0.28, zorder=2)
    axes.hlines(row, *bounds_of(pair.ours), colors=BLUE, linewidths=1.8, zorder=4)
    for value, style, size, zorder in (
        (pair.number.value, _PRINTED, 8.0, 3),
        (pair.ours.estimate, _OURS, 6.0, 5),
    ):
        look = {**style.line, "linestyle": "none", "markersize": size}
        axes.plot(value, row, zorder=zorder, clip_on=False, **look)
    axes.annotate(
        _signed(pair.difference), (1, row), (8, 0), xycoords=axes.get_yaxis_transform(),
        textcoords="offset points", va="center", fontsize=9, color=QUIET,
    )  # fmt: skip


def _signed(difference: float) -> str:
    """With one decimal and its sign; 0.0 has none."""
    return f"{difference:+z.1f}".replace("+0.0", "0.0").replace("-", "−")


def _head(sheet: Sheet, row: int, lines: Sequence[_ListLine]) -> None:
    """Readers and cases, each on a bar across all columns."""
    from matplotlib.patches import Rectangle

    layout, box = sheet.layout, sheet.box(row, 0)
    width, height = sheet.figure.get_size_inches()
    across = box.left + layout.panels_width + layout.right - 2 * _EDGE
    for at, line in enumerate(lines):
        if line.pairs:
            continue
        middle = box.top + (at + 0.5) * _LINE
        corner = (_EDGE / width, 1 - (middle + 0.42 * _LINE) / height)
        size = (across / width, 0.84 * _LINE / height)
        bar = Rectangle(
            corner, *size, facecolor=_HEADING_COLOUR, transform=sheet.figure.transFigure, zorder=1
        )
        sheet.figure.add_artist(bar)
        text, points = fitted(line.text, 11.0 if line.bold else 9.5, across - 0.2, bold=line.bold)
        weight = "bold" if line.bold else "normal"
        write(sheet.figure, _EDGE + 0.1, middle, text, fontsize=points, fontweight=weight)


def _sources(pairs: Sequence[_Pair]) -> str:
    """The papers, each with where its numbers stand: "u-niah (table 1, table 4)"."""
    papers: dict[str, dict[str, None]] = {}
    for pair in pairs:
        papers.setdefault(pair.number.paper, {})[pair.number.source] = None
    return " and ".join(f"{paper} ({', '.join(sources)})" for paper, sources in papers.items())


def _row(pair: _Pair) -> tuple[str | int | float | None, ...]:
    number = pair.number
    return (
        number.paper, number.source, pair.reader, pair.strategy, number.dataset, number.haystack,
        _place_label(pair.place), number.value, number.sd, *row_of(pair.ours),
        round_value(pair.difference),
    )  # fmt: skip
