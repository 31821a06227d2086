"""Facts read from the drawn figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.plots.figures.heatmaps.run_heatmaps import draw_heatmap, draw_overview, heatmaps
from niah.plots.kit.score_scale import scored_by
from niah.plots.kit.theme import themed
from niah.runs.trial import Outcome, TrialRecord
from tests.plots.figures.layout import faults

if TYPE_CHECKING:
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


def collections(figure: Figure) -> dict[str, Any]:
    (canvas,) = [axes for axes in figure.axes if axes.get_gid() == "canvas"]
    return {str(found.get_gid()): found for found in canvas.collections if found.get_gid()}


def drawn(figure: Figure) -> list[float]:
    """The coloured values, panel by panel and row by row."""
    values: Any = collections(figure)["scored"].get_array()
    return values.tolist()  # type: ignore[no-any-return]


def boxes(figure: Figure, gid: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of all areas of a kind, in inches."""
    corners = [path.vertices for path in collections(figure)[gid].get_paths()]
    return [(*points.min(axis=0).tolist(), *points.max(axis=0).tolist()) for points in corners]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_drawn_values_are_the_means() -> None:
    assert drawn(draw_heatmap(cells(trial_frame(SMALL))[:1])) == [8.5, 5, 1]


def test_depth_runs_downwards_and_length_to_the_right() -> None:
    start, right, below = boxes(draw_heatmap(cells(trial_frame(SMALL))[:1]), "scored")
    assert right[0] == pytest.approx(start[2])  # 4k is right of 512
    assert right[1] == pytest.approx(start[1])
    assert below[1] == pytest.approx(start[3])  # 25 % is below 0 %


def test_a_cell_with_nothing_scored_is_hatched_and_a_partial_one_marked() -> None:
    figure = draw_heatmap(cells(trial_frame(SMALL))[:1])
    assert collections(figure)["missing"].get_hatch()
    _, right, below = boxes(figure, "scored")
    (hatched,) = boxes(figure, "missing")
    assert hatched == pytest.approx((right[0], below[1], right[2], below[3]))
    (corner,) = boxes(figure, "partial")
    assert corner[1:3] == pytest.approx((right[1], right[2]))


def test_a_grid_of_gaps_alone_is_drawn() -> None:
    (grid,) = cells(trial_frame([record(512, 0, outcome="truncated"), record(4096, 0, outcome="overflow")]))
    figure = draw_heatmap([grid])
    assert drawn(figure) == []
    assert len(boxes(figure, "missing")) == 2
    assert "no score · n = 0 of 2 trials" in words(figure)


def test_axes_are_labelled_as_people_say_them() -> None:
    said = words(draw_heatmap(cells(trial_frame(SMALL))[:1]))
    assert [word for word in said if word in ("512", "4k", "0 %", "25 %")] == ["512", "4k", "0 %", "25 %"]
    assert {"depth", "context length (tokens)"} <= set(said)


def test_titles_say_reader_strategy_needle_set_and_n() -> None:
    said = words(draw_heatmap(cells(trial_frame(SMALL))[:1]))
    assert said[:2] == ["simulated · full context", "mean score · needle set pizza"]
    assert "mean 5.8 · n = 4 of 8 trials" in said


def test_marks_are_explained_only_where_they_are() -> None:
    assert any(word.startswith("◥") for word in words(draw_heatmap(cells(trial_frame(SMALL))[:1])))
    assert "◥" not in "".join(words(draw_heatmap(cells(trial_frame(SMALL[:3]))[:1])))


def test_overview_shows_every_strategy_and_needle_set_once() -> None:
    strategies, sets = ["lc", "bm25/half/norm", "minilm/top-5/norm"], ["pizza", "potion"]
    grids = cells(trial_frame(sweep([1000, 2000], [0, 50, 100], strategies, sets)), per_needle_set=True)
    figure = draw_overview(grids)
    assert drawn(figure) == [
        cell.mean for grid in grids for row in grid.rows for cell in row if cell.mean is not None
    ]
    every = boxes(figure, "scored") + boxes(figure, "missing")
    assert len({round(box[0], 6) for box in every}) == 3 * 2  # a column of panels per strategy
    assert len({round(box[1], 6) for box in every}) == 2 * 3  # a row of panels per needle set
    assert {"full context", "bm25/half/norm", "minilm/top-5/norm", "pizza", "potion"} <= set(words(figure))


@pytest.mark.parametrize("sets", [["pizza"], ["pizza", "potion"]])
def test_many_strategies_wrap_within_their_needle_set(sets: list[str]) -> None:
    strategies = [f"bm25/top-{k}/norm" for k in range(1, 8)]
    records = sweep(range(1000, 14000, 1000), [0, 50], strategies, sets)
    figure = draw_overview(cells(trial_frame(records), per_needle_set=True))
    assert sum(word.startswith("bm25/") for word in words(figure)) == 7 * len(sets)
    assert figure.get_size_inches()[0] < 16


def test_what_would_be_too_long_a_picture_has_fewer_pixels(tmp_path: Path) -> None:
    # 110 rows of panels, about an inch each: more than 20,000 pixels at 200 an inch.
    records = [record(512, 0, 7, needle_set=f"set-{number:03}") for number in range(110)]
    path, *_ = heatmaps(records, tmp_path)
    width, height = (int.from_bytes(path.read_bytes()[at : at + 4], "big") for at in (16, 20))
    assert 0 < width < height <= 20_000


def test_one_colour_scale_everywhere_and_one_bar() -> None:
    grids = cells(
        trial_frame(sweep([1000, 2000], [0, 100], ["lc", "oracle"], ["pizza", "potion"])), per_needle_set=True
    )
    for figure in (draw_overview(grids), *(draw_heatmap([grid]) for grid in grids)):
        scored = collections(figure)["scored"]
        assert (scored.get_clim(), scored.get_cmap().name) == ((1, 10), "viridis")
        (bar,) = [axes for axes in figure.axes if axes.get_gid() == "colour-bar"]
        assert [label.get_text() for label in bar.get_yticklabels()] == ["1", "3", "5", "7", "10"]


@pytest.mark.parametrize(("lengths", "depths"), [(1, 1), (1, 11), (4, 5), (13, 15)])
def test_no_labels_overlap_or_leave_the_figure(lengths: int, depths: int) -> None:
    at = [round(100 * i / max(1, depths - 1)) for i in range(depths)]
    strategies = ["lc", "bm25/half/document", "mixpr/budget-4000/document"]
    records = sweep([1024 * (i + 1) for i in range(lengths)], at, strategies, ["pizza", "rainbow-potion"])
    together, apart = cells(trial_frame(records)), cells(trial_frame(records), per_needle_set=True)
    for figure in (draw_heatmap(together[:1]), draw_overview(together), draw_overview(apart)):
        assert faults(figure) == []


def test_long_names_fit(tmp_path: Path) -> None:
    long = "provider/some-very-long-organisation/reader-name-of-60-chars"
    records = [
        record(512, 0, 7, reader=long, strategy=strategy, needle_set=needle_set)
        for strategy in ("lc", "sentence-transformers/all-mpnet-base-v2-long/top-12/document@100")
        for needle_set in ("pizza", "a-needle-set-with-a-remarkably-long-name-of-its-own")
    ]
    assert faults(draw_heatmap(cells(trial_frame(records))[1:2])) == []
    assert faults(draw_overview(cells(trial_frame(records), per_needle_set=True))) == []


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


@pytest.mark.parametrize("metric", ["", "f1", "share-of-references"])
@pytest.mark.parametrize("depths", [(50,), (0, 100), (0, 25, 50, 75, 100)])
def test_the_name_of_the_colours_is_whole_however_short_the_bar_is(
    depths: tuple[float, ...], metric: str
) -> None:
    with scored_by(metric):
        figure = draw_overview(cells(trial_frame(sweep((1024, 2048), depths, ("lc", "dos")))))
    (bar,) = [axes for axes in figure.axes if axes.get_gid() == "colour-bar"]
    assert bar.get_ylabel() == f"mean {metric or 'score'}"
    assert faults(figure) == []
