"""Lines that break where nothing is known."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from niah.analysis.stats import Interval
from niah.plots.figures.charts.estimates import bounds_of, value_range
from niah.plots.figures.charts.lines import Curve, draw_curves
from niah.plots.kit.styles import Style


def point(mean: float, clusters: int = 6) -> Interval:
    return Interval(mean, mean - 1, mean + 1, 10, clusters)


def test_a_gap_is_neither_bridged_nor_zero() -> None:
    axes = Figure().subplots()
    draw_curves(
        axes, [Curve(Style("#000000"), (0, 1, 2, 3, 4), (point(5), point(6), None, point(7), point(8)))]
    )
    drawn = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert drawn == [[[0, 5], [1, 6]], [[3, 7], [4, 8]]]
    assert len(axes.collections) == 2  # a band for each part


def test_a_point_alone_has_a_whisker_for_a_band() -> None:
    axes = Figure().subplots()
    draw_curves(axes, [Curve(Style("#000000"), (0, 1, 2), (None, point(5), None))])
    (whisker,) = axes.collections
    assert np.asarray(whisker.get_paths()[0].vertices).tolist() == [[1, 4], [1, 6]]


def test_a_band_ends_where_clusters_are_too_few() -> None:
    axes = Figure().subplots()
    points = (point(5), point(6), point(7, clusters=2), point(8))
    draw_curves(axes, [Curve(Style("#000000"), (0, 1, 2, 3), points)])
    band, whisker = axes.collections
    across = np.asarray(band.get_paths()[0].vertices)[:, 0]
    assert (across.min(), across.max()) == (0, 1)
    assert np.asarray(whisker.get_paths()[0].vertices).tolist() == [[3, 7], [3, 9]]


def test_few_clusters_have_no_band() -> None:
    assert bounds_of(point(5, clusters=4)) == (5, 5)
    assert bounds_of(Interval(5, None, None, 1, 1)) == (5, 5)
    assert bounds_of(point(5)) == (4, 6)
    assert value_range([point(5), point(9, clusters=2)]) == (4, 9)
