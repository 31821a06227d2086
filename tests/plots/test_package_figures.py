"""Figures of packages: what is made of what they give."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from matplotlib.figure import Figure

from niah.analysis.frame import trial_frame
from niah.plots.figures.figure_data import FigureData, ReportFigure, figure_data
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.registry import FIGURES, _drawn_by_package


def test_the_name_of_a_reader_in_a_figures_name_is_no_folder() -> None:
    def draw(data: FigureData) -> Iterator[RenderedFigure]:
        for name in ("counts--openai/gpt-4o", "counts--Plain_1.5"):
            yield RenderedFigure(name, "Counts", "Counts.", "Scores", Figure(), ("a",), ((1,),))

    said: list[str] = []
    drawn = _drawn_by_package("counts", ReportFigure(draw), figure_data(trial_frame([])), said.append)
    assert [one.name for one in drawn] == ["counts--openai-gpt-4o", "counts--Plain_1.5"]
    assert not said


def test_rows_that_do_not_fit_their_columns_are_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(data: FigureData) -> Iterator[RenderedFigure]:
        yield RenderedFigure("counts", "Counts", "Counts.", "Scores", Figure(), ("a", "b"), ((1, 2), (3,)))

    said: list[str] = []
    monkeypatch.setattr(FIGURES, "package", lambda name: "theirs 0.1")
    assert not _drawn_by_package("counts", ReportFigure(draw), figure_data(trial_frame([])), said.append)
    problem = "ValueError: a row of counts has not as many values as there are columns"
    assert said == [f"the figure counts of theirs 0.1 cannot be drawn: {problem}."]
