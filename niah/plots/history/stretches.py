"""What a line may join."""

from __future__ import annotations

from collections.abc import Iterator

from niah.analysis.nights.night_scores import NightScore
from niah.analysis.nights.trends import Trend


def stretches(trend: Trend) -> Iterator[tuple[NightScore, ...]]:
    """The nights between breaks and gaps: they compare, whatever their level."""
    scores = {night.date: night for night in trend.nights}
    stretch: list[NightScore] = []
    for segment in trend.segments:
        if stretch and segment.change is None:
            yield tuple(stretch)
            stretch = []
        stretch += [scores[night.date] for night in segment.nights]
    if stretch:
        yield tuple(stretch)
