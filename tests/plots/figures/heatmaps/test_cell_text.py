"""What cells say at which size."""

from __future__ import annotations

import pytest

from niah.analysis.cells import Cell
from niah.analysis.grouping import OUTCOMES
from niah.plots.figures.heatmaps.cell_text import cell_lines, shows_n
from niah.plots.kit.lettering import width_of
from niah.runs.trial import Outcome

LARGE, COMPACT, NARROW = (0.8, 0.5), (0.62, 0.28), (0.36, 0.28)


def cell(mean: float | None, n: int, **others: int) -> Cell:
    outcomes: dict[Outcome, int] = dict.fromkeys(OUTCOMES, 0)
    outcomes |= {"scored": n, **others}  # type: ignore[dict-item]
    return Cell(512, 0, mean, n, outcomes)


def texts(one: Cell, size: tuple[float, float]) -> list[str]:
    return [line.text for line in cell_lines(one, *size)]


def test_a_mean_says_how_many_trials_it_is_of_where_there_is_room() -> None:
    assert texts(cell(8.5, 2), LARGE) == ["8.5", "n 2"]
    assert texts(cell(5.0, 1, truncated=1), LARGE) == ["5.0", "n 1/2"]
    assert texts(cell(8.5, 2), COMPACT) == ["8.5"]
    assert shows_n(*LARGE)
    assert not shows_n(*COMPACT)


def test_a_gap_says_why_and_how_often() -> None:
    assert texts(cell(None, 0, truncated=3), LARGE) == ["truncated", "3"]
    assert texts(cell(None, 0, reader_error=2, truncated=1), LARGE) == ["reader", "error", "2 of 3"]


def test_a_small_gap_says_why_in_one_word() -> None:
    assert texts(cell(None, 0, truncated=3), COMPACT) == ["truncated"]
    assert texts(cell(None, 0, truncated=3), NARROW) == ["trunc"]


def test_cells_below_one_another_say_once_why_they_have_no_score() -> None:
    (line,) = cell_lines(cell(None, 0, overflow=3), *NARROW, alike=4)
    assert (line.text, line.turned) == ("overflow", True)
    assert width_of(line.text, line.points) <= 4 * NARROW[1]
    (line,) = cell_lines(cell(None, 0, truncated=3), *COMPACT, alike=4)
    assert (line.text, line.turned) == ("truncated", False)


def test_a_cell_that_was_never_planned_says_so() -> None:
    assert texts(cell(None, 0), LARGE) == texts(cell(None, 0), COMPACT) == ["no trial"]
    assert texts(cell(None, 0), NARROW) == ["–"]


@pytest.mark.parametrize("width", [0.1, 0.36, 0.62, 1.05, 4.2])
@pytest.mark.parametrize("height", [0.1, 0.28, 0.34, 0.5])
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_text_stays_in_its_cell_and_no_line_on_another(
    width: float, height: float, outcome: Outcome
) -> None:
    one = cell(10, 1234, refused=99) if outcome == "scored" else cell(None, 0, **{"not_run": 98, outcome: 99})
    lines = cell_lines(one, width, height)
    assert lines
    bottom = -height / 2
    for line in lines:
        assert width_of(line.text, line.points) <= width
        half = 0.5 * line.points / 72
        assert bottom <= line.below - half + 0.01
        bottom = line.below + half
    assert bottom <= height / 2 + 0.01
