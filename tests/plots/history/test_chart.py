"""What a chart draws: nothing across a gap or a break."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from niah.analysis.nights.trends import Trend
from niah.plots.history.chart import BOTTOM, LEFT, RIGHT, TOP, WIDTH, ChartAxes, chart
from niah.plots.history.night_marks import NightMarks, night_marks
from niah.plots.history.readout import night_readout
from niah.plots.history.trend_drawing import stretches
from niah.runs.file.night_record import NightEntry, NightRecord
from tests.plots.history.trends_of import trends_of
from tests.runs.simulated_nights import Scores, write_night

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
    (step,) = lc.steps
    assert step.x == round(LEFT + 8 * day_width, 1)
    assert topk.steps == ()
    # Nights of 7.8 and 7.2 in turn, and then 2.82 (see below).
    assert (step.before, step.after) == (round(FRAME.y(7.5), 1), lc.levels[1][2])
    assert step.label == "−4.68"
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
        "n 5 of 5 · rotating cases 5.00 (n 1) · effective length 1k · 1.50 USD · 6.0k prompt tokens"
        in says[0]
    )
    # Before, the means alternate between 7.8 and 7.2; from then on between 3 and 2.6, and the night after the
    # gap is another of 3: (4 x 3 + 4 x 2.6 + 3) / 9 = 2.82.
    assert "2026-11-09 · change point: 7.50 → 2.82, p " in says[8]
    assert says[16] == "2026-11-17 to 2026-11-18 · gap: no run file"
    assert "break: 1 trial added" in says[18]
    assert "does not count: not all trials run" in says[20]
    assert "1 not run" in says[20]


def test_an_effective_length_of_few_clusters_is_no_number(eventful: list[Trend]) -> None:
    (night, *_) = eventful[0].nights
    assert "effective length 1k" in night_readout(night, eventful[0])
    untold = replace(night, effective_length=None, length_told=False)
    assert "effective length too few to tell" in night_readout(untold, eventful[0])


def written(folder: Path, scores: dict[int, Scores]) -> Trend:
    """The trend of nights of November, by day."""
    for day, own in scores.items():
        write_night(folder, f"2026-11-{day:02}", own)
    (trend,) = trends_of(folder)
    return trend


def test_lines_go_on_over_a_single_missing_night(tmp_path: Path) -> None:
    odd: Scores = (7, 10, 10)
    even: Scores = (7, 10, 7)
    asked = [day for day in range(1, 13) if day not in (4, 8, 9)]
    trend = written(tmp_path, {day: odd if day % 2 else even for day in asked})
    joined = [[night.date.day for night in one] for one in stretches(trend)]
    assert joined == [[1, 2, 3, 5, 6, 7], [10, 11, 12]]
    assert [(gap.first.day, gap.last.day) for gap in trend.gaps] == [(4, 4), (8, 9)]


def test_a_level_ends_at_the_step(tmp_path: Path) -> None:
    """Though the night before the step is missing."""
    high: Scores = (10, 10, 10)
    low: Scores = (3, 3, 3)
    asked = [day for day in range(1, 23) if day != 10]
    trend = written(tmp_path, {day: (*(high if day < 11 else low), 7 if day % 2 else 10) for day in asked})
    drawn = chart(trend, FRAME)
    (step,) = drawn.steps
    assert [(start, end) for start, end, _ in drawn.levels] == [
        (float(LEFT), step.x),
        (step.x, float(WIDTH - RIGHT)),
    ]


def test_a_night_leads_to_its_page_and_says_its_verdict(eventful: list[Trend], tmp_path: Path) -> None:
    page = tmp_path / "plots" / "a night" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<html><head><title>nightly-2026-11-09</title>")
    (tmp_path / "runs" / "nights").mkdir(parents=True)
    entries = {
        date(2026, 11, 9): NightEntry(
            verdict="regression",
            compared_with="nightly-2026-11-08",
            page="../../plots/a night/index.html#trial=1",
        ),
        date(2026, 11, 10): NightEntry(
            verdict="regression", accepted="by hand", page="../../plots/gone/index.html"
        ),
        # Another night's report was written in its place since.
        date(2026, 11, 11): NightEntry(verdict="no regression", page="../../plots/a night/index.html"),
    }
    record = NightRecord(tmp_path / "runs" / "nights" / "nightly.yaml", entries)
    marks = night_marks(eventful, {"nightly": record}, tmp_path / "plots" / "history")
    hits = chart(eventful[0], FRAME, marks).hits
    assert [hit.red for hit in hits] == [False] * 8 + [True, True] + [False] * 11
    assert [hit.address for hit in hits[8:11]] == ["../a%20night/index.html#trial=1", "", ""]
    assert hits[8].says.endswith("verdict: regression against nightly-2026-11-08")
    assert hits[9].says.endswith("verdict: regression, accepted by hand")
    assert "verdict" not in hits[0].says


def test_a_fall_on_the_first_nights_is_marked_where_it_began(tmp_path: Path) -> None:
    """Though a segment begins within two nights of it: a segment's start is no change point."""
    good: Scores = (7, 10, 10, 7, 5)
    for day in range(1, 5):
        write_night(tmp_path, f"2026-11-{day:02}", {"lc": (7, 7, 7, 5, 5) if day == 3 else good})
    (trend,) = trends_of(tmp_path)
    worse = ({"reader": trend.reader, "strategy": "lc"},)
    entries = {
        date(2026, 11, day): NightEntry(verdict="regression", worse=worse)
        if day == 3
        else NightEntry(verdict="no regression", compared_with="nightly-2026-11-01", accepted="by itself")
        for day in range(1, 5)
    }
    marks = NightMarks({}, {"nightly": NightRecord(tmp_path / "nights" / "nightly.yaml", entries)})
    drawn = chart(trend, FRAME, marks)
    # 39 / 5 and 31 / 5.
    assert [step.label for step in drawn.steps] == ["−1.60", "+1.60"]
    high, low = round(FRAME.y(7.8), 1), round(FRAME.y(6.2), 1)
    assert [y for _, _, y in drawn.levels] == [high, low, high]
    assert [(step.before, step.after) for step in drawn.steps] == [(high, low), (low, high)]
    fall, rise = drawn.steps
    # Feet of letters some 9 high: the fall's above the level that ends there, the rise's below it.
    assert fall.label_y < high
    assert rise.label_y - 9 > low


def test_levels_end_where_a_trend_was_worse(tmp_path: Path) -> None:
    """Five nights between others are too few for a change point, and the verdicts know them."""
    good: Scores = (7, 10, 10, 7, 5)
    for day in range(1, 23):
        bad: Scores = (7, 7, 7, 5, 5)
        lc = bad if 12 <= day <= 16 else good
        write_night(tmp_path, f"2026-11-{day:02}", {"lc": lc, "topk": good if day % 2 else (7, 10, 7, 7, 5)})
    lc_trend, topk_trend = trends_of(tmp_path)
    worse = ({"reader": lc_trend.reader, "strategy": "lc"},)
    entries = {
        date(2026, 11, day): NightEntry(verdict="regression", worse=worse)
        if 12 <= day <= 16
        else NightEntry(verdict="no regression", compared_with="nightly-2026-11-01", accepted="by itself")
        for day in range(1, 23)
    }
    marks = NightMarks({}, {"nightly": NightRecord(tmp_path / "nights" / "nightly.yaml", entries)})
    assert len(lc_trend.segments) == 1
    drawn = chart(lc_trend, FRAME, marks)
    assert [(step.label, step.tested) for step in drawn.steps] == [
        ("−1.60", False),
        ("+1.60", False),
    ]
    assert [start for start, _, _ in drawn.levels[1:]] == [step.x for step in drawn.steps]
    assert [end for _, end, _ in drawn.levels[:-1]] == [step.x for step in drawn.steps]
    assert len(chart(topk_trend, FRAME, marks).levels) == 1
