"""What a score takes: tokens, or money, with the front that nothing beats (dos-rag, figures 1, 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log2, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.stats import Interval
from niah.analysis.tables.table import TableValue
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    Estimates,
    bounds_of,
    interval_label,
    means,
    names_in,
    round_value,
    row_of,
    value_range,
)
from niah.plots.figures.common_cases import CommonCases, common_cases
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.labels import amount_label
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, plain, thinned, y_scores
from niah.plots.kit.sheets.layout import reader_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import Style
from niah.strategies.strategy import spoken, strategy_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

FRONT = "#8c959f"
_LEAST_TICKS = 2


@dataclass(frozen=True)
class _Price:
    """What is set against scores.

    Attributes:
        figure, title: of the figure.
        axis: the horizontal axis's name.
        column: the name in CSV files.
        lacking: what a case that is left out has not got.
        factor: of the axis's numbers over those in CSV files.
    """

    figure: str
    title: str
    axis: str
    column: str
    lacking: str
    factor: int = 1


_TOKENS = _Price(
    "score-by-tokens",
    "Score against tokens",
    "mean prompt tokens a trial, with all calls for its question",
    "prompt_tokens",
    "score or tokens",
)
_COST = _Price(
    "score-by-cost",
    "Score against cost",
    "mean cost of 1,000 trials (US $)",
    "cost_usd",
    "score or price",
    factor=1000,
)


def draw_score_by_tokens(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score against mean prompt tokens, a panel per reader, a point per strategy."""
    tokens = (data.frame["prompt_tokens"] + data.frame["first_tokens"]).to_numpy()
    yield from _against(data, np.where(tokens > 0, tokens, np.nan), _TOKENS)


def draw_score_by_cost(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score against mean cost, where prices are known and not nought."""
    cost = (data.frame["cost"] + data.frame["first_cost"]).to_numpy()
    yield from _against(data, np.where(cost > 0, cost, np.nan), _COST)


def front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points, cheapest first, that no other beats: none is cheaper with as high a score, or better."""
    kept: list[tuple[float, float]] = []
    for price, score in sorted(points, key=lambda point: (point[0], -point[1])):
        if not kept or score > kept[-1][1]:
            kept.append((price, score))
    return kept


def _against(data: FigureData, takes: NDArray[np.float64], price: _Price) -> Iterator[RenderedFigure]:
    """Mean score against the mean of what trials take, shape (n,); trials that lack either are left out."""
    score = data.frame["score"].to_numpy()
    compared = common_cases(data.frame, ~np.isnan(takes) & ~np.isnan(score))
    if not compared:
        return
    known = np.concatenate([one.rows for one in compared.values()])
    counted = np.full(len(score), np.nan)
    counted[known] = score[known]
    found = means(data.frame, counted, "reader", "strategy")
    prices = {
        names: float(takes[rows].mean())
        for names, rows in row_groups(data.frame, "reader", "strategy", rows=known)
    }
    yield RenderedFigure(
        price.figure,
        price.title,
        "Up and to the left is better. The stepped line joins the strategies that no other beats at the same "
        "price or less; a point below it pays more for less. What must know where the needles are and what "
        "reads nothing is never on it: dotted lines are their means. All strategies of a reader stand on the "
        "same cases, those that each of them has a score and a price for: what fails on long contexts would "
        "else look cheap.",
        "Cost",
        _drawn(data, price, compared, found, prices),
        ("reader", "strategy", price.column, "on_front", *ESTIMATE_COLUMNS),
        tuple(_rows(found, prices)),
    )


def _drawn(
    data: FigureData,
    price: _Price,
    compared: Mapping[str, CommonCases],
    found: Estimates,
    prices: Mapping[tuple[Any, ...], float],
) -> Figure:
    """A panel per reader.

    Args:
        data: all trials.
        price: what is set against scores.
        compared: by reader, the cases that count.
        found: mean scores by reader and strategy.
        prices: what these take.
    """
    readers, drawn = names_in(found, 0), set(names_in(found, 1))
    layout = reader_panels(readers, 2.8)
    whiskers = interval_label(found, "whiskers", data.clusters)
    line = "the line is the front that none that can be shipped beats"
    sheet = new_sheet(
        layout,
        price.title,
        f"each point one strategy, all on the same cases; {line} · {whiskers}",
        [(spoken(name), _looks(name, style)) for name, style in data.styles.items() if name in drawn],
        _left_out_note(compared, price.lacking),
    )
    lowest = lowest_score(value_range(found.values())[0])
    on_axis = {key: price.factor * each for key, each in prices.items()}
    for index, reader in enumerate(readers):
        own = {key[1]: (on_axis[key], point) for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, reader, _facts(compared[reader]))
        plain(axes, "both")
        y_scores(axes, lowest)
        x_prices(axes, list(on_axis.values()), sheet.layout.width, money=price is _COST)
        _draw(axes, own, data.styles)
        if column == 0:
            name_y(axes, "mean score")
    sheet.name_x(price.axis)
    return sheet.figure


def _rows(found: Estimates, prices: Mapping[tuple[Any, ...], float]) -> Iterator[tuple[TableValue, ...]]:
    """A row per reader and strategy: what it takes, whether it is on its reader's front, its score."""
    shipped = {key for key in found if strategy_of(key[1]).is_deployable}
    fronts = {
        reader: front(
            [(prices[key], found[key].estimate) for key in found if key in shipped and key[0] == reader]
        )
        for reader in names_in(found, 0)
    }
    for key, point in found.items():
        on_front = key in shipped and (prices[key], point.estimate) in fronts[key[0]]
        yield (*key, round_value(prices[key]), on_front, *row_of(point))


def _facts(compared: CommonCases) -> str:
    of_all = "" if compared.common == compared.cases else f" of {compared.cases:,}"
    return f"n = {compared.common:,}{of_all} trials a point"


def _left_out_note(compared: Mapping[str, CommonCases], lacking: str) -> str:
    """Which trials and strategies are not compared, and why; "" where all are."""
    said = []
    for reader, one in compared.items():
        parts = []
        if one.missing:
            strategy, most = next(iter(one.missing.items()))
            parts.append(
                f"{one.cases - one.common:,} trials a point ({most:,} for want of {spoken(strategy)}’s)"
            )
        if one.left_out:
            many = len(one.left_out)
            parts.append(f"{many} {'strategies' if many > 1 else 'strategy'} with too few of them")
        if parts:
            said.append(f"{reader}: {', '.join(parts)}")
    why = f"Left out, where any strategy has no {lacking}"
    return f"{why} · {' · '.join(said)}" if said else ""


def _looks(strategy: str, style: Style) -> Style:
    """What stands for a strategy: a mark, or a dotted line where nobody can ship it."""
    known = strategy_of(strategy)
    if known.is_ceiling or known.is_floor:
        return replace(style, dash=":", marker="")
    return replace(style, dash="none")


def _draw(axes: Axes, own: Mapping[str, tuple[float, Interval]], styles: Mapping[str, Style]) -> None:
    points = {name: own[name] for name in own if strategy_of(name).is_deployable}
    if best := front([(price, point.estimate) for price, point in points.values()]):
        ends = [*best, (2 ** axes.get_xlim()[1], best[-1][1])]
        x, y = [log2(price) for price, _ in ends], [score for _, score in ends]
        axes.step(x, y, where="post", color=FRONT, linewidth=1.4, zorder=1.5)
    for name, (price, point) in own.items():
        style, strategy = styles[name], strategy_of(name)
        if strategy.is_ceiling or strategy.is_floor:
            axes.axhline(point.estimate, zorder=1.4, **_looks(name, style).line)
            continue
        axes.vlines(log2(price), *bounds_of(point), colors=style.colour, linewidths=1.6, alpha=0.45, zorder=2)
        axes.plot(
            log2(price),
            point.estimate,
            clip_on=False,
            zorder=3,
            **{**_looks(name, style).line, "markersize": 8},
        )


def x_prices(axes: Axes, prices: Sequence[float], inches: float, *, money: bool) -> None:
    """A log axis with ticks at 1, 2, 5, 10, at least two of them: of tokens, or of money."""
    left, right = log2(min(prices)), log2(max(prices))
    margin = max(0.5, (right - left) * 0.07)
    left, right = left - margin, right + margin
    coins = _coins(prices)
    if sum(left <= log2(coin) <= right for coin in coins) < _LEAST_TICKS:
        left = min(left, max(log2(coin) for coin in coins if coin < min(prices)))
        right = max(right, min(log2(coin) for coin in coins if coin > max(prices)))
    axes.set_xlim(left, right)
    ticks = [coin for coin in coins if left <= log2(coin) <= right]
    per_inch = (right - left) / inches
    texts = [f"{tick:g}" if money else amount_label(round(tick)).replace(".0", "") for tick in ticks]
    axes.set_xticks([log2(t) for t in ticks], thinned(texts, [log2(t) / per_inch for t in ticks]))


def _coins(prices: Sequence[float]) -> list[float]:
    powers = range(floor(log10(min(prices))) - 1, ceil(log10(max(prices))) + 2)
    return [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
