"""Facts read from drawn heatmaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from niah.analysis.cells import Cell, cells
from niah.analysis.frame import trial_frame
from niah.analysis.grouping import OUTCOMES
from niah.plots.figures.figure_data import figure_data
from niah.plots.figures.heatmaps.cell_text import cell_lines
from niah.plots.figures.heatmaps.heatmap_matrix import draw_heatmap_matrix
from niah.plots.figures.heatmaps.heatmaps import draw_heatmaps
from niah.plots.figures.heatmaps.tiles import on_axes
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.theme import themed
from tests.plots.figures.heatmaps.test_run_heatmaps import SMALL, record
from tests.plots.figures.simulated_records import World, simulate


@pytest.fixture(autouse=True)
def _themed() -> Iterator[None]:
    with themed():
        yield


def collections(figure: Any) -> dict[str, Any]:
    (canvas,) = [axes for axes in figure.axes if axes.get_gid() == "canvas"]
    return {found.get_gid(): found for found in canvas.collections if found.get_gid()}


def test_colours_are_the_means_and_the_rest_is_hatched() -> None:
    # 8.5 and 5 at depth 0, 1 at depth 25; three trials cut off at 4k.
    (rendered,) = draw_heatmaps(figure_data(trial_frame(SMALL)))
    found = collections(rendered.figure)
    assert np.asarray(found["scored"].get_array()).tolist() == [8.5, 5, 1]
    assert found["scored"].get_clim() == (1, 10)
    assert len(found["missing"].get_paths()) == 1
    assert found["missing"].get_hatch()
    assert len(found["partial"].get_paths()) == 1


def test_the_table_has_every_cell_and_no_zero_for_the_missing_one() -> None:
    (rendered,) = draw_heatmaps(figure_data(trial_frame(SMALL)))
    places = [rendered.columns.index(name) for name in ("context_length", "depth", "mean", "n", "trials")]
    assert [tuple(row[place] for place in places) for row in rendered.rows] == [
        (512, 0, 8.5, 2, 2),
        (4096, 0, 5, 1, 2),
        (512, 25, 1, 1, 1),
        (4096, 25, None, 0, 3),
    ]


def test_every_figure_has_one_and_the_same_scale() -> None:
    world = World(lengths=(1000, 2000), depths=(0, 100), strategies=("lc", "topk"), seeds=(1,))
    data = figure_data(trial_frame(*simulate(world)))
    rendered = [*draw_heatmaps(data), *draw_heatmap_matrix(data)]
    assert len(rendered) == 4 + 1 + 4
    for one in rendered:
        meshes = [
            mesh for axes in one.figure.axes for mesh in axes.collections if mesh.get_array() is not None
        ]
        assert {(mesh.get_clim(), mesh.get_cmap().name) for mesh in meshes} == {((1, 10), "viridis")}
        assert len([axes for axes in one.figure.axes if axes.get_gid() == "colour-bar"]) == 1


def test_readers_with_other_depths_stand_on_common_axes() -> None:
    # Lengths 512 and 1024, depths 0 and 50, for both.
    records = [record(512, 0, 10), record(512, 50, 7), record(1024, 50, 5, reader="simulated-b")]
    (rendered,) = [
        one for one in draw_heatmap_matrix(figure_data(trial_frame(records))) if one.name == "heatmaps"
    ]
    found = collections(rendered.figure)
    assert len(found["scored"].get_paths()) == 3
    assert "missing" not in found  # what was not asked is left empty


def test_needle_sets_of_other_lengths_have_rows_of_their_own() -> None:
    records = [
        *(record(length, 0, 10, reader=reader) for length in (512, 1024) for reader in ("a", "b")),
        *(record(512, 0, 1, reader=reader, needle_set="hard") for reader in ("a", "b")),
    ]
    data = figure_data(trial_frame(records))
    for one in draw_heatmaps(data):
        assert np.asarray(collections(one.figure)["scored"].get_array()).tolist() == [1, 10, 10]
        assert "rows of their own" in one.caption
        assert [row[one.columns.index("needle_set")] for row in one.rows] == ["hard", "pizza", "pizza"]
    (matrix,) = [one for one in draw_heatmap_matrix(data) if one.name == "heatmaps"]
    said = {text.get_text() for text in matrix.figure.texts}
    assert {"full context · pizza", "full context · hard"} <= said


@pytest.mark.parametrize(("strategies", "across"), [(7, 4), (6, 3), (5, 3), (4, 2)])
def test_no_panel_stands_alone_in_the_last_row(strategies: int, across: int) -> None:
    names = [f"bm25/top-{k}/norm" for k in range(1, strategies + 1)]
    records = [record(1000 * k, 0, 10, strategy=name) for k in range(1, 9) for name in names]
    (one,) = draw_heatmaps(figure_data(trial_frame(records)))
    corners = [path.vertices.min(axis=0) for path in collections(one.figure)["scored"].get_paths()]
    rows = {round(float(top), 3) for _, top in corners}
    assert len(rows) == -(-strategies // across)
    assert one.figure.get_size_inches()[0] < 13


def test_a_grid_keeps_its_cells_on_wider_axes() -> None:
    grid = on_axes(cells(trial_frame(SMALL))[0], (512, 1024, 4096), (0, 25, 50))
    assert [[cell.mean for cell in row] for row in grid.rows] == [
        [8.5, None, 5],
        [1, None, None],
        [None, None, None],
    ]
    assert grid.rows[0][1].trials == 0


@pytest.mark.parametrize("width", [None, 3.3])
def test_the_matrix_names_every_length_that_has_room(width: float | None) -> None:
    world = World(lengths=(1000, 2000, 4000), depths=(0, 100), strategies=("lc", "topk"), seeds=(1,))
    with drawn_for(Page(width=width)):
        matrix, *_ = draw_heatmap_matrix(figure_data(trial_frame(*simulate(world))))
    said = [text.get_text() for text in matrix.figure.texts]
    assert said.count("1k") == said.count("2k") == said.count("4k") > 0


def cell(mean: float) -> Cell:
    return Cell(512, 0, mean, 2, dict.fromkeys(OUTCOMES, 0) | {"scored": 2})


def test_all_figures_write_a_mean_as_pages_and_tables_do() -> None:
    assert [cell_lines(cell(mean), 0.8, 0.28)[0].text for mean in (10, 9.97, 8.5, 1)] == [
        *("10", "10.0", "8.5", "1.0")
    ]
