"""What a chart draws: nothing across a gap or a break."""

from __future__ import annotations

from datetime import date

from niah.analysis.nights.trends import Trend
from niah.plots.history.chart import BOTTOM, LEFT, RIGHT, TOP, WIDTH, ChartAxes, chart
from niah.plots.history.trend_drawing import stretches

FRAME = ChartAxes(date(2026, 11, 1), date(2026, 11, 22), 1)


def days(points: str) -> list[int]:
    """Of the month, from the x of each point: 22 days share the width."""
    day_width = (WIDTH - LEFT - RIGHT) / 22
    return [round((float(point.split(",")[0]) - LEFT) / day_width + 0.5) for point in points.split()]


def test_lines_join_what_compares(eventful: list[Trend]) -> None:
    lc = chart(eventful[0], FRAME)
    assert [days(line) for line in lc.lines] == [list(range(1, 17)), [19], [20, 21]]
    assert [[night.date.day for night in one] for one in stretches(eventful[0])] == [
        list(range(1, 17)),
        [19],
        [20, 21],
    ]


def test_marks_stand_before_their_night(eventful: list[Trend]) -> None:
    lc, topk = (chart(trend, FRAME) for trend in eventful)
    day_width = (WIDTH - LEFT - RIGHT) / 22
    assert lc.changes == (round(LEFT + 8 * day_width, 1),)
    assert topk.changes == ()
    assert lc.breaks == topk.breaks == (round(LEFT + 19 * day_width, 1),)
    assert lc.gaps[0] == (round(LEFT + 16 * day_width, 1), round(2 * day_width, 1))


def test_the_scale_of_scores() -> None:
    assert (FRAME.y(1), FRAME.y(10)) == (BOTTOM, TOP)
    assert ChartAxes(FRAME.first, FRAME.last, 7).y(8.5) == (BOTTOM + TOP) / 2


def test_a_night_that_does_not_count_is_hollow(eventful: list[Trend]) -> None:
    dots = chart(eventful[0], FRAME).dots
    assert [dot.hollow for dot in dots] == [False] * 19 + [True]


def test_each_night_and_gap_says_what_it_is(eventful: list[Trend]) -> None:
    says = [hit.says for hit in chart(eventful[0], FRAME).hits]
    assert len(says) == 21
    # Seeds 1 to 5 on the first night: (7 + 10 + 10 + 7 + 5) / 5 = 7.8.
    assert says[0].startswith("2026-11-01 · 7.80 (")
    assert (
        "n 5 of 5 · rotating cases 5.00 (n 1) · effective length 1k · $1.50 · 6.0k prompt tokens" in says[0]
    )
    # Before, the means alternate between 7.8 and 7.2; from then on between 3 and 2.6, and the night after the
    # gap is another of 3: (4 x 3 + 4 x 2.6 + 3) / 9 = 2.82.
    assert "2026-11-09 · change point: 7.50 → 2.82, p " in says[8]
    assert says[16] == "2026-11-17 to 2026-11-18 · gap: no run file"
    assert "break: 1 trial added" in says[18]
    assert "does not count: not all trials run" in says[20]
    assert "1 not run" in says[20]
