"""The figure of a reader: as the numbers are, and the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from niah.analysis.nights.trends import Trend
from niah.plots.history.figure import draw_history
from niah.plots.kit.saved_figure import save_figure
from niah.plots.kit.theme import themed


def test_a_panel_for_each_strategy(eventful: list[Trend]) -> None:
    with themed():
        (rendered,) = draw_history(eventful)
        panels = [axes for axes in rendered.figure.axes if axes.get_gid() == "panel"]
        lines = [[np.asarray(line.get_xdata()).tolist() for line in axes.lines] for axes in panels]
    assert len(panels) == 2
    first = eventful[0].nights[0].date.toordinal()
    # One line of 16 nights in each panel: what is beyond the gap is not joined.
    long = [[line for line in panel if len(line) > 2] for panel in lines]
    assert long == [[[first + place for place in range(16)]]] * 2
    assert len(rendered.rows) == 2 * 20


def test_the_same_bytes_each_time(eventful: list[Trend], tmp_path: Path) -> None:
    with themed():
        drawn = [save_figure(next(draw_history(eventful)), tmp_path / name) for name in ("a", "b")]
    assert drawn[0].svg.read_bytes() == drawn[1].svg.read_bytes()
    assert drawn[0].png.read_bytes() == drawn[1].png.read_bytes()
    assert drawn[0].name == "history-nightly--simulated"
