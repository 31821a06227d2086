"""The strategies' colours on light and dark paper: those of the figures, made lighter for the dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from niah.analysis.nights.trends import Trend
from niah.plots.kit.styles import BLACK, Style, strategy_styles
from niah.strategies.strategy import strategy_place

_INK_ON_DARK = "#e4e7ea"
_LIGHTER = 0.4


def styles_of(trends: Iterable[Trend]) -> dict[str, Style]:
    """The style of each strategy, as in the report of a run that has all of them."""
    return strategy_styles(sorted({trend.strategy for trend in trends}, key=strategy_place))


def series_rules(styles: Mapping[str, Style]) -> str:
    """CSS: a class s0, s1, ... for each strategy, in their order."""
    return "".join(
        f".s{place} {{ --series: light-dark({style.colour}, {on_dark(style.colour)}); }}\n"
        for place, style in enumerate(styles.values())
    )


def dash_of(style: Style) -> str:
    """SVG's stroke-dasharray: that of reverse orders, or none."""
    return "none" if style.dash == "-" else "5 3"


def on_dark(colour: str) -> str:
    """The colour for dark paper."""
    if colour == BLACK:
        return _INK_ON_DARK
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _LIGHTER):02x}" for part in parts)
