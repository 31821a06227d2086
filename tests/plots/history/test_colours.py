"""Strategies' colours on dark paper can be told from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from niah.analysis.nights.trends import Trend
from niah.plots.history.colours import dash_of, on_dark, series_rules, styles_of
from niah.plots.kit.styles import BLACK, CATEGORIES, GREY, PALE, Style, strategy_styles

DARK_PAPER = "#14171a"


def luminance(colour: str) -> float:
    """Relative, of sRGB (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [*CATEGORIES, BLACK, GREY, PALE])
def test_three_to_one_on_dark_paper(colour: str) -> None:
    contrast = (luminance(on_dark(colour)) + 0.05) / (luminance(DARK_PAPER) + 0.05)
    assert contrast >= 3


def test_a_class_for_each_strategy() -> None:
    rules = series_rules({"lc": Style(BLACK), "topk": Style("#0072b2")})
    assert rules.splitlines() == [
        ".s0 { --series: light-dark(#000000, #e4e7ea); }",
        ".s1 { --series: light-dark(#0072b2, #66aad1); }",
    ]


def test_colours_are_those_of_a_report(eventful: list[Trend]) -> None:
    """However readers and their strategies are ordered."""
    names = [replace(eventful[0], strategy=name) for name in ("topk", "dos", "lc", "bm25/half/norm")]
    in_a_report = strategy_styles(["lc", "bm25/half/norm", "dos", "topk"])
    assert styles_of(names) == styles_of(names[::-1]) == in_a_report


def test_reverse_orders_are_dashed() -> None:
    assert (dash_of(Style(BLACK)), dash_of(Style(BLACK, (0, (4, 1.6))))) == ("none", "5 3")
