"""Facts read from the drawn figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from niah.analysis.tables.retrieval import retrieval_rows
from niah.plots.figures.retrieval import draw_retrieval, save_retrieval
from niah.plots.kit.scales import length_place
from niah.plots.kit.theme import themed
from niah.runs.retrieval import RetrievalRecord
from tests.plots.figures.layout import faults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STRATEGIES = ("tfidf/budget-3000/document@100", "mixpr", "lc")


def record(length: int, needles: int, strategy: str, completeness: float) -> RetrievalRecord:
    shares = (completeness, 0.0, completeness, 0.5)
    return RetrievalRecord(
        "c", "pizza", "essays", length, 0, 1, strategy, needles, *shares, (), (), 100, 2, 9, seconds=0.1
    )


def sweep(needles: tuple[int, ...], lengths: tuple[int, ...], strategies: int = 3) -> list[RetrievalRecord]:
    names = [*STRATEGIES, *(f"minilm/budget-{i}000/document@100" for i in range(strategies - 3))][:strategies]
    return [record(length, k, name, 1 / k) for k in needles for length in lengths for name in names]


@pytest.fixture(autouse=True)
def _themed() -> Iterator[None]:
    with themed():
        yield


def drawn(records: list[RetrievalRecord]) -> Figure:
    rows = retrieval_rows(records, per_length=True, per_needles=True)
    return draw_retrieval(rows, list(dict.fromkeys(record.strategy for record in records)))


def panels(figure: Figure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_gid() == "panel"]


def curves(axes: Axes) -> list[Any]:
    """The strategies' lines, without the axis's own."""
    return [line for line in axes.lines if line.get_marker() != "None"]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_a_panel_per_number_of_needles_a_line_per_strategy_a_marker_per_length() -> None:
    figure = drawn(sweep((3, 7), (1000, 2000, 4000)))
    assert len(panels(figure)) == 2
    for axes, share in zip(panels(figure), (1 / 3, 1 / 7), strict=True):
        assert len(curves(axes)) == len(STRATEGIES)
        for line in curves(axes):
            values: Any = line.get_ydata()
            assert list(values) == pytest.approx([share] * 3)


def test_markers_are_means_near_their_lengths() -> None:
    records = [record(1000, 3, "lc", 1.0), record(1000, 3, "lc", 0.5), record(8000, 3, "lc", 0.25)]
    (axes,) = panels(drawn(records))
    (line,) = curves(axes)
    xs: Any = line.get_xdata()
    ys: Any = line.get_ydata()
    assert list(ys) == pytest.approx([0.75, 0.25])
    assert list(xs) == pytest.approx([length_place(1000), length_place(8000)])


def test_strategies_that_retrieve_alike_stand_side_by_side() -> None:
    (axes,) = panels(drawn(sweep((3,), (1000, 2000))))
    firsts: Any = [line.get_xdata() for line in curves(axes)]
    starts = [xs[0] for xs in firsts]
    assert starts == sorted(starts)
    assert len(set(starts)) == 3
    assert max(starts) - min(starts) < 0.1 * (length_place(2000) - length_place(1000))


@pytest.mark.parametrize(("lowest", "begins"), [(0.0, 0), (0.3, 0.2), (0.5, 0.5), (0.9, 0.5)])
def test_all_panels_share_an_axis_that_begins_below_the_lowest_mean(lowest: float, begins: float) -> None:
    records = [record(1000, 3, "lc", 1.0), record(1000, 7, "lc", lowest)]
    for axes in panels(drawn(records)):
        assert axes.get_yticks()[0] == begins
        assert axes.get_ylim()[0] <= begins
        assert axes.get_ylim()[1] > 1


def test_no_two_of_twelve_strategies_look_alike() -> None:
    (axes,) = panels(drawn(sweep((3,), (1000, 2000), 12)))
    looks = {(line.get_color(), str(line.get_marker()), str(line.get_linestyle())) for line in curves(axes)}
    assert len(looks) == 12


def test_n_is_said_and_said_as_a_range_where_it_varies() -> None:
    records = sweep((3, 7), (1000, 2000))
    assert words(drawn(records)).count("n = 1 case a point") == 2
    assert "n = 1–2 cases a point" in words(drawn([*records, records[0]]))


def test_every_strategy_is_in_the_key_once() -> None:
    figure = drawn(sweep((3, 7, 15, 30), (1000, 2000)))
    assert [word for word in words(figure) if word in STRATEGIES] == list(STRATEGIES)


@pytest.mark.parametrize("needles", [(1,), (3, 7), (3, 7, 15), (1, 2, 3, 4, 5, 6, 7)])
@pytest.mark.parametrize("lengths", [(8000,), (1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000)])
@pytest.mark.parametrize("strategies", [1, 3, 11])
def test_no_labels_overlap_or_leave_the_figure(
    needles: tuple[int, ...], lengths: tuple[int, ...], strategies: int
) -> None:
    assert faults(drawn(sweep(needles, lengths, strategies))) == []


def test_the_same_records_give_the_same_bytes_whatever_their_seconds(tmp_path: Path) -> None:
    records = sweep((3, 7), (1000, 2000))
    once = save_retrieval(records, tmp_path / "once")
    again = save_retrieval([replace(one, seconds=9.0) for one in records], tmp_path / "again")
    assert [path.name for path in once] == ["retrieval.png", "retrieval.svg"]
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_where_nothing_can_be_retrieved_nothing_is_drawn(tmp_path: Path) -> None:
    none = replace(record(1000, 0, "lc", 1.0), completeness=None, in_part=None, element_recall=None)
    assert save_retrieval([none], tmp_path) == []
    assert list(tmp_path.iterdir()) == []
