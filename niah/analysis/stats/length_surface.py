"""How score falls with context length, depth by depth, where cells hold too few trials to be read alone.

A mean score at length L and depth d is modelled as a share of the scale (0 the lowest score, 1 the highest),

    p(L, d) = top * (floor_d + (1 - floor_d) / (1 + exp(slope * (log2 L - threshold_d)))),

one top and one slope for all depths, and thresholds that are drawn together: threshold_d is normal around a
mean, with a spread that is estimated too (a hierarchical psychometric function: Kuss, Jaekel and Wichmann
2005). So a depth with three trials borrows from the others, and one that fails early still shows. floor_d is
what is left however long the context is, often nothing: a reader that falls by half at 16k, and no further,
has a cliff and not a gentle slope. All parameters lie on grids, which makes the posterior a sum and no
search: nothing has to converge.

Trials of a cluster share luck. The likelihood is raised to the power of 1 / design effect, which is estimated
from the clusters' residuals, and drawn towards ``_TYPICAL_EFFECT`` where clusters are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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


@dataclass(frozen=True)
class LengthSurface:
    """Draws from the posterior.

    Attributes:
        shares: shape (draws, depths, lengths), of the scale.
        design_effect: how many trials of these are worth as much as one of a cluster of its own.
    """

    shares: Floats
    design_effect: float


def fit_surface(
    shares: Floats,
    lengths: NDArray[np.intp],
    depths: NDArray[np.intp],
    clusters: NDArray[np.int64],
    doublings: Floats,
    *,
    draws: int,
    seed: int,
) -> LengthSurface:
    """The posterior of the mean shares at every length and depth.

    Args:
        shares: shape (n,), scores as shares of their scale.
        lengths, depths, clusters: shape (n,), numbered from 0.
        doublings: shape (lengths,), the binary logarithms of the context lengths, rising.
        draws: from the posterior.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    thresholds = np.arange(doublings[0] - _BEFORE, doublings[-1] + _BEYOND + _STEP / 2, _STEP)
    grid = _shares_on_grid(thresholds, doublings)
    likelihood = _log_likelihood(grid, shares, lengths, depths, len(doublings))
    priors = _threshold_priors(thresholds)
    first = _drawn(grid, likelihood / _TYPICAL_EFFECT, priors, _FIRST_DRAWS, rng)
    effect = _design_effect(shares, first.mean(axis=0)[depths, lengths], clusters)
    return LengthSurface(_drawn(grid, likelihood / effect, priors, draws, rng), effect)


def _shares_on_grid(thresholds: Floats, doublings: Floats) -> Floats:
    """Shape (slopes, tops, thresholds, floors, lengths)."""
    off = doublings[None, :] - thresholds[:, None]
    falls = 1 / (1 + np.exp(np.minimum(_SLOPES[:, None, None] * off, 50.0)))
    left = _FLOORS[:, None] + (1 - _FLOORS[:, None]) * falls[:, :, None]
    grid: Floats = np.clip(_TOPS[:, None, None, None] * left[:, None], _SURE, 1 - _SURE)
    return grid


def _log_likelihood(
    grid: Floats, shares: Floats, lengths: NDArray[np.intp], depths: NDArray[np.intp], count: int
) -> Floats:
    """Shape (depths, slopes, tops, thresholds, floors).

    A share counts as so much of a success (quasi-binomial).
    """
    rows = int(depths.max()) + 1
    places = depths * count + lengths
    right = np.bincount(places, weights=shares, minlength=rows * count).reshape(rows, count)
    every = np.bincount(places, minlength=rows * count).reshape(rows, count)
    flat = grid.reshape(-1, count)
    found: Floats = right @ np.log(flat).T + (every - right) @ np.log1p(-flat).T
    return found.reshape(rows, *grid.shape[:-1])


def _threshold_priors(thresholds: Floats) -> Floats:
    """Shape (spreads x means, thresholds): normal around every other threshold with each spread."""
    off = (thresholds[None, :] - thresholds[::2, None]) / _SPREADS[:, None, None]
    density = np.exp(-0.5 * off**2)
    priors: Floats = (density / density.sum(axis=-1, keepdims=True)).reshape(-1, len(thresholds))
    return priors


def _drawn(grid: Floats, likelihood: Floats, priors: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Shape (draws, depths, lengths): shares, of parameters from the posterior."""
    rows, slopes, tops, count, floors = likelihood.shape
    greatest = likelihood.max(axis=(-2, -1), keepdims=True)
    scaled = np.exp(likelihood - greatest).reshape(rows, slopes * tops, count, floors) * _FLOOR_PRIOR
    # Of each slope and top with each mean and spread of thresholds; depths are independent given these.
    log_posterior = np.log(np.maximum(scaled.sum(axis=-1) @ priors.T, 1e-300)).sum(axis=0)
    log_posterior += greatest.sum(axis=0).reshape(-1, 1)
    posterior = np.exp(log_posterior - log_posterior.max()).ravel().cumsum()
    picked = np.searchsorted(posterior, rng.random(draws) * posterior[-1])
    shape, prior = np.unravel_index(np.minimum(picked, len(posterior) - 1), log_posterior.shape)
    shares = np.empty((draws, rows, grid.shape[-1]))
    curves = grid.reshape(slopes * tops, count * floors, -1)
    for row in range(rows):
        weights = (scaled[row, shape] * priors[prior][..., None]).reshape(draws, -1).cumsum(axis=1)
        at = (weights < rng.random((draws, 1)) * weights[:, -1:]).sum(axis=1)
        shares[:, row] = curves[shape, np.minimum(at, count * floors - 1)]
    return shares


def _design_effect(shares: Floats, expected: Floats, clusters: NDArray[np.int64]) -> float:
    """Squares of the clusters' residuals, over what independent trials would have."""
    residuals = np.bincount(clusters, weights=shares - expected)
    independent = np.bincount(clusters, weights=expected * (1 - expected))
    typical = _TYPICAL_CLUSTERS * independent[independent > 0].mean()
    found = ((residuals**2).sum() + _TYPICAL_EFFECT * typical) / (independent.sum() + typical)
    return float(np.clip(found, _LEAST_EFFECT, _GREATEST_EFFECT))
