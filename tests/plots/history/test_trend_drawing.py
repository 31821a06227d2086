from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from niah.analysis.nights.trends import Trend
from niah.plots.history.trend_drawing import dash_of, labelled_days, on_dark, series_rules, styles_of
from niah.plots.kit.styles import BLACK, CATEGORIES, GREY, PALE, Style, strategy_styles

LAST = date(2026, 11, 22)


def test_few_days_are_all_named() -> None:
    assert labelled_days(date(2026, 11, 19), LAST, 5) == [date(2026, 11, day) for day in (19, 20, 21, 22)]


def test_one_day() -> None:
    assert labelled_days(LAST, LAST, 5) == [LAST]


def test_weeks_before_the_last_day() -> None:
    assert labelled_days(date(2026, 11, 1), LAST, 5) == [date(2026, 11, day) for day in (1, 8, 15, 22)]


@pytest.mark.parametrize("first", [date(2026, 8, 1), date(2020, 2, 29), date(2000, 1, 1)])
def test_never_too_many_and_always_the_last(first: date) -> None:
    days = labelled_days(first, LAST, 6)
    assert len(days) <= 6
    assert days[-1] == LAST
    assert days == sorted(set(days))
    assert days[0] >= first


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
