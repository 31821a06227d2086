"""How score falls with context length, depth by depth, where cells hold too few trials to be read alone.

A mean score at length L and depth d is modelled as a share of the scale (0 the lowest score, 1 the highest),

    p(L, d) = top * (floor_d + (1 - floor_d) / (1 + exp(slope * (log2 L - threshold_d)))),

one top and one slope for all depths. Either depth makes no difference, and one threshold and one floor serve
all depths (a point null with a share of the prior: Jeffreys 1961, chapter 5). Or thresholds are drawn
together: threshold_d is normal around a mean, with a spread that is estimated too (a hierarchical
psychometric function: Kuss, Jaekel and Wichmann 2005). So a depth with three trials borrows from the others,
and one that fails early still shows. Or it is normal around a dip, so that neighbours fail early together
(``niah.analysis.stats.surface.depth_dips``). floor_d is what is left however long the context is, often
nothing: a reader that falls by half at 16k, and no further, has a cliff and not a gentle slope. All
parameters lie on grids, which makes the posterior a sum and no search: nothing has to converge.

Trials of a cluster share luck. The likelihood is raised to the power of 1 / design effect, which is estimated
from the clusters' residuals, and drawn towards ``_TYPICAL_EFFECT`` where clusters are few. Scores between the
ends of their scale vary less than ones and tens, and count for more. Not so for whether depth makes a
difference: luck that a cluster's trials share at all depths hides none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.surface.depth_dips import dips

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SLOPES = np.array([0.7, 1.2, 2.0, 3.5, 6.0, 12.0])
"""Per doubling of the length: from a fall over five doublings to a cliff."""
_TOPS = np.array([0.02, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.88, 0.94, 0.98, 0.995])
_FLOORS = np.array([0.0, 0.15, 0.35, 0.6])
"""Of the top."""
_FLOOR_PRIOR = np.array([0.4, 0.2, 0.2, 0.2])
_ALIKE, _DIPS = 0.35, 0.25
"""How probable readers are, beforehand, to which depth makes no difference, and those with a dip."""
_SPREADS = np.array([0.15, 0.5, 1.0, 2.0])
"""Of the depths' thresholds, in doublings."""
_OFF_DIPS = np.array([0.15, 0.5])
"""The same, around a dip."""
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
    along: Floats,
    *,
    draws: int,
    seed: int,
) -> Floats:
    """Draws from the posterior of the mean shares: shape (draws, depths, lengths), of the scale.

    Args:
        shares: shape (n,), scores as shares of their scale.
        lengths, depths, clusters: shape (n,), numbered from 0.
        doublings: shape (lengths,), the binary logarithms of the context lengths, rising.
        along: shape (depths,), where in the context they lie, from 0 to 1.
        draws: from the posterior.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    grid = _grid(tuple(doublings.tolist()))
    likelihood = _log_likelihood(grid, shares, lengths, depths)
    around = _dipped(along, likelihood.shape[2])
    typical = _posterior(grid, around, likelihood / _TYPICAL_EFFECT)
    first = _drawn(grid, around, typical, typical.probabilities(), _FIRST_DRAWS, rng)
    effect = _design_effect(shares, first.mean(axis=0)[depths, lengths], clusters)
    posterior = _posterior(grid, around, likelihood / effect)
    unhidden = posterior if effect <= 1 else _posterior(grid, around, likelihood)
    return _drawn(grid, around, posterior, unhidden.probabilities(), draws, rng)


@dataclass(frozen=True)
class _Grid:
    """All curves there are, and how likely their thresholds are.

    Attributes:
        curves: shape (slopes x tops, thresholds, floors, lengths), shares of the scale.
        right, wrong: the same shape, their logarithms, and those of what is left to 1.
        priors: shape (spreads x means, thresholds).
        off_dips: shape (spreads, means, thresholds), with the spreads and all means that dips have.
    """

    curves: Floats
    right: Floats
    wrong: Floats
    priors: Floats
    off_dips: Floats


@lru_cache(maxsize=8)
def _grid(doublings: tuple[float, ...]) -> _Grid:
    """Of these binary logarithms of the lengths. Thresholds lie around every other one with each spread."""
    thresholds = np.arange(doublings[0] - _BEFORE, doublings[-1] + _BEYOND + _STEP / 2, _STEP)
    off = np.array(doublings) - thresholds[:, None]
    falls = 1 / (1 + np.exp(np.minimum(_SLOPES[:, None, None] * off, 50.0)))
    left = _FLOORS[:, None] + (1 - _FLOORS[:, None]) * falls[:, :, None]
    curves = np.clip(_TOPS[:, None, None, None] * left[:, None], _SURE, 1 - _SURE)
    curves = curves.reshape(-1, *curves.shape[2:])
    priors = _normal(thresholds, thresholds[::2], _SPREADS).reshape(-1, len(thresholds))
    off_dips = _normal(thresholds, thresholds, _OFF_DIPS)
    return _Grid(curves, np.log(curves), np.log1p(-curves), priors, off_dips)


def _normal(thresholds: Floats, means: Floats, spreads: Floats) -> Floats:
    """How likely thresholds are: shape (spreads, means, thresholds)."""
    density = np.exp(-0.5 * ((thresholds - means[:, None]) / spreads[:, None, None]) ** 2)
    found: Floats = density / density.sum(axis=-1, keepdims=True)
    return found


def _dipped(along: Floats, thresholds: int) -> NDArray[np.intp]:
    """Where thresholds are expected with each dip, around every other one: shape (dips x means, depths).

    Places on the grid. What a dip would move off it stays at its end.
    """
    places = np.arange(0, thresholds, 2)[:, None] - dips(along, _STEP)[:, None, :]
    found: NDArray[np.intp] = np.maximum(places, 0).reshape(-1, len(along))
    return found


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
    apart: shape (slopes x tops, spreads x means), logarithms, where it does.
    dipped: shape (dips x means, spreads, slopes x tops), logarithms, where there is a dip.
    depths: shape (depths, slopes x tops, thresholds, floors), where it does, of each depth by itself, as a
        part of its likeliest.
    """

    alike: Floats
    apart: Floats
    dipped: Floats
    depths: Floats

    def probabilities(self) -> Floats:
        """Shape (3,): that depth makes no difference, that it does, and that there is a dip."""
        kinds = (self.alike, self.apart, self.dipped)
        greatest = max(logs.max(initial=-np.inf) for logs in kinds)
        weights = np.array([np.exp(logs - greatest).sum() for logs in kinds])
        found: Floats = weights / weights.sum()
        return found


def _posterior(grid: _Grid, around: NDArray[np.intp], likelihood: Floats) -> _Posterior:
    """With dips ``around``, as from ``_dipped``."""
    alike = likelihood.sum(axis=0) + np.log(_ALIKE * _FLOOR_PRIOR / likelihood.shape[2])
    greatest = likelihood.max(axis=(-2, -1), keepdims=True)
    depths = np.exp(likelihood - greatest) * _FLOOR_PRIOR
    # Of each slope and top with each mean and spread of thresholds; depths are independent given these.
    of_thresholds, likeliest = depths.sum(axis=-1), greatest.sum(axis=0)[..., 0]
    apart = np.log(np.maximum(of_thresholds @ grid.priors.T, 1e-300)).sum(axis=0)
    apart += likeliest + np.log((1 - _ALIKE - _DIPS) / len(grid.priors))
    # Means first: whole rows are gathered.
    off = np.log(np.maximum(of_thresholds @ grid.off_dips.reshape(-1, grid.off_dips.shape[-1]).T, 1e-300))
    off = off.reshape(*off.shape[:2], len(_OFF_DIPS), -1).transpose(0, 3, 2, 1)
    dipped = np.zeros((len(around), *off.shape[2:]))
    for depth, places in zip(np.ascontiguousarray(off), around.T, strict=True):
        dipped += depth[places]
    dipped += likeliest[:, 0] + np.log(_DIPS / max(dipped[..., 0].size, 1))
    return _Posterior(alike, apart, dipped, depths)


def _drawn(
    grid: _Grid,
    around: NDArray[np.intp],
    posterior: _Posterior,
    probabilities: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Shape (draws, depths, lengths): shares, of parameters from the posterior."""
    shares = np.empty((draws, len(posterior.depths), grid.curves.shape[-1]))
    kinds = rng.choice(len(probabilities), size=draws, p=probabilities)
    alike, apart, dipped = (np.flatnonzero(kinds == kind) for kind in range(len(probabilities)))
    shares[alike] = grid.curves[_places(posterior.alike, len(alike), rng)][:, None]
    curve, prior = _places(posterior.apart, len(apart), rng)
    for row, depth in enumerate(posterior.depths):
        shares[apart, row] = _of_depth(grid, depth, curve, grid.priors[prior], rng)
    if len(dipped):
        at, spread, curve = _places(posterior.dipped, len(dipped), rng)
        for row, depth in enumerate(posterior.depths):
            priors = grid.off_dips[spread, around[at, row]]
            shares[dipped, row] = _of_depth(grid, depth, curve, priors, rng)
    return shares


def _of_depth(
    grid: _Grid, depth: Floats, curve: NDArray[np.intp], priors: Floats, rng: np.random.Generator
) -> Floats:
    """Shape (draws, lengths): shares of one depth, whose thresholds are as likely as ``priors`` say."""
    threshold = _picked((depth.sum(axis=-1)[curve] * priors).cumsum(axis=1), rng)
    floor = _picked(depth[curve, threshold].cumsum(axis=1), rng)
    return grid.curves[curve, threshold, floor]


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
    """How trials vary, ones and tens the most, times squares of clusters' residuals over such trials' own.

    Luck that a cluster's trials share makes it vary more, never less. Residuals of trials would say less than
    the scores: the fit has seen them.
    """
    binary = np.bincount(clusters, weights=expected * (1 - expected))
    varied = max(1 - (shares * (1 - shares)).sum() / binary.sum(), _LEAST_EFFECT)
    independent = varied * binary
    residuals = np.bincount(clusters, weights=shares - expected)
    typical = _TYPICAL_CLUSTERS * independent[independent > 0].mean()
    shared = ((residuals**2).sum() + _TYPICAL_EFFECT * typical) / (independent.sum() + typical)
    return float(min(varied * max(shared, 1.0), _GREATEST_EFFECT))
