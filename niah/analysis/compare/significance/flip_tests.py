"""The test of all rows at once, with the search for the worst row done again under every draw of luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.compare.significance.null_draws import NullDraws

if TYPE_CHECKING:
    from numpy.typing import NDArray

Correction = Literal["holm", "bh"]

# So that rounding does not part what is equal.
_SLACK = 1e-9


@dataclass(frozen=True)
class FlipTests:
    """What the tests say; every array has shape (rows,).

    Attributes:
        p: one-sided, of the row alone.
        adjusted: for the search among all rows; NaN for a row that is not tested.
        critical: what the row's statistic, a sum over the root of the sum of squares, must exceed to be the
            worst row and be found; infinite where no answers could, and for a row that is not tested.
    """

    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    critical: NDArray[np.float64]


def flip_tests(
    drawn: NullDraws, weights: NDArray[np.float64], *, correction: Correction, alpha: float
) -> FlipTests:
    """Test every row for "worse", one-sided.

    A row's statistic counts by how far it is beyond what its own part of ``alpha`` asks of a normal
    distribution: so rows of different weight stand on one scale, and the greatest of them is compared with
    the greatest of each draw. A row that is found leaves the search, and the next one is compared with the
    greatest of the rows that are left (Westfall and Young 1993, step-down max-T). Draws alone make the
    p-values: the normal distribution only says which row's luck weighs how much.

    Args:
        drawn: the rows' statistics; critical values are the 90 % quantile of those of pure noise.
        weights: shape (rows,): each row's part of ``alpha``, 1 in all; 0 for a row that is not tested.
        correction: over the rows: any false alarm, or the share of false ones (Genovese, Roeder and
            Wasserman 2006: Benjamini and Hochberg's, with weights).
        alpha: of the whole table.
    """
    own = np.flatnonzero(weights)
    asked = asked_of(weights, alpha)[own]
    p = _share((drawn.draws >= drawn.observed - _SLACK).sum(axis=0), drawn)
    adjusted, critical = (np.full(len(weights), missing) for missing in (np.nan, np.inf))
    if correction == "holm":
        adjusted[own] = _step_down(drawn, own, asked)
    else:
        from scipy.stats import false_discovery_control

        adjusted[own] = false_discovery_control(np.minimum(p[own] / (weights[own] * len(own)), 1.0))
    beyond = _beyond(drawn, own, asked, alpha)
    critical[own] = (asked + beyond) * np.broadcast_to(drawn.scale, len(weights))[own]
    return FlipTests(p=p, adjusted=adjusted, critical=critical)


def asked_of(weights: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Shape (rows,): what each row's part of ``alpha`` asks of a normal statistic; infinite without any."""
    from scipy.special import ndtri

    return np.asarray(-ndtri(alpha * weights), dtype=np.float64)


def least_beyond(drawn: NullDraws, weights: NDArray[np.float64], alpha: float) -> float:
    """How far beyond what it asks the worst row must be so that it is found; infinite where nothing could."""
    own = np.flatnonzero(weights)
    return _exceeded(drawn.draws, own, asked_of(weights, alpha)[own], _may_reach(drawn, alpha)) + _SLACK


def _step_down(drawn: NullDraws, own: NDArray[np.intp], asked: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjusted p-values of the rows ``own``: each against the greatest of those that are no worse."""
    beyond = drawn.observed[own] - asked
    best_last = np.argsort(beyond, kind="stable")
    greatest, reached = np.full(len(drawn.draws), -np.inf), np.empty(len(own), dtype=np.int64)
    for at in best_last:
        np.maximum(greatest, drawn.draws[:, own[at]] - asked[at], out=greatest)
        reached[at] = np.count_nonzero(greatest >= beyond[at] - _SLACK)
    adjusted = np.empty(len(own))
    adjusted[best_last] = np.maximum.accumulate(_share(reached[best_last], drawn)[::-1])[::-1]
    return adjusted


def _beyond(drawn: NullDraws, own: NDArray[np.intp], asked: NDArray[np.float64], alpha: float) -> float:
    """How far beyond what it asks must the worst row be, in a night of pure noise."""
    found = [_exceeded(noise, own, asked, _may_reach(drawn, alpha)) for noise in drawn.noises]
    return float(np.quantile(found, 0.9, method="higher"))


def _may_reach(drawn: NullDraws, alpha: float) -> int:
    """How many of all draws may reach a critical value; below 0 where even one would be too many."""
    count = len(drawn.draws)
    if drawn.is_exact:
        may = int(alpha * count + _SLACK)
        return may if may else -1
    return int(np.floor(alpha * (count + 1) - 1 + _SLACK))


def _exceeded(
    draws: NDArray[np.float64], own: NDArray[np.intp], asked: NDArray[np.float64], may: int
) -> float:
    """What the greatest row of so many draws exceeds; infinite where ``may`` is below 0."""
    if may < 0:
        return float(np.inf)
    greatest = np.full(len(draws), -np.inf)
    for row, least in zip(own, asked, strict=True):
        np.maximum(greatest, draws[:, row] - least, out=greatest)
    return float(np.sort(greatest)[-1 - may])


def _share(reached: NDArray[np.intp], drawn: NullDraws) -> NDArray[np.float64]:
    """The p-values; what was observed is one of all flips, and counts beside those that were drawn."""
    count = len(drawn.draws)
    return np.asarray(reached / count if drawn.is_exact else (reached + 1) / (count + 1))
