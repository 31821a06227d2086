"""Axes of days."""

from __future__ import annotations

from datetime import date, timedelta

_STEPS = (1, 2, 7, 14, 28, 56, 91, 182, 364)


def labelled_days(first: date, last: date, most: int) -> list[date]:
    """The days that an axis names, ``most`` at most: the last one, and others at equal steps before it."""
    span = (last - first).days
    step = next((step for step in _STEPS if span // step < most), max(span, 1))
    return [last - timedelta(days=back) for back in range(span // step * step, -1, -step)]
