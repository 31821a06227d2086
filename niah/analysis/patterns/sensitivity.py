"""How large a difference a pattern's test would have seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped, totals
from niah.analysis.stats.permutation import max_sign_flip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.patterns.contrasts import Contrast

SURE_ENOUGH = 0.8
"""Found in four of five."""

_STEPS = 10
_DRAWS, _BLOCK = 200, 10
_FEW = 12
"""Clusters, whose signs can be flipped in so few ways that p-values have steps."""
_SLACK = 1e-4
_LEAST_NOISE = 0.1
"""Of the noise that is there, what an effect may leave of it."""


@dataclass(frozen=True)
class Sensitivity:
    """What the power of one test follows from.

    The test sums y d over clusters, and sets the sum against its noise. An effect adds itself times a
    cluster's weight; where a behaviour becomes more frequent, it also varies more, as shares do.

    Attributes:
        weights: shape (clusters,), sums of d^2.
        noise: variance of the sum over clusters, as it is, and no less than independent trials make.
        struck: the sum of d^2 under the condition, times how much the behaviour varies in comparison with
            something that happens or not.
        base, effect: mean behaviour without the condition, and how much more it is under it.
        ends: between which the behaviour lies.
        critical: what the studentised sum must exceed; infinite where no difference could be found.
        level: that p may be at most, of a test that does not search; None of one that does.
    """

    weights: NDArray[np.float64]
    noise: float
    struck: float
    base: float
    effect: float
    ends: tuple[float, float]
    critical: float
    level: float | None

    def power(self, effect: float) -> float:
        """The chance that an effect of this size, above 0, is found."""
        more = self.struck * (self._spread(effect) - self._spread(self.effect))
        variance = max(self.noise + more, _LEAST_NOISE * self.noise)
        if not np.isfinite(self.critical):
            return 0.0
        if not variance > 0:
            return 1.0
        if len(self.weights) > _FEW:
            return self._by_t(effect * float(self.weights.sum()) / variance**0.5)
        sums = _drawn_sums(effect * self.weights, variance * self.weights / self.weights.sum())
        if self.level is None:
            return float((sums.sum(axis=1) > self.critical).mean())
        return _share_found(sums, self.level)

    def detectable(self) -> float | None:
        """The least effect that is found in four of five; None where there is none."""
        low, high = 0.0, self.ends[1] - self.base
        if not high > 0 or self.power(high) < SURE_ENOUGH:
            return None
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(middle) >= SURE_ENOUGH else (middle, high)
        return high

    def _spread(self, effect: float) -> float:
        """The variance of what happens or not, with this effect."""
        mean = float(np.clip(self.base + effect, *self.ends))
        return (mean - self.ends[0]) * (self.ends[1] - mean)

    def _by_t(self, away: float) -> float:
        """By a noncentral t-distribution, so many standard errors away from 0."""
        from scipy.special import nctdtr

        even = _even(self.weights)
        left = even - self.critical**2
        if not left > 0:
            return 0.0
        return 1 - float(nctdtr(even - 1, away, self.critical * np.sqrt((even - 1) / left)))


def sensitivity(told: Contrast, level: float) -> Sensitivity:
    """Of a test whose p has to be at most ``level``."""
    scores, weights = totals(told.cluster, told.y * told.d, told.d**2).T
    count, effect = len(weights), float(scores.sum() / weights.sum())
    # Clusters without any noise flip like any others, once there is an effect.
    alike = not scores.any()
    test = max_sign_flip(weights[:, None]) if alike else told.test
    others = told.raw[~told.under]
    looked_at = others if len(others) else told.raw
    most = (looked_at.mean() - told.ends[0]) * (told.ends[1] - looked_at.mean())
    critical = test.critical(level)
    noise = float(((scores - effect * weights) ** 2).sum()) * count / max(count - 1, 1)
    # So few clusters may agree by luck: what happens or not is never steadier than independent trials.
    of_trials = float((((told.y - effect * told.d) * told.d) ** 2).sum())
    return Sensitivity(
        weights=weights,
        noise=max(noise, of_trials),
        struck=float(looked_at.var() / most if most > 0 else 1) * float((told.d[told.under] ** 2).sum()),
        base=float(others.mean()) if len(others) else 0.0,
        effect=effect,
        ends=told.ends,
        critical=critical if critical**2 < _even(weights) else np.inf,
        level=None if told.threshold and not alike else level,
    )


def _even(weights: NDArray[np.float64]) -> float:
    """As many clusters of the same weight would tell as much (Kish 1965)."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def _drawn_sums(means: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float32]:
    """Shape (draws, clusters): normal sums of clusters, over the root of the sum of their squares."""
    drawn = (means + _noise(len(means)) * np.sqrt(variances)).astype(np.float32)
    scaled: NDArray[np.float32] = drawn / np.sqrt((drawn**2).sum(axis=1, keepdims=True))
    return scaled


def _share_found(drawn: NDArray[np.float32], level: float) -> float:
    """How often the sum of the clusters is above 0, with a p of at most ``level``."""
    sums, signs = drawn.sum(axis=1), _flips(drawn.shape[1]).T
    # Block by block: so small a product is not shared out to threads, which takes longer than the product.
    reached = [
        np.count_nonzero(np.abs(drawn[rows] @ signs) >= sums[rows, None] - _SLACK, axis=1)
        for rows in np.split(np.arange(_DRAWS), _DRAWS // _BLOCK)
    ]
    p = np.concatenate(reached) / signs.shape[1]
    return float(((p <= level) & (sums > 0)).mean())


@lru_cache(maxsize=_FEW)
def _flips(count: int) -> NDArray[np.float32]:
    """Shape (flips, clusters): all signs; the first cluster's stands, since both ways tell the same."""
    rest = flipped(np.eye(count - 1), 2 ** (count - 1), 0) if count > 1 else np.ones((1, 0))
    return np.column_stack([np.ones(len(rest)), rest]).astype(np.float32)


@lru_cache(maxsize=_FEW)
def _noise(count: int) -> NDArray[np.float64]:
    """Shape (draws, clusters): standard normal, the same for all effects."""
    return np.random.default_rng(0).normal(size=(_DRAWS, count))
