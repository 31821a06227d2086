"""What the panels of a sheet hold, and in which size it is written."""

from __future__ import annotations

import pytest

from niah.plots.kit.sheet import facts_points, spread_over_figures


@pytest.mark.parametrize(
    ("items", "parts"),
    [
        ("abcde", [("map", "abcde")]),
        ("abcdef", [("map-1", "abc"), ("map-2", "def")]),
        ("abcdefghijk", [("map-1", "abc"), ("map-2", "defg"), ("map-3", "hijk")]),
        ("", []),
    ],
)
def test_what_is_too_much_for_one_figure_is_spread_evenly(items: str, parts: list[tuple[str, str]]) -> None:
    found = spread_over_figures("map", list(items), 5)
    assert [(name, "".join(part)) for name, part in found] == parts


def test_facts_are_as_small_as_the_longest_must_be() -> None:
    short, long = "a set · n = 30 pairs", "graduation-trials \u00b7 n = 240 pairs"
    assert facts_points([short], 2.0) == facts_points([], 2.0) == 9
    assert 6.5 <= facts_points([long], 2.0) == facts_points([short, long], 2.0) < 9
