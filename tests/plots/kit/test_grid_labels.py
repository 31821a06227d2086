"""What is said of heatmaps."""

from __future__ import annotations

from niah.analysis.cells import cells
from niah.plots.kit.grid_labels import cell_count_label, count_label, mean_of, note_on, sets_label
from tests.plots.figures.heatmaps.test_run_heatmaps import SMALL, record


def test_how_many_trials_stand_behind_the_numbers() -> None:
    assert count_label(cells(SMALL)) == "n = 4 of 8 trials"
    assert count_label(cells(SMALL[:3])) == "n = 3 trials"
    assert count_label(cells(SMALL[:1])) == "n = 1 trial"
    assert count_label(cells([record(512, 0, 7)] * 1234)) == "n = 1,234 trials"


def test_how_many_stand_behind_a_cell() -> None:
    assert cell_count_label(cells(SMALL)) == "n = 1–2 a cell"
    assert cell_count_label(cells(SMALL[:2])) == "n = 2 a cell"
    assert cell_count_label(cells([record(512, 0, outcome="refused")])) == "n = 0"


def test_means_and_needle_sets() -> None:
    records = [record(512, 0, 7, needle_set=name) for name in ("b", "a", "d", "c")]
    assert [sets_label(cells(records[:count])) for count in (1, 2, 4)] == [
        "needle set b",
        "needle sets a, b",
        "4 needle sets",
    ]
    assert [mean_of(grid) for grid in cells(SMALL)] == ["mean 5.8"]
    assert mean_of(cells([record(512, 0, outcome="refused")])[0]) == "no score"


def test_only_marks_that_are_there_are_explained() -> None:
    assert note_on(cells(SMALL)).startswith("◥ some")
    assert note_on(cells(SMALL)).endswith("▨ none was scored, and why")
    assert note_on(cells(SMALL[:4])) == "▨ none was scored, and why"  # 25 % of 4k was never planned
    assert note_on(cells(SMALL[:2])) == ""
