"""Where the levels of series change: binary segmentation, every round one permutation test of all series.

Vostrikova (1981) for the segmentation, Antoch and Huskova (2001) for the permutations. In a flat series any
order of the values is as likely as any other, if nights do not depend on each other. Since they may, the
orders of what is left after an autoregression (``niah.analysis.stats.series.autocorrelation``) are drawn; and
since the series of one page share their nights, all of them are reordered alike, and the most marked of all
is compared with the most marked of all (Westfall and Young 1993). How marked a change is, is the average of
its likelihood ratios over all places (Andrews and Ploberger 1994).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
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
        if marked[best][0] == -np.inf:
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
        """How marked a change is (-infinity where nothing varies), and the likeliest place of one."""
        parts, squares, free = self._centred(rho)
        if squares <= 0 or not parts:
            return -np.inf, 0
        ratios = [_likelihood_ratios(_explained(part, rho), squares, free) for _, part in parts]
        _, place = max(
            (float(ratio.max()), each.start + LEAST + int(ratio.argmax()))
            for (each, _), ratio in zip(parts, ratios, strict=True)
        )
        return float(_average(ratios)), place

    def reordered(
        self, rho: float, numbers: dict[int, int], ranks: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Shape (draws,): how marked a change is in every other order of the nights."""
        parts, squares, free = self._centred(rho)
        ratios = [np.full((len(ranks), 1), -np.inf)]
        for each, part in parts if squares > 0 else ():
            columns = [numbers[night] for night in self.series.nights[each]]
            orders = ranks[:, columns].argsort(axis=1)
            ratios.append(_likelihood_ratios(_explained(part[orders], rho), squares, free))
        return _average(ratios)

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


def _likelihood_ratios(explained: NDArray[np.float64], squares: float, free: int) -> NDArray[np.float64]:
    """Logarithms, of changes by the squares that each explains: comparable between series of any length."""
    return np.asarray(-free / 2 * np.log1p(-np.minimum(explained / squares, _ALL)))


def _average(ratios: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Shape (...,): over all places of a series, each of which is as likely, but for a constant.

    It finds more than the greatest of them does: places beside the change speak for it too.
    """
    return np.asarray(np.logaddexp.reduce(np.concatenate(ratios, axis=-1), axis=-1))


def _explained(new: NDArray[np.float64], rho: float) -> NDArray[np.float64]:
    """Shape (..., splits): the squares of what is new in each night that a change at each place explains.

    Generalised least squares: a step of the level is new as a whole in its first night, and all but what a
    night remembers of the one before in those that follow.
    """
    return np.asarray((new @ _steps(new.shape[-1], round(rho, 6))) ** 2)


@lru_cache(maxsize=64)
def _steps(n: int, rho: float) -> NDArray[np.float64]:
    """Shape (n, splits): each step as it is new in each night, beside the level before it; of length 1."""
    night, places = np.arange(n)[:, None], np.arange(LEAST, n - LEAST + 1)
    steps = np.where(night > places, 1 - rho, 0.0) + (night == places)
    level = np.full(n, 1 - rho)
    level[0] = (1 - rho**2) ** 0.5
    level /= np.linalg.norm(level)
    steps -= level[:, None] * (level @ steps)
    return np.asarray(steps / np.linalg.norm(steps, axis=0))
