"""Where the levels of series change: binary segmentation, every round one permutation test of all series.

Vostrikova (1981) for the segmentation, Antoch and Huskova (2001) for the permutations. In a flat series any
order of the values is as likely as any other, if nights do not depend on each other. Since they may, the
orders of what is left after an autoregression (``niah.analysis.stats.series.autocorrelation``) are drawn; and
since the series of one page share their nights, all of them are reordered alike, and the most marked change
of any is compared with the most marked of any (Westfall and Young 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.series.autocorrelation import autocorrelation, innovations

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST = 2
"""Values on either side of a change: one alone is an outlier."""

_SLACK = 1e-9
_ALL = 1 - 1e-12
"""The share of a series' squares that a change explains at most, so that its logarithm is finite."""


@dataclass(frozen=True)
class Series:
    """Values in the order of their nights.

    Attributes:
        values: one for each night.
        nights: numbers of the nights, rising; the same number is the same night in every series.
        breaks: places, rising, from which on something else is measured: no change is looked for across one.
    """

    values: tuple[float, ...]
    nights: tuple[int, ...]
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True)
class ChangePoint:
    """The level is another from here on.

    Attributes:
        place: of the first value of the new level, counted from 0.
        p: of no further change in any of the series; the search for series and place is paid for.
    """

    place: int
    p: float


def change_points(
    series: Sequence[Series], *, alpha: float = 0.05, draws: int = 999, seed: int = 0
) -> list[list[ChangePoint]]:
    """All changes of each series, in its order.

    Round by round the most marked change is looked for in all series and tested at ``alpha``; what is found
    parts its series, and the next round goes on. So the chance of a false change anywhere where no level
    changes is ``alpha`` for all series together. Raises ValueError where a value is not finite.

    Args:
        series: those that are looked at together.
        alpha: of any false change.
        draws: of orders, in each round.
        seed: of the draws.
    """
    if not all(np.isfinite(one.values).all() for one in series):
        raise ValueError("a value is not a finite number; a missing night is no value.")
    parted = [_Parted(one) for one in series if len(one.values) >= 2 * LEAST]
    found: dict[int, list[ChangePoint]] = {id(each.series): [] for each in parted}
    numbers, ranks = _orders(parted, draws, seed)
    p, active = 0.0, parted
    while active:
        active = [each for each in active if each.can_be_parted]
        if not active:
            break
        rho = autocorrelation([(each.values, each.segments, each.series.nights) for each in active])
        marked = [each.most_marked(rho) for each in active]
        best = max(range(len(active)), key=lambda at: marked[at][0])
        if marked[best][0] <= 0:
            break
        greatest = np.max([each.reordered(rho, numbers, ranks) for each in active], axis=0)
        reached = int((greatest >= marked[best][0] - _SLACK).sum())
        p = max(p, (reached + 1) / (draws + 1))
        if p > alpha:
            break
        place = marked[best][1]
        found[id(active[best].series)].append(ChangePoint(place, p))
        active[best].part(place)
    return [sorted(found.get(id(one), ()), key=lambda change: change.place) for one in series]


@dataclass
class _Parted:
    """A series and where it is parted so far.

    Attributes:
        cuts: places, the first 0 and the last the number of values.
    """

    series: Series
    cuts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.cuts = [0, *self.series.breaks, len(self.series.values)]

    @property
    def values(self) -> NDArray[np.float64]:
        return np.asarray(self.series.values, dtype=np.float64)

    @property
    def segments(self) -> list[slice]:
        return [slice(first, last) for first, last in pairwise(self.cuts)]

    @property
    def can_be_parted(self) -> bool:
        return any(each.stop - each.start >= 2 * LEAST for each in self.segments)

    def part(self, place: int) -> None:
        self.cuts = sorted({*self.cuts, place})

    def most_marked(self, rho: float) -> tuple[float, int]:
        """How marked the most marked change is (0 where nothing varies), and its place."""
        parts, squares, free = self._centred(rho)
        best = [(*_greatest(part), each.start) for each, part in parts]
        explained, place, start = max(best, default=(0.0, 0, 0))
        return float(_likelihood_ratio(np.asarray(explained), squares, free)), start + place

    def reordered(
        self, rho: float, numbers: dict[int, int], ranks: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Shape (draws,): how marked the most marked change is in every other order of the nights."""
        parts, squares, free = self._centred(rho)
        greatest = np.zeros(len(ranks))
        for each, part in parts:
            columns = [numbers[night] for night in self.series.nights[each]]
            orders = ranks[:, columns].argsort(axis=1)
            greatest = np.maximum(greatest, _explained(part[orders]).max(axis=1))
        return _likelihood_ratio(greatest, squares, free)

    def _centred(self, rho: float) -> tuple[list[tuple[slice, NDArray[np.float64]]], float, int]:
        """What is left of each segment that may be parted; all squares; and how many values vary freely."""
        left = [(each, innovations(self.values[each], rho)) for each in self.segments]
        squares = sum(float((part**2).sum()) for _, part in left)
        free = len(self.series.values) - len(left)
        return [(each, part) for each, part in left if len(part) >= 2 * LEAST], squares, free


def _orders(parted: Sequence[_Parted], draws: int, seed: int) -> tuple[dict[int, int], NDArray[np.float64]]:
    """A column for each night; and shape (draws, nights), random numbers by which nights are reordered."""
    nights = sorted({night for each in parted for night in each.series.nights})
    columns = {night: at for at, night in enumerate(nights)}
    return columns, np.random.default_rng(seed).random((draws, len(nights)))


def _likelihood_ratio(explained: NDArray[np.float64], squares: float, free: int) -> NDArray[np.float64]:
    """Of a change, by the squares it explains: comparable between series of different lengths."""
    if squares <= 0:
        return np.zeros_like(explained)
    return np.asarray(-free / 2 * np.log1p(-np.minimum(explained / squares, _ALL)))


def _greatest(centred: NDArray[np.float64]) -> tuple[float, int]:
    explained = _explained(centred)
    return float(explained.max()), int(explained.argmax()) + LEAST


def _explained(centred: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (..., splits): the squares that a change at each place explains, of values of mean 0."""
    n = centred.shape[-1]
    left = np.arange(LEAST, n - LEAST + 1)
    sums = centred.cumsum(axis=-1)[..., left - 1]
    explained: NDArray[np.float64] = sums**2 * n / (left * (n - left))
    return explained
