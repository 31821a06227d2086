"""What the panels of a sheet hold, and in which size it is written."""

from __future__ import annotations

import pytest

from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.sheets.layout import facts_points, reader_panels, row_panels, spread_over_figures
from niah.plots.kit.sheets.sheet import new_sheet, title_points
from niah.plots.kit.styles import Style


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


def keyed(readers: int, names: int) -> tuple[float, list[float]]:
    """The height of a figure for so many readers, and where its key's names stand, from below."""
    layout = reader_panels([f"reader-{place}" for place in range(readers)])
    style = Style("#000000")
    sheet = new_sheet(layout, "A title", "says", [(f"line-{place}", style) for place in range(names)])
    height = sheet.figure.get_size_inches()[1]
    return height, [
        text.get_position()[1] * height for text in sheet.figure.texts if "line" in text.get_text()
    ]


def test_a_key_stands_where_a_panel_is_missing() -> None:
    (full, below), (free, inside) = keyed(9, 4), keyed(8, 4)
    assert max(below) < 1
    assert min(inside) > max(below)
    assert free < full


def test_a_key_that_has_no_room_there_stands_below() -> None:
    assert min(keyed(8, 60)[1]) < 1


def test_three_readers_with_rows_leave_no_place_empty() -> None:
    assert (row_panels(["a", "b", "c"], 1.0, 2.0).columns, row_panels(["a", "b", "c"], 1.0, 2.0).empty) == (
        3,
        0,
    )
    assert row_panels(["a", "b", "c"], 3.0, 2.0).columns == 2  # names of rows so long leave no room for three


def test_five_readers_stand_in_one_row_where_there_is_room() -> None:
    names = [f"reader-{place}" for place in range(5)]
    layout = reader_panels(names)
    assert (layout.rows, layout.columns, layout.empty) == (1, 5, 0)
    assert layout.total_width < 12.9
    with drawn_for(Page(width=12)):
        assert reader_panels(names).columns == 3


@pytest.mark.parametrize("title", ["Short", "Long enough for a second line " * 4])
def test_a_title_ends_above_what_is_written_below_it(title: str) -> None:
    figure = new_sheet(reader_panels(["one"]), title, "what is drawn").figure
    figure.draw_without_rendering()
    height = figure.get_size_inches()[1] * figure.dpi
    heading, subtitle = (text.get_window_extent() for text in figure.texts[:2])
    end = height - title_points(figure) / 72 * figure.dpi
    assert subtitle.y1 <= end < heading.y0
    with drawn_for(Page(titled=False)):
        assert title_points(new_sheet(reader_panels(["one"]), title, "what is drawn").figure) == 0
