"""What ``niah history`` finds, and what it finds where there is nothing: simulated pages of nights.

    PYTHONPATH=. python -m tests.bench.bench_history_worlds [PAGES] [WORLD]

Nights' means are normal, one standard deviation of a night being 1; "alike" is the correlation of two trends
in one night. WORLD is a part of worlds' names. Without PAGES, 100 of each world; docs have 1,000 and more,
which take a quarter of an hour.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from niah.analysis.nights.segments import NightMean, trend_segments

_FIRST = date(2026, 6, 1)  # a Monday
_WARM_UP = 30


@dataclass(frozen=True)
class World:
    """A kind of page.

    Attributes:
        name: for people.
        trends, nights: on the page.
        remembers: autocorrelation of nights.
        alike: correlation of two trends in one night.
        shift: of the first trend's level, in standard deviations of a night.
        at: the first night of the new level.
        weekdays: no night on Saturdays and Sundays.
        missing: share of days without a night.
        breaks: nights from which on something else is asked.
        skewed: nights' means are lognormal.
    """

    name: str
    trends: int = 1
    nights: int = 25
    remembers: float = 0.0
    alike: float = 0.0
    shift: float = 0.0
    at: int = 12
    weekdays: bool = False
    missing: float = 0.0
    breaks: tuple[int, ...] = ()
    skewed: bool = False

    def page(self, seed: int) -> list[list[NightMean]]:
        """The nights of each trend."""
        rng = np.random.default_rng(seed)
        means = self._means(rng)
        means[0, self.at :] -= self.shift
        suites = np.searchsorted(self.breaks, np.arange(self.nights), side="right")
        days = list(self._days(rng))
        return [
            [
                NightMean(day, mean, None, None, str(suite))
                for day, mean, suite in zip(days, row, suites, strict=True)
            ]
            for row in means.tolist()
        ]

    def _means(self, rng: np.random.Generator) -> NDArray[np.float64]:
        size = (self.trends, self.nights + _WARM_UP)
        noise = (1 - self.alike) ** 0.5 * rng.normal(size=size) + self.alike**0.5 * rng.normal(size=size[1])
        for night in range(1, size[1]):
            kept = (1 - self.remembers**2) ** 0.5
            noise[:, night] = self.remembers * noise[:, night - 1] + kept * noise[:, night]
        found = noise[:, _WARM_UP:]
        return np.asarray(-np.exp(found) / 2.16 if self.skewed else found)

    def _days(self, rng: np.random.Generator) -> Iterator[date]:
        day, given = _FIRST, 0
        while given < self.nights:
            if not (self.weekdays and day.weekday() > 4) and rng.random() >= self.missing:
                yield day
                given += 1
            day += timedelta(days=1)


FLAT = (
    World("one trend"),
    World("one trend, 60 nights", nights=60),
    World("one trend, skewed", skewed=True),
    World("24 trends", trends=24),
    World("24 trends, alike 0.5", trends=24, alike=0.5),
    World("24 trends, weekdays", trends=24, weekdays=True),
    World("one trend, remembers 0.3", remembers=0.3),
    World("one trend, 60 nights, remembers 0.3", nights=60, remembers=0.3),
    World("6 trends, remembers 0.3, alike 0.5", trends=6, remembers=0.3, alike=0.5),
    World("24 trends, remembers 0.3", trends=24, remembers=0.3),
    World("one trend, remembers 0.6", nights=60, remembers=0.6),
)

_EIGHTS = (8, 16)
SHIFTED = (
    World("one trend, weekdays, 25 nights: 2 sd", shift=2, weekdays=True),
    World("one trend, weekdays, 30 nights: 2 sd", nights=30, shift=2, at=15, weekdays=True),
    World("one trend, weekdays, 40 nights: 2 sd", nights=40, shift=2, at=20, weekdays=True),
    World("one trend, weekdays, 40 nights: 4 sd", nights=40, shift=4, at=20, weekdays=True),
    World("6 trends, weekdays, 40 nights: 2 sd in one", trends=6, nights=40, shift=2, at=20, weekdays=True),
    World("24 trends, weekdays, 60 nights: 2 sd in one", trends=24, nights=60, shift=2, at=30, weekdays=True),
    World("one trend, every tenth night missing, 40 nights: 2 sd", nights=40, shift=2, at=20, missing=0.1),
    World("one trend, three stretches of 8: 5 sd in the second", nights=24, shift=5, breaks=_EIGHTS),
    World("one trend, three stretches of 8: 50 sd in the second", nights=24, shift=50, breaks=_EIGHTS),
    World("one trend, 25 nights: 0.8 sd", shift=0.8),
    World("one trend, 60 nights: 0.8 sd", nights=60, shift=0.8, at=30),
    World("one trend, 100 nights: 0.8 sd", nights=100, shift=0.8, at=50),
    World("one trend, 25 nights: 1.5 sd", shift=1.5),
    World("one trend, 60 nights: 1.5 sd", nights=60, shift=1.5, at=30),
)


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    print(f"flat, {pages} pages of 25 nights unless said otherwise: with a change point on them")
    for world in FLAT:
        if part in world.name:
            _say(world, pages)
    print("with one shift: found, and dated within two nights")
    for world in SHIFTED:
        if part in world.name:
            _say(world, pages)


def _say(world: World, pages: int) -> None:
    began = time.process_time()
    told = np.array([_told(world, seed) for seed in range(pages)]).mean(axis=0)
    milliseconds = 1000 * (time.process_time() - began) / pages
    shares = ", ".join(f"{100 * share:.1f} %" for share in told)
    print(f"  {world.name}: {shares} ({milliseconds:.0f} ms of CPU a page)", flush=True)


def _told(world: World, seed: int) -> tuple[bool, ...]:
    """Whether any trend of a flat page changes; or whether the shifted one does, and does where it did."""
    nights = world.page(seed)
    found = trend_segments(nights)
    if not world.shift:
        return (any(segment.change for segments in found for segment in segments),)
    places = [nights[0].index(segment.nights[0]) for segment in found[0] if segment.change]
    return bool(places), any(abs(place - world.at) <= 2 for place in places)


if __name__ == "__main__":
    main()
