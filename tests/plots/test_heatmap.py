"""Facts read from the drawn figures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from niah.analysis.cells import cells
from niah.plots.heatmap import draw_heatmap, heatmaps
from niah.plots.overview import draw_overview
from niah.plots.panel import score_colour
from niah.plots.theme import ink_on, themed
from niah.runs.trial import Outcome, TrialRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def record(
    length: int, depth: float, score: int | None = None, outcome: Outcome = "scored", **changes: Any
) -> TrialRecord:
    plain = TrialRecord(
        "t", "c", "pizza", "essays", length, depth, 1, "lc", "simulated", 0, outcome, score=score
    )
    return replace(plain, **changes)


# lc        512           4k
#   0 %     10, 7 -> 8.5  5, truncated -> 5, in part
#  25 %     1 -> 1        truncated 3
SMALL = [
    record(512, 0, 10),
    record(512, 0, 7),
    record(512, 25, 1),
    record(4096, 0, 5),
    record(4096, 0, outcome="truncated"),
    *[record(4096, 25, outcome="truncated")] * 3,
]


def sweep(
    lengths: Sequence[int],
    depths: Sequence[float],
    strategies: Sequence[str],
    sets: Sequence[str] = ("pizza",),
) -> list[TrialRecord]:
    """Simulated records with a dip in the middle and every outcome somewhere."""
    random = Random(1)
    outcomes: list[Outcome] = ["refused", "truncated", "overflow", "reader_error", "judge_error", "not_run"]
    records = []
    for strategy in strategies:
        for needle_set in sets:
            for length in lengths:
                for depth in depths:
                    blocked = random.random() < 0.15
                    outcome = random.choice(outcomes) if blocked else "scored"
                    score = None if blocked else random.choice([1, 3, 5, 7, 10])
                    changes: dict[str, Any] = {"strategy": strategy, "needle_set": needle_set}
                    records += [
                        record(length, depth, score, outcome, **changes),
                        record(length, depth, 7, **changes),
                    ]
                    if blocked:
                        records[-1] = records[-2]
    return records


@pytest.fixture(autouse=True)
def _themed() -> Iterator[None]:
    with themed():
        yield


def panels(figure: Figure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_gid() == "panel"]


def drawn(axes: Axes) -> list[list[float]]:
    """The coloured values, row by row; -1 where there is none."""
    values: Any = axes.collections[0].get_array()
    return values.filled(-1).tolist()  # type: ignore[no-any-return]


def patches(axes: Axes) -> list[Any]:
    return list(axes.patches)


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_drawn_values_are_the_means() -> None:
    (axes,) = panels(draw_heatmap(cells(SMALL)[0]))
    assert drawn(axes) == [[8.5, 5], [1, -1]]
    assert axes.get_ylim() == (2, 0)  # 0 % is on top


def test_cells_say_mean_and_n() -> None:
    (axes,) = panels(draw_heatmap(cells(SMALL)[0]))
    assert texts(axes) == ["8.5", "n 2", "5.0", "n 1/2", "1.0", "n 1", "truncated\n3"]


def test_a_cell_with_nothing_scored_is_hatched_and_a_partial_one_marked() -> None:
    (axes,) = panels(draw_heatmap(cells(SMALL)[0]))
    (hatched,) = [patch for patch in patches(axes) if patch.get_hatch()]
    assert hatched.get_xy() == (1, 1)
    (corner,) = [patch for patch in patches(axes) if patch.get_gid() == "partial"]
    assert corner.get_xy()[:, 0].max() == 2
    assert corner.get_xy()[:, 1].min() == 0


def test_a_cell_that_was_never_planned_says_so() -> None:
    (axes,) = panels(draw_heatmap(cells([record(512, 0, 10), record(4096, 25, 3)])[0]))
    assert texts(axes).count("no trial") == 2


def test_axes_are_labelled_as_people_say_them() -> None:
    (axes,) = panels(draw_heatmap(cells(SMALL)[0]))
    assert [label.get_text() for label in axes.get_xticklabels()] == ["512", "4k"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0 %", "25 %"]


def test_titles_say_reader_strategy_needle_set_and_n() -> None:
    assert words(draw_heatmap(cells(SMALL)[0]))[:2] == [
        "simulated · lc",
        "mean 5.8 · needle set pizza · n = 4 of 8 trials",
    ]


def test_marks_are_explained_only_where_they_are() -> None:
    assert words(draw_heatmap(cells(SMALL)[0]))[-1].startswith("◥")
    assert "◥" not in "".join(words(draw_heatmap(cells(SMALL[:3])[0])))


def test_overview_shows_every_strategy_and_needle_set_once() -> None:
    strategies, sets = ["lc", "bm25/half/norm", "minilm/top-5/norm"], ["pizza", "potion"]
    grids = cells(sweep([1000, 2000], [0, 50, 100], strategies, sets), per_needle_set=True)
    figure = draw_overview(grids)
    expected = [
        [[-1 if cell.mean is None else cell.mean for cell in row] for row in grid.rows] for grid in grids
    ]
    assert [drawn(axes) for axes in panels(figure)] == expected
    boxes = [axes.get_position() for axes in panels(figure)]
    assert len({round(box.x0, 6) for box in boxes}) == 3  # a column per strategy
    assert len({round(box.y0, 6) for box in boxes}) == 2  # a row per needle set
    assert {"lc", "bm25/half/norm", "minilm/top-5/norm", "pizza", "potion"} <= set(words(figure))


def test_one_needle_set_and_many_strategies_wrap() -> None:
    strategies = [f"bm25/top-{k}/norm" for k in range(1, 8)]
    figure = draw_overview(cells(sweep(range(1000, 14000, 1000), [0, 50], strategies), per_needle_set=True))
    assert len(panels(figure)) == 7
    assert figure.get_size_inches()[0] < 16


def test_one_colour_scale_everywhere_and_one_bar() -> None:
    grids = cells(sweep([1000, 2000], [0, 100], ["lc", "oracle"], ["pizza", "potion"]), per_needle_set=True)
    figures = [draw_overview(grids), *map(draw_heatmap, grids)]
    for figure in figures:
        assert {axes.collections[0].get_clim() for axes in panels(figure)} == {(1, 10)}
        assert {axes.collections[0].get_cmap().name for axes in panels(figure)} == {"viridis"}
        (bar,) = [axes for axes in figure.axes if axes.get_gid() == "colour-bar"]
        assert [label.get_text() for label in bar.get_yticklabels()] == ["1", "3", "5", "7", "10"]


@pytest.mark.parametrize("tenths", range(10, 101, 5))
def test_ink_stands_out_on_every_score(tenths: int) -> None:
    def luminance(colour: Sequence[float]) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    colour = score_colour(tenths / 10)
    ink = [int(ink_on(colour)[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    dark, light = sorted((luminance(colour), luminance(ink)))
    assert (light + 0.05) / (dark + 0.05) > 3.9


@pytest.mark.parametrize(("lengths", "depths"), [(1, 1), (1, 11), (4, 5), (13, 5)])
def test_no_labels_overlap_or_leave_the_figure(lengths: int, depths: int) -> None:
    at = [round(100 * i / max(1, depths - 1)) for i in range(depths)]
    strategies = ["lc", "bm25/half/document", "mixpr/budget-4000/document"]
    records = sweep([1024 * (i + 1) for i in range(lengths)], at, strategies, ["pizza", "rainbow-potion"])
    together, apart = cells(records), cells(records, per_needle_set=True)
    for figure in (draw_heatmap(together[0]), draw_overview(together), draw_overview(apart)):
        boxes = _text_boxes(figure)
        width, height = figure.get_size_inches() * figure.dpi
        for name, box in boxes:
            assert 0 <= box.x0 < box.x1 <= width, name
            assert 0 <= box.y0 < box.y1 <= height, name
        clashes = [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
        assert not clashes


def _text_boxes(figure: Figure) -> list[tuple[str, Any]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    FigureCanvasAgg(figure).draw()
    seen = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    return [(text.get_text(), Text.get_window_extent(text)) for text in seen]


def test_files_are_named_after_reader_and_strategy(tmp_path: Path) -> None:
    records = [record(512, 0, 10), record(512, 0, 10, strategy="minilm/top-auto/norm")]
    paths = heatmaps(records, tmp_path / "plots")
    stems = ["simulated--overview", "simulated--lc", "simulated--minilm-top-auto-norm"]
    assert [path.name for path in paths] == [f"{stem}.{kind}" for stem in stems for kind in ("png", "svg")]
    assert all(path.stat().st_size > 1000 for path in paths)


def test_readers_whose_names_look_alike_do_not_overwrite_each_other(tmp_path: Path) -> None:
    records = [record(512, 0, 10, reader="a/b"), record(512, 0, 1, reader="a-b")]
    paths = heatmaps(records, tmp_path)
    assert len(set(paths)) == len(list(tmp_path.iterdir())) == 8


def test_the_same_records_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    records = sweep([512, 1024], [0, 50, 100], ["lc", "oracle"], ["pizza", "potion"])
    once = heatmaps(records, tmp_path / "once")
    Random(2).shuffle(records)
    again = heatmaps(records, tmp_path / "again")
    assert [path.name for path in once] == [path.name for path in again]
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_files_hold_no_date(tmp_path: Path) -> None:
    svg = next(path for path in heatmaps(SMALL, tmp_path) if path.suffix == ".svg").read_text()
    assert "dc:date" not in svg


def test_what_has_not_begun_is_not_drawn(tmp_path: Path) -> None:
    assert heatmaps([record(512, 0, outcome="not_run")], tmp_path) == []
    assert heatmaps([], tmp_path) == []


def test_drawing_leaves_the_users_settings_alone(tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    heatmaps(SMALL, tmp_path)
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("module", ["heatmap", "overview", "summary_table", "text_heatmap"])
def test_importing_is_light(module: str) -> None:
    code = f"import sys, niah.plots.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "rich", "seaborn"} & set(done.stdout.split())
