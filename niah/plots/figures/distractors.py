"""What distractors do, by their number and hardness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.plots.figures.charts.estimates import COLUMNS, Estimates, bands_label, means, n_label, row_of
from niah.plots.figures.charts.lines import draw_lines, lines_of, value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.trials import Trials
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, plain, y_scores
from niah.plots.kit.sheet import SheetLayout, new_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HARDNESS = ("easy", "medium", "hard", "any")
_NO_DISTRACTOR = -1
_WIDTHS = {1: 6.4, 2: 4.7, 3: 3.3, 4: 2.5}


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure: a row per reader, a column per hardness; cases without distractors stand in every one."""
    trials, found = data.trials, _found(data)
    numbers = sorted({key[3] for key in found})
    columns = sorted({int(key[1]) for key in found} - {_NO_DISTRACTOR})
    if len(numbers) < 2 or not columns:
        return
    readers = sorted({int(key[0]) for key in found})
    layout = SheetLayout(len(readers), len(columns), _WIDTHS[len(columns)], 2.0, gap=0.3)
    title = "The effect of distractors"
    subtitle = f"mean score over the number of distractors, by their hardness · {bands_label(found)}"
    sheet = new_sheet(layout, title, subtitle, data.key(key[2] for key in found))
    lowest = lowest_score(value_range(found.values())[0])
    for row, reader in enumerate(readers):
        for column, hard in enumerate(columns):
            shown = [(reader, _NO_DISTRACTOR), (reader, hard)]
            own = {key[2:]: point for key, point in found.items() if key[:2] in shown}
            heading = trials.readers[reader] if column == 0 else ""
            facts = f"{_hardness_label(hard)} · {n_label(own)}"
            axes = sheet.panel(row, column, heading, facts, span=len(columns))
            plain(axes)
            y_scores(axes, lowest, labelled=column == 0)
            _x_numbers(axes, numbers)
            draw_lines(axes, lines_of(data.styles.values(), own, numbers, range(len(numbers))))
            if column == 0:
                name_y(axes, "mean score")
    sheet.name_x("distractors in the context")
    yield RenderedFigure(
        "distractors",
        title,
        "Distractors look like needles and answer another question: hard ones differ from a needle in one "
        "attribute, medium ones say it in other words, easy ones are only about the same matter.",
        "Scores",
        sheet.figure,
        ("reader", "hardness", "strategy", "distractors", *COLUMNS),
        _rows(trials, found),
    )


def _rows(trials: Trials, found: Estimates) -> tuple[tuple[str | float | int | None, ...], ...]:
    return tuple(
        (
            trials.readers[int(reader)],
            None if hard == _NO_DISTRACTOR else _HARDNESS[int(hard)],
            trials.strategies[int(strategy)],
            int(count),
            *row_of(point),
        )
        for (reader, hard, strategy, count), point in found.items()
    )


def _found(data: FigureData) -> Estimates:
    """Mean scores by reader, hardness, strategy and number, of the trials whose case is known."""
    trials = data.trials
    cases = [data.cases.get(record.case_id) for record in trials.records]
    number = np.array([0 if case is None else case.distractors for case in cases])
    hardness = np.array(
        [
            _HARDNESS.index(case.distractor_hardness) if case and case.distractors else _NO_DISTRACTOR
            for case in cases
        ]
    )
    score = np.where([case is not None for case in cases], trials.score, np.nan)
    return means(score, trials.cluster, trials.reader, hardness, trials.strategy, number)


def _hardness_label(hardness: int) -> str:
    name = _HARDNESS[hardness]
    return "any distractors" if name == "any" else f"{name} distractors"


def _x_numbers(axes: Axes, numbers: Sequence[float]) -> None:
    axes.set_xlim(-0.3, len(numbers) - 0.7)
    axes.set_xticks(range(len(numbers)), [f"{number:g}" for number in numbers])
