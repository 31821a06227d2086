from __future__ import annotations

from datetime import date, timedelta

import pytest
from scipy.stats import t as student

from niah.analysis.nights.segments import NightMean, trend_segments

FIRST = date(2026, 11, 1)


def nights(means: list[float], *, skipped: tuple[int, ...] = (), suites: str = "") -> list[NightMean]:
    """A night a day; ``suites`` names each night's suite by a letter."""
    return [
        NightMean(FIRST + timedelta(days=day), mean, mean - 1, mean + 1, (suites or "a" * 99)[day])
        for day, mean in enumerate(means)
        if day not in skipped
    ]


def test_a_flat_series_is_one_segment() -> None:
    (segment,) = trend_segments(nights([8.0, 9.0, 8.5]))
    assert (segment.opening, segment.change, len(segment.nights)) == ("start", None, 3)
    # Variance of 8, 9, 8.5 is 0.25; standard error root(0.25 / 3).
    reach = student.ppf(0.975, 2) * (0.25 / 3) ** 0.5
    assert (segment.mean, segment.low, segment.high) == pytest.approx((8.5, 8.5 - reach, 8.5 + reach))


def test_a_drop_opens_a_segment() -> None:
    first, second = trend_segments(nights([9.0, 9.2] * 8 + [6.0, 6.2] * 8))
    assert second.opening == "change point"
    assert second.change is not None
    assert second.nights[0].date == FIRST + timedelta(days=16)
    assert (first.mean, second.mean) == pytest.approx((9.1, 6.1))


def test_missing_nights_are_a_break() -> None:
    found = trend_segments(nights([9.0] * 10, skipped=(4, 5)))
    assert [(one.opening, len(one.nights)) for one in found] == [("start", 4), ("missing nights", 4)]


def test_another_suite_is_a_break_though_the_level_is_the_same() -> None:
    found = trend_segments(nights([9.0] * 8, suites="aaaabbba"))
    assert [(one.opening, len(one.nights)) for one in found] == [
        ("start", 4),
        ("another suite", 3),
        ("another suite", 1),
    ]


def test_both_at_once() -> None:
    found = trend_segments(nights([9.0] * 4, skipped=(2,), suites="aaab"))
    assert [one.opening for one in found] == ["start", "missing nights, another suite"]


def test_a_drop_across_a_break_is_no_change_point() -> None:
    found = trend_segments(nights([9.0, 9.2] * 8 + [6.0, 6.2] * 8, suites="a" * 16 + "b" * 16))
    assert [one.opening for one in found] == ["start", "another suite"]


def test_a_night_alone_has_its_own_interval() -> None:
    (segment,) = trend_segments(nights([8.0]))
    assert (segment.mean, segment.low, segment.high) == (8.0, 7.0, 9.0)


def test_stretches_share_the_level() -> None:
    found = trend_segments(nights(([9.0, 9.2] * 8 + [6.0, 6.2] * 8) * 2, suites="a" * 32 + "b" * 32))
    changes = [one.change for one in found if one.change]
    assert [change.level for change in changes] == pytest.approx([0.025, 0.025])


def test_order_does_not_matter() -> None:
    found = nights([9.0, 9.2] * 8 + [6.0, 6.2] * 8)
    assert trend_segments(found[::-1]) == trend_segments(found)


def test_a_night_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two nights of 2026-11-01"):
        trend_segments(nights([9.0]) * 2)


def test_no_nights() -> None:
    assert trend_segments([]) == []
