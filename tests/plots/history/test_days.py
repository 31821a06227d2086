"""Days on an axis."""

from __future__ import annotations

from datetime import date

import pytest

from niah.plots.history.days import labelled_days

LAST = date(2026, 11, 22)


def test_few_days_are_all_named() -> None:
    assert labelled_days(date(2026, 11, 19), LAST, 5) == [date(2026, 11, day) for day in (19, 20, 21, 22)]


def test_one_day() -> None:
    assert labelled_days(LAST, LAST, 5) == [LAST]


def test_weeks_before_the_last_day() -> None:
    assert labelled_days(date(2026, 11, 1), LAST, 5) == [date(2026, 11, day) for day in (1, 8, 15, 22)]


@pytest.mark.parametrize("first", [date(2026, 8, 1), date(2020, 2, 29), date(2000, 1, 1)])
def test_never_too_many_and_always_the_last(first: date) -> None:
    days = labelled_days(first, LAST, 6)
    assert len(days) <= 6
    assert days[-1] == LAST
    assert days == sorted(set(days))
    assert days[0] >= first
