"""Ticks and limits."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matplotlib.figure import Figure

from niah.plots.figures.frontier import x_prices
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.scales import (
    length_place,
    lowest_score,
    names_width,
    round_ticks,
    thinned,
    x_shares,
    y_names,
    y_numbers,
)


def test_lengths_stand_at_their_binary_logarithm() -> None:
    assert [length_place(n) for n in (1024, 2048, 131072)] == [10, 11, 17]


def test_labels_with_room_all_stay() -> None:
    assert thinned(["1k", "2k", "4k"], [0, 1, 2]) == ["1k", "2k", "4k"]


def test_ends_and_powers_of_two_stay_before_others() -> None:
    labels = ["1k", "32k", "48k", "64k", "128k"]
    assert thinned(labels, [0, 1, 1.3, 1.6, 2.2]) == ["1k", "32k", "", "64k", "128k"]


@pytest.mark.parametrize(("least", "lowest"), [(1.0, 1), (4.9, 4), (7.3, 7), (9.8, 7), (-3.0, 1)])
def test_score_axes_begin_at_a_whole_number(least: float, lowest: int) -> None:
    assert lowest_score(least) == lowest


@pytest.mark.parametrize(
    ("low", "high"), [(0, 0.1), (0, 1), (-2.4, 2.9), (0, 37), (-0.5, 0.5), (0, 1234), (0.5, 0.9), (3, 3)]
)
def test_round_ticks_span_and_are_few(low: float, high: float) -> None:
    ticks = round_ticks(low, high)
    assert ticks[0] <= low + 1e-9
    assert ticks[-1] >= high - 1e-9
    assert 2 <= len(ticks) <= 8
    steps = {round(b - a, 9) for a, b in pairwise(ticks)}
    assert len(steps) == 1


def test_an_axis_of_numbers_ends_where_they_end() -> None:
    axes = Figure().subplots()
    y_numbers(axes, 0, 4.4)
    assert axes.get_yticks().tolist() == [0, 1, 2, 3, 4]
    assert axes.get_ylim() == pytest.approx((-0.132, 4.532))


@pytest.mark.parametrize("tokens", [[5270.0], [1000.0], [62.0, 1100.0], [130.0, 2500.0, 5200.0]])
def test_tokens_stand_between_two_ticks_or_more_of_1_2_and_5(tokens: list[float]) -> None:
    axes = Figure().add_axes((0, 0, 1, 1))
    x_prices(axes, tokens, 4.0, money=False)
    ticks = [label.get_text() for label in axes.get_xticklabels()]
    assert len(ticks) >= 2
    assert {tick.rstrip("k").rstrip("0") for tick in ticks} <= {"1", "2", "5"}


def test_names_of_rows_leave_a_narrow_page_to_what_is_drawn() -> None:
    names = ["full context", "bm25/budget-250/document@100"]
    with drawn_for(Page(width=3.3)):
        narrow = names_width(names)
        axes = Figure(figsize=(3.3, 2)).add_axes((0.4, 0.2, 0.3, 0.5))
        y_names(axes, names, narrow)
        x_shares(axes)
    assert narrow < 1.1 < names_width(names)
    assert axes.get_yticklabels()[1].get_text() == "bm25/budget-250/\ndocument@100"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "25", "50", "", "100 %"]
