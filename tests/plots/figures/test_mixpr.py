"""MixPR's figures: facts read from what is drawn, and what is written beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from niah.plots.figures.mixpr import ALPHA, K, SweepFigure, draw_router, draw_sweep, draw_times
from niah.plots.kit.theme import themed
from niah.retrieval.mixpr.router import Reach
from niah.runs.retrieval import RetrievalRecord
from tests.plots.figures.layout import faults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REACHES: dict[str, Reach] = {"chain@3": "local", "common-list@30": "global"}


@pytest.fixture(autouse=True)
def _themed() -> Iterator[None]:
    with themed():
        yield


def record(
    needle_set: str, length: int, strategy: str, completeness: float | None, seconds: float = 0.1
) -> RetrievalRecord:
    shares = (completeness, 0.0, completeness, 0.5)
    return RetrievalRecord(
        "c", needle_set, "essays", length, 0, 1, strategy, 4, *shares, (), (), 100, 2, 9, seconds=seconds
    )


def records(figure: SweepFigure, lengths: tuple[int, ...]) -> list[RetrievalRecord]:
    """Recall that rises along the setting for the chain, and falls for the list."""
    last = len(figure.strategies) - 1
    return [
        record(needle_set, length, strategy, abs((needle_set != "chain@3") - place / last))
        for needle_set in REACHES
        for length in lengths
        for place, strategy in enumerate(figure.strategies)
    ]


def panels(figure: Figure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_gid() == "panel"]


def heights(axes: Axes) -> list[list[float]]:
    lines: list[Any] = [line for line in axes.lines if line.get_marker() != "None"]
    return [[float(y) for y in line.get_ydata()] for line in lines]


@pytest.mark.parametrize("figure", [ALPHA, K], ids=["alpha", "k"])
def test_a_row_each_for_what_is_asked_and_a_column_for_each_length(figure: SweepFigure) -> None:
    drawn = draw_sweep(records(figure, (8_000, 32_000, 128_000, 1_000_000)), REACHES, figure)
    found = panels(drawn.figure)
    assert len(found) == 8
    for axes in found[:4]:
        assert heights(axes) == [sorted(heights(axes)[0])]
    for axes in found[4:]:
        assert heights(axes) == [sorted(heights(axes)[0], reverse=True)]
    assert faults(drawn.figure) == []


def test_every_number_is_in_the_table_as_a_mean_over_cases() -> None:
    two = [record("chain@3", 8_000, "mixpr-alpha-0.6/top-100/document", share) for share in (0.5, 1.0, None)]
    drawn = draw_sweep(two, REACHES, ALPHA)
    assert drawn.rows == (("local", 8_000, "chain@3", 0.6, 0.75, 2),)


def test_strategies_without_the_setting_are_left_out() -> None:
    others = [record("chain@3", 8_000, "mixpr", 0.1), record("chain@3", 8_000, "lc", 1.0)]
    drawn = draw_sweep([*records(ALPHA, (8_000,)), *others], REACHES, ALPHA)
    assert len(drawn.rows) == 2 * len(ALPHA.strategies)


def test_times_are_medians_on_a_logarithmic_axis() -> None:
    seconds = {"mixpr": (0.01, 0.02, 9.0), "rag-sparse": (0.1, 0.2, 0.3)}
    drawn = draw_times(
        [
            record("chain@3", length, strategy, 1.0, factor * one)
            for strategy, each in seconds.items()
            for length, factor in ((8_000, 1), (128_000, 20))
            for one in each
        ]
    )
    assert drawn.rows == (
        ("mixpr", 8_000, 0.02, 3),
        ("mixpr", 128_000, 0.4, 3),
        ("rag-sparse", 8_000, 0.2, 3),
        ("rag-sparse", 128_000, 4.0, 3),
    )
    (axes,) = panels(drawn.figure)
    assert axes.get_yscale() == "log"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0.01 s", "0.1 s", "1 s", "10 s"]
    assert faults(drawn.figure) == []


def test_the_router_has_a_row_a_kind_and_a_mark_a_router() -> None:
    rates = {
        "rules": {"one needle": (40, 40), "summaries": (30, 40)},
        "a model": {"one needle": (20, 40), "summaries": (40, 40)},
    }
    drawn = draw_router(rates)
    (axes,) = panels(drawn.figure)
    lines: list[Any] = axes.get_lines()
    assert sorted(float(x) for line in lines for x in line.get_xdata()) == [0.5, 0.75, 1.0, 1.0]
    assert ("a model", "one needle", 20, 40) in drawn.rows
    assert faults(drawn.figure) == []
