"""Lines that are called by their names where they end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from niah.plots.figures.charts.line_names import LineEnd, name_lines, spread_apart, with_room_for_names
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.sheets.layout import reader_panels
from niah.plots.kit.styles import Style


@given(st.lists(st.floats(0, 2), min_size=1, max_size=6))
def test_names_keep_their_distance_and_their_order(places: list[float]) -> None:
    spread = spread_apart(np.array(sorted(places)), 0.2, 2.0)
    assert spread.min() >= 0
    assert spread.max() <= 2 + 1e-9
    assert (np.diff(spread) >= 0.2 - 1e-9).all()


def test_names_that_do_not_touch_stay_where_their_lines_end() -> None:
    assert spread_apart(np.array([0.1, 0.5, 1.9]), 0.2, 2.0).tolist() == pytest.approx([0.1, 0.5, 1.9])


def test_two_that_touch_move_alike() -> None:
    assert spread_apart(np.array([1.0, 1.0]), 0.2, 2.0).tolist() == pytest.approx([0.9, 1.1])


def test_a_key_does_better_for_many_lines_one_line_and_long_names() -> None:
    layout = reader_panels(["a", "b"])
    roomy = with_room_for_names(layout, ["full context", "dos", "topk"])
    assert roomy is not None
    assert roomy.right > layout.right
    assert roomy.gap > layout.gap
    assert with_room_for_names(layout, ["dos"]) is None
    assert with_room_for_names(layout, [f"top-{k}" for k in range(6)]) is None
    assert with_room_for_names(layout, ["dos", "sentence-transformers/all-mpnet-base-v2"]) is None
    with drawn_for(Page(width=3.0)):
        assert with_room_for_names(layout, ["full context", "dos"]) is None


def test_each_name_is_joined_to_the_end_of_its_line() -> None:
    axes = Figure().subplots()
    axes.set_xlim(0, 4)
    axes.set_ylim(0, 10)
    name_lines(
        axes, [LineEnd(3, 8, Style("#000000"), "upper"), LineEnd(3, 2, Style("#ff0000"), "lower")], 4, 2
    )
    assert [(text.get_text(), text.get_position()[1]) for text in axes.texts] == [("lower", 2), ("upper", 8)]
    (leaders,) = axes.collections
    assert [np.asarray(path.vertices)[0].tolist() for path in leaders.get_paths()] == [[3, 2], [3, 8]]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 4), (0, 10))


def test_nothing_is_drawn_on_from_where_a_line_ends_early() -> None:
    axes = Figure().subplots()
    axes.set_xlim(0, 4)
    axes.set_ylim(0, 10)
    name_lines(axes, [LineEnd(1, 8, Style("#000000"), "early", is_last=False)], 4, 2)
    (leaders,) = axes.collections
    (path,) = leaders.get_paths()
    assert np.asarray(path.vertices)[:, 0].min() > 4
