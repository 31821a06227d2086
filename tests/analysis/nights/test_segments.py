from __future__ import annotations

from datetime import date, timedelta

import pytest
from scipy.stats import t as student

from niah.analysis.nights.segments import NightMean, TrendSegment, trend_segments

FIRST = date(2026, 11, 1)
DROP = [9.0, 9.2] * 8 + [6.0, 6.2] * 8


def nights(means: list[float], *, skipped: tuple[int, ...] = (), suites: str = "") -> list[NightMean]:
    """A night a day; ``suites`` names each night's suite by a letter."""
    return [
        NightMean(FIRST + timedelta(days=day), mean, mean - 1, mean + 1, (suites or "a" * 99)[day])
        for day, mean in enumerate(means)
        if day not in skipped
    ]


def segments_of(one: list[NightMean]) -> tuple[TrendSegment, ...]:
    (found,) = trend_segments([one])
    return found


def test_a_flat_series_is_one_segment() -> None:
    (segment,) = segments_of(nights([8.0, 9.0, 8.5]))
    assert (segment.opening, segment.change, len(segment.nights)) == ("start", None, 3)
    # Variance of 8, 9, 8.5 is 0.25; standard error root(0.25 / 3).
    reach = student.ppf(0.975, 2) * (0.25 / 3) ** 0.5
    assert (segment.mean, segment.low, segment.high) == pytest.approx((8.5, 8.5 - reach, 8.5 + reach))


def test_a_drop_opens_a_segment() -> None:
    first, second = segments_of(nights(DROP))
    assert second.opening == "change point"
    assert second.change is not None
    assert second.nights[0].date == FIRST + timedelta(days=16)
    assert (first.mean, second.mean) == pytest.approx((9.1, 6.1))


def test_missing_nights_part_nothing() -> None:
    (segment,) = segments_of(nights([9.0] * 10, skipped=(4, 5)))
    assert len(segment.nights) == 8


def test_a_drop_is_found_though_every_third_night_is_missing() -> None:
    _, second = segments_of(nights(DROP, skipped=tuple(range(2, 32, 3))))
    assert second.nights[0].date == FIRST + timedelta(days=16)


def test_another_suite_is_a_break_though_the_level_is_the_same() -> None:
    found = segments_of(nights([9.0] * 8, suites="aaaabbba"))
    assert [(one.opening, len(one.nights)) for one in found] == [
        ("start", 4),
        ("another suite", 3),
        ("another suite", 1),
    ]


def test_a_drop_across_a_break_is_no_change_point() -> None:
    found = segments_of(nights(DROP, suites="a" * 16 + "b" * 16))
    assert [one.opening for one in found] == ["start", "another suite"]


def test_a_drop_within_the_second_of_three_short_stretches_is_found() -> None:
    means = [9.0, 9.1, 9.0, 9.1, 9.0, 9.1, 9.0, 9.1, 9.0, 9.1, 9.0, 9.1, 4.0, 4.1, 4.0, 4.1, *[4.0, 4.1] * 4]
    found = segments_of(nights(means, suites="a" * 8 + "b" * 8 + "c" * 8))
    assert [(one.opening, len(one.nights)) for one in found] == [
        ("start", 8),
        ("another suite", 4),
        ("change point", 4),
        ("another suite", 8),
    ]


def test_a_night_alone_has_its_own_interval() -> None:
    (segment,) = segments_of(nights([8.0]))
    assert (segment.mean, segment.low, segment.high) == (8.0, 7.0, 9.0)


def test_order_does_not_matter() -> None:
    found = nights(DROP)
    assert segments_of(found[::-1]) == segments_of(found)


def test_a_night_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two nights of 2026-11-01"):
        trend_segments([nights([9.0]) * 2])


def test_no_nights() -> None:
    assert trend_segments([[], nights([9.0])])[0] == ()
    assert trend_segments([]) == []
