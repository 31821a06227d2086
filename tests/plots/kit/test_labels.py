from __future__ import annotations

import pytest

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.plots.kit.labels import (
    amount_label,
    cell_count_label,
    count_label,
    depth_label,
    duration_label,
    mean_label,
    mean_of,
    note_on,
    sets_label,
)
from tests.plots.figures.heatmaps.test_run_heatmaps import SMALL, record


def test_depths_and_means() -> None:
    assert [depth_label(depth) for depth in (0, 12.5, 100.0)] == ["0 %", "12.5 %", "100 %"]
    assert [mean_label(mean) for mean in (10, 9.96, 7, 1)] == ["10", "10.0", "7.0", "1.0"]
    # Halves up, and 5.35 is less than a half in binary: as JavaScript's toFixed.
    assert [mean_label(mean) for mean in (5.25, 4.75, 5.35)] == ["5.3", "4.8", "5.3"]


@pytest.mark.parametrize(
    ("amount", "label"),
    [
        (None, "–"),
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (48_321, "48.3k"),
        (115_200, "115k"),
        (1_234_567, "1.2M"),
    ],
)
def test_amounts(amount: int | None, label: str) -> None:
    assert amount_label(amount) == label


@pytest.mark.parametrize(
    ("seconds", "label"),
    [(None, "–"), (0.44, "0.4 s"), (73.2, "73 s"), (99.6, "2 min"), (720, "12 min"), (12_240, "3.4 h")],
)
def test_durations(seconds: float | None, label: str) -> None:
    assert duration_label(seconds) == label


def test_how_many_trials_stand_behind_the_numbers() -> None:
    assert count_label(cells(trial_frame(SMALL))) == "n = 4 of 8 trials"
    assert count_label(cells(trial_frame(SMALL[:3]))) == "n = 3 trials"
    assert count_label(cells(trial_frame(SMALL[:1]))) == "n = 1 trial"
    assert count_label(cells(trial_frame([record(512, 0, 7)] * 1234))) == "n = 1,234 trials"


def test_how_many_stand_behind_a_cell() -> None:
    assert cell_count_label(cells(trial_frame(SMALL))) == "n = 1–2 a cell"
    assert cell_count_label(cells(trial_frame(SMALL[:2]))) == "n = 2 a cell"
    assert cell_count_label(cells(trial_frame([record(512, 0, outcome="refused")]))) == "n = 0"


def test_means_and_needle_sets() -> None:
    records = [record(512, 0, 7, needle_set=name) for name in ("b", "a", "d", "c")]
    assert [sets_label(cells(trial_frame(records[:count]))) for count in (1, 2, 4)] == [
        "needle set b",
        "needle sets a, b",
        "4 needle sets",
    ]
    assert [mean_of(grid) for grid in cells(trial_frame(SMALL))] == ["mean 5.8"]
    assert mean_of(cells(trial_frame([record(512, 0, outcome="refused")]))[0]) == "no score"


def test_only_marks_that_are_there_are_explained() -> None:
    assert note_on(cells(trial_frame(SMALL))).startswith("◥ some")
    assert note_on(cells(trial_frame(SMALL))).endswith("▨ none was scored, and why")
    assert (
        note_on(cells(trial_frame(SMALL[:4]))) == "▨ none was scored, and why"
    )  # 25 % of 4k was never planned
    assert note_on(cells(trial_frame(SMALL[:2]))) == ""
