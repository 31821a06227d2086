"""What may be joined, and what is said where it may not."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from pathlib import Path

from niah.analysis.nights.night_scores import Basis, NightScore, night_scores
from niah.analysis.nights.trend_tables import brief_trend_table, event_table, night_table, trend_table
from niah.analysis.nights.trends import Gap, Trend, trends
from niah.plots.history.trend_drawing import stretches
from niah.runs.file.nights import nights
from niah.runs.file.read_model import read_scores
from tests.runs.simulated_nights import Scores, write_night


def trends_in(folder: Path, unread: Collection[tuple[str, date]] = ()) -> list[Trend]:
    bases: dict[str, Basis] = {}
    scores: list[NightScore] = []
    for night in nights(folder):
        scores += night_scores(night, read_scores(night.path), bases)
    return trends(scores, bases, unread)


def day(number: int) -> date:
    return date(2026, 11, number)


def write_days(folder: Path, days: Collection[int], scores: Scores = (7, 5)) -> None:
    for number in days:
        write_night(folder, day(number), scores)


def test_a_segment_goes_on_after_a_gap_that_asked_the_same(tmp_path: Path) -> None:
    write_days(tmp_path, (1, 2, 5, 6))
    (trend,) = trends_in(tmp_path)
    assert [[night.date.day for night in segment.nights] for segment in trend.segments] == [[1, 2, 5, 6]]
    assert trend.gaps == (Gap(day(3), day(4), "no run file"),)
    assert trend.since_start is not None
    assert trend.since_start.since == day(1)


def test_a_change_between_weekdays_is_found(tmp_path: Path) -> None:
    # Two nights in a row and then one missing, so that no stretch of nights is longer than two.
    nights = [number for number in range(1, 31) if number % 3]
    for number in nights:
        high: Scores = (7, 10, 10) if number % 2 else (7, 10, 7)
        low: Scores = (3, 5, 5) if number % 2 else (3, 5, 3)
        write_night(tmp_path, day(number), high if number < 16 else low)
    (trend,) = trends_in(tmp_path)
    assert [segment.opening for segment in trend.segments] == ["start", "change point"]
    assert trend.segments[1].nights[0].date == day(16)


def test_days_on_which_a_run_never_runs_are_no_gaps(tmp_path: Path) -> None:
    weekdays = [number for number in range(2, 29) if day(number).weekday() < 5 and number != 18]
    write_days(tmp_path, weekdays)
    (trend,) = trends_in(tmp_path)
    assert trend.gaps == (Gap(day(18), day(18), "no run file"),)
    assert [len(nights) for nights in stretches(trend)] == [len(weekdays)]  # over one night, a line goes on
    # Of two weeks nobody knows.
    for number in (20, 23, 24, 25, 26, 27):
        (tmp_path / f"nightly-{day(number)}.sqlite").unlink()
    (trend,) = trends_in(tmp_path)
    assert [(gap.first.day, gap.last.day) for gap in trend.gaps] == [(7, 8), (14, 15), (18, 18)]


def test_adaptive_nights_do_not_count(tmp_path: Path) -> None:
    write_days(tmp_path, (1, 2), [7, 7, 5, 5])
    for number in (3, 4):
        write_night(tmp_path, day(number), [7, 7, 5, 5], unfinished=2, adaptive=True)
    # One that needed all of its trials is a night like any other.
    write_night(tmp_path, day(5), [7, 7, 5, 5], adaptive=True)
    (trend,) = trends_in(tmp_path)
    assert [[night.date.day for night in segment.nights] for segment in trend.segments] == [[1, 2, 5]]
    assert trend.gaps == (Gap(day(3), day(4), "adaptive, not all trials run"),)


def test_why_a_day_does_not_count(tmp_path: Path) -> None:
    write_night(tmp_path, day(1), {"lc": [7], "topk": [7]})
    write_night(tmp_path, day(2), {"lc": [7]})
    write_night(tmp_path, day(3), {"lc": [7, 5], "topk": [7, 5]}, unfinished=1)
    write_night(tmp_path, day(4), {"lc": [7], "topk": [None]})
    write_night(tmp_path, day(6), {"lc": [7], "topk": []}, fresh=[5])
    lc, topk = trends_in(tmp_path, unread={("nightly", day(5))})
    assert (lc.strategy, topk.strategy) == ("lc", "topk")
    assert [(gap.first.day, gap.last.day, gap.why) for gap in topk.gaps] == [
        (2, 2, "not asked"),
        (3, 3, "not all trials run"),
        (4, 4, "nothing scored"),
        (5, 5, "the run file cannot be read"),
        (6, 6, "no anchor cases"),
    ]
    assert [night.date.day for night in topk.counted] == [1]


def test_a_reader_that_is_no_longer_asked_has_a_gap_at_the_end(tmp_path: Path) -> None:
    write_night(tmp_path, day(1), {"lc": [7], "topk": [7]})
    write_days(tmp_path, (2, 3), [7])
    _, topk = trends_in(tmp_path)
    assert topk.gaps == (Gap(day(2), day(3), "not asked"),)


def test_a_last_night_that_cannot_be_read_is_a_gap(tmp_path: Path) -> None:
    write_days(tmp_path, (1, 2))
    (trend,) = trends_in(tmp_path, unread={("nightly", day(3)), ("other", day(9))})
    assert trend.gaps == (Gap(day(3), day(3), "the run file cannot be read"),)


def test_a_changed_suite_is_a_break_with_its_reason(tmp_path: Path) -> None:
    write_days(tmp_path, (1, 2))
    write_days(tmp_path, (3, 4), (7, 5, 3))
    (trend,) = trends_in(tmp_path)
    assert [segment.opening for segment in trend.segments] == ["start", "another suite"]
    assert [(one.date.day, one.why) for one in trend.breaks] == [(3, "1 trial added")]


def test_nothing_is_compared_across_a_break(tmp_path: Path) -> None:
    write_days(tmp_path, (1, 2))
    write_days(tmp_path, (3,), (7, 5, 3))
    (trend,) = trends_in(tmp_path)
    assert (trend.since_last, trend.since_start) == (None, None)


def test_a_change_of_level_is_found_and_dated(tmp_path: Path) -> None:
    for number in range(1, 17):
        high: Scores = (7, 10, 10) if number % 2 else (7, 10, 7)
        low: Scores = (3, 5, 5) if number % 2 else (3, 5, 3)
        write_night(tmp_path, day(number), high if number < 9 else low)
    (trend,) = trends_in(tmp_path)
    changed = [segment for segment in trend.segments if segment.change]
    assert [segment.nights[0].date for segment in changed] == [day(9)]
    (row,) = event_table([trend]).rows
    assert row[:7] == ("2026-11-09", None, "change point", "", "nightly", "simulated", "lc")
    # Means alternate: 9 and 8 before, 13/3 and 11/3 after; the levels are 8.5 and 4.
    assert (round(float(row[7] or 0), 6), round(float(row[8] or 0), 6)) == (8.5, 4)


def test_runs_are_not_mixed(tmp_path: Path) -> None:
    write_night(tmp_path, day(1), [7], name="a")
    write_night(tmp_path, day(2), [5], name="b")
    assert [(trend.run, len(trend.nights), trend.gaps) for trend in trends_in(tmp_path)] == [
        ("a", 1, ()),
        ("b", 1, ()),
    ]


def test_what_all_trends_share_is_one_event(tmp_path: Path) -> None:
    write_night(tmp_path, day(1), {"lc": [7], "topk": [7]})
    write_night(tmp_path, day(3), {"lc": [7], "topk": [7]})
    write_night(tmp_path, day(4), {"lc": [7]})
    told = [row[:7] for row in event_table(trends_in(tmp_path)).rows]
    assert told == [
        ("2026-11-04", None, "gap", "not asked", "nightly", "simulated", "topk"),
        ("2026-11-02", None, "gap", "no run file", "nightly", "all", "all"),
    ]


def test_tables_say_the_numbers(tmp_path: Path) -> None:
    """7 and 5, then 10 and 5: the mean rises from 6 to 7.5, by 1.5 over two trials in both."""
    write_days(tmp_path, (1,), (7, 5))
    write_days(tmp_path, (2,), (10, 5))
    found = trends_in(tmp_path)
    table = trend_table(found)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["mean"], row["n"], row["trials"], row["last_night"]) == (7.5, 2, 2, "2026-11-01")
    assert (row["change"], row["change_n"], row["since_start"]) == (1.5, 2, 1.5)
    # Of two clusters no interval is told.
    assert str(brief_trend_table(found).rows[0][6]) == "+1.50"
    assert [night[5] for night in night_table(found).rows] == [6, 7.5]
