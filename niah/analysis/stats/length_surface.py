"""How score falls with context length, depth by depth, where cells hold too few trials to be read alone.

A mean score at length L and depth d is modelled as a share of the scale (0 the lowest score, 1 the highest),

    p(L, d) = top * (floor_d + (1 - floor_d) / (1 + exp(slope * (log2 L - threshold_d)))),

one top and one slope for all depths. Either depth makes no difference, and one threshold and one floor serve
all depths (a point null with a share of the prior: Jeffreys 1961, chapter 5). Or thresholds are drawn
together: threshold_d is normal around a mean, with a spread that is estimated too (a hierarchical
psychometric function: Kuss, Jaekel and Wichmann 2005). So a depth with three trials borrows from the others,
and one that fails early still shows. floor_d is what is left however long the context is, often nothing: a
reader that falls by half at 16k, and no further, has a cliff and not a gentle slope. All parameters lie on
grids, which makes the posterior a sum and no search: nothing has to converge.

Trials of a cluster share luck. The likelihood is raised to the power of 1 / design effect, which is estimated
from the clusters' residuals, and drawn towards ``_TYPICAL_EFFECT`` where clusters are few. Not so for whether
depth makes a difference: luck that a cluster's trials share at all depths hides none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SLOPES = np.array([0.7, 1.2, 2.0, 3.5, 6.0, 12.0])
"""Per doubling of the length: from a fall over five doublings to a cliff."""
_TOPS = np.array([0.02, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.88, 0.94, 0.98, 0.995])
_FLOORS = np.array([0.0, 0.15, 0.35, 0.6])
"""Of the top."""
_FLOOR_PRIOR = np.array([0.4, 0.2, 0.2, 0.2])
_ALIKE = 0.2
"""How probable a reader is, beforehand, to which depth makes no difference: as each of four spreads."""
_SPREADS = np.array([0.15, 0.5, 1.0, 2.0])
"""Of the depths' thresholds, in doublings."""
_BEFORE, _BEYOND, _STEP = 1.5, 3.0, 0.25
"""Doublings that thresholds may lie off the lengths, and apart."""
_TYPICAL_EFFECT, _TYPICAL_CLUSTERS = 1.7, 2.0
"""The design effect that is expected before anything is seen, and how many clusters say so."""
_FIRST_DRAWS = 100
"""To know what is expected; the design effect needs no more."""
_LEAST_EFFECT, _GREATEST_EFFECT = 0.4, 20.0
_SURE = 0.004
"""No share is nearer to 0 or 1: a single slip must not rule a threshold out."""


def fit_surface(
    shares: Floats,
    lengths: NDArray[np.intp],
    depths: NDArray[np.intp],
    clusters: NDArray[np.int64],
    doublings: Floats,
    *,
    draws: int,
    seed: int,
) -> Floats:
    """Draws from the posterior of the mean shares: shape (draws, depths, lengths), of the scale.

    Args:
        shares: shape (n,), scores as shares of their scale.
        lengths, depths, clusters: shape (n,), numbered from 0.
        doublings: shape (lengths,), the binary logarithms of the context lengths, rising.
        draws: from the posterior.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    grid = _grid(tuple(doublings.tolist()))
    likelihood = _log_likelihood(grid, shares, lengths, depths)
    typical = _posterior(grid, likelihood / _TYPICAL_EFFECT)
    first = _drawn(grid, typical, typical.probably_alike(), _FIRST_DRAWS, rng)
    effect = _design_effect(shares, first.mean(axis=0)[depths, lengths], clusters)
    posterior = _posterior(grid, likelihood / effect)
    unhidden = posterior if effect <= 1 else _posterior(grid, likelihood)
    return _drawn(grid, posterior, unhidden.probably_alike(), draws, rng)


@dataclass(frozen=True)
class _Grid:
    """All curves there are, and how likely their thresholds are.

    Attributes:
        curves: shape (slopes x tops, thresholds, floors, lengths), shares of the scale.
        right, wrong: the same shape, their logarithms, and those of what is left to 1.
        priors: shape (means x spreads, thresholds).
    """

    curves: Floats
    right: Floats
    wrong: Floats
    priors: Floats


@lru_cache(maxsize=8)
def _grid(doublings: tuple[float, ...]) -> _Grid:
    """Of these binary logarithms of the lengths. Thresholds lie around every other one with each spread."""
    thresholds = np.arange(doublings[0] - _BEFORE, doublings[-1] + _BEYOND + _STEP / 2, _STEP)
    off = np.array(doublings) - thresholds[:, None]
    falls = 1 / (1 + np.exp(np.minimum(_SLOPES[:, None, None] * off, 50.0)))
    left = _FLOORS[:, None] + (1 - _FLOORS[:, None]) * falls[:, :, None]
    curves = np.clip(_TOPS[:, None, None, None] * left[:, None], _SURE, 1 - _SURE)
    curves = curves.reshape(-1, *curves.shape[2:])
    apart = (thresholds[None, :] - thresholds[::2, None]) / _SPREADS[:, None, None]
    density = np.exp(-0.5 * apart**2)
    priors = (density / density.sum(axis=-1, keepdims=True)).reshape(-1, len(thresholds))
    return _Grid(curves, np.log(curves), np.log1p(-curves), priors)


def _log_likelihood(
    grid: _Grid, shares: Floats, lengths: NDArray[np.intp], depths: NDArray[np.intp]
) -> Floats:
    """Shape (depths, slopes x tops, thresholds, floors).

    A share counts as so much of a success (quasi-binomial).
    """
    rows, count = int(depths.max()) + 1, grid.curves.shape[-1]
    places = depths * count + lengths
    right = np.bincount(places, weights=shares, minlength=rows * count).reshape(rows, count)
    every = np.bincount(places, minlength=rows * count).reshape(rows, count)
    found: Floats = (
        right @ grid.right.reshape(-1, count).T + (every - right) @ grid.wrong.reshape(-1, count).T
    )
    return found.reshape(rows, *grid.curves.shape[:-1])


class _Posterior(NamedTuple):
    """How likely parameters are.

    alike: shape (slopes x tops, thresholds, floors), logarithms, where depth makes no difference.
    apart: shape (slopes x tops, means x spreads), logarithms, where it does.
    depths: shape (depths, slopes x tops, thresholds, floors), where it does, of each depth by itself, as a
        part of its likeliest.
    """

    alike: Floats
    apart: Floats
    depths: Floats

    def probably_alike(self) -> float:
        """The probability that depth makes no difference."""
        greatest = max(self.alike.max(), self.apart.max())
        alike, apart = (np.exp(logs - greatest).sum() for logs in (self.alike, self.apart))
        return float(alike / (alike + apart))


def _posterior(grid: _Grid, likelihood: Floats) -> _Posterior:
    alike = likelihood.sum(axis=0) + np.log(_ALIKE * _FLOOR_PRIOR / likelihood.shape[2])
    greatest = likelihood.max(axis=(-2, -1), keepdims=True)
    depths = np.exp(likelihood - greatest) * _FLOOR_PRIOR
    # Of each slope and top with each mean and spread of thresholds; depths are independent given these.
    apart = np.log(np.maximum(depths.sum(axis=-1) @ grid.priors.T, 1e-300)).sum(axis=0)
    apart += greatest.sum(axis=0)[..., 0] + np.log((1 - _ALIKE) / len(grid.priors))
    return _Posterior(alike, apart, depths)


def _drawn(
    grid: _Grid, posterior: _Posterior, probably_alike: float, draws: int, rng: np.random.Generator
) -> Floats:
    """Shape (draws, depths, lengths): shares, of parameters from the posterior."""
    shares = np.empty((draws, len(posterior.depths), grid.curves.shape[-1]))
    as_one = rng.random(draws) < probably_alike
    shares[as_one] = grid.curves[_places(posterior.alike, int(as_one.sum()), rng)][:, None]
    shape, prior = _places(posterior.apart, int((~as_one).sum()), rng)
    for row, depth in enumerate(posterior.depths):
        weights = depth.sum(axis=-1)[shape] * grid.priors[prior]
        threshold = _picked(weights.cumsum(axis=1), rng)
        floor = _picked(depth[shape, threshold].cumsum(axis=1), rng)
        shares[~as_one, row] = grid.curves[shape, threshold, floor]
    return shares


def _places(logs: Floats, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], ...]:
    """Where draws from a table of logarithms of weights lie: of each axis an array of shape (draws,)."""
    weights = np.exp(logs - logs.max()).ravel().cumsum()
    at = np.minimum(np.searchsorted(weights, rng.random(draws) * weights[-1]), len(weights) - 1)
    return np.unravel_index(at, logs.shape)


def _picked(cumulated: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """Shape (draws,): of each row of cumulated weights, shape (draws, places), a place."""
    below = cumulated < rng.random((len(cumulated), 1)) * cumulated[:, -1:]
    places: NDArray[np.intp] = np.minimum(np.count_nonzero(below, axis=1), cumulated.shape[1] - 1)
    return places


def _design_effect(shares: Floats, expected: Floats, clusters: NDArray[np.int64]) -> float:
    """Squares of the clusters' residuals, over what independent trials would have."""
    residuals = np.bincount(clusters, weights=shares - expected)
    independent = np.bincount(clusters, weights=expected * (1 - expected))
    typical = _TYPICAL_CLUSTERS * independent[independent > 0].mean()
    found = ((residuals**2).sum() + _TYPICAL_EFFECT * typical) / (independent.sum() + typical)
    return float(np.clip(found, _LEAST_EFFECT, _GREATEST_EFFECT))
