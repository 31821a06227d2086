"""How likely each way is in which depths may differ, and draws from them.

Depths have one curve, or thresholds that are drawn together, or thresholds around a dip; and one floor, or,
with thresholds of their own, a floor each. What is more than that has to be paid for: eleven floors of which
the trials say nothing would hide one depth that fails early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.surface.curves import FLOOR_PRIOR, STEP, Curves
from niah.analysis.stats.surface.depth_dips import dips

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ALIKE, _APART, _OWN, _DIPPED = 0.5, 0.1, 0.18, 0.22
"""How probable readers are, beforehand, to which depth makes no difference, whose depths differ in their
thresholds, and in their floors too, and those with a dip."""
_NEGLIGIBLE = 22.0
"""Natural logarithms by which a curve may at best be less likely than another in all, to count at all."""


class Posterior(NamedTuple):
    """How likely parameters are, in logarithms.

    kept: shape (curves,), which of all slopes and tops are likely enough to count: those that follow are of
        these alone.
    by_depth: shape (depths, curves, floors, thresholds), of each depth by itself, as a part of its likeliest.
    alike: shape (curves, thresholds, floors), where depth makes no difference.
    apart: shape (curves, floors, spreads x means), where thresholds do.
    own: shape (curves, spreads x means), where floors do too.
    dipped: shape (dips, means, spreads, curves, floors), where there is a dip.
    lowered: shape (dips, depths), by how many thresholds.
    """

    kept: NDArray[np.intp]
    by_depth: Floats
    alike: Floats
    apart: Floats
    own: Floats
    dipped: Floats
    lowered: NDArray[np.intp]

    def probabilities(self) -> Floats:
        """Shape (4,): alike, apart, own and dipped."""
        kinds = (self.alike, self.apart, self.own, self.dipped)
        greatest = max(logs.max(initial=-np.inf) for logs in kinds)
        weights = np.array([np.exp(logs - greatest).sum() for logs in kinds])
        found: Floats = weights / weights.sum()
        return found


def posterior_of(curves: Curves, along: Floats, likelihood: Floats, *, with_dips: bool = True) -> Posterior:
    """Of depths that lie ``along`` the context, shape (depths,), with a ``likelihood`` as of the curves."""
    likelihood, kept = _likely(likelihood)
    greatest = likelihood.max(axis=(2, 3), keepdims=True)
    likeliest = greatest.sum(axis=0)[..., 0]
    by_depth = np.ascontiguousarray(np.exp(likelihood - greatest).transpose(0, 1, 3, 2))
    alike = likelihood.sum(axis=0) + np.log(_ALIKE * FLOOR_PRIOR / likelihood.shape[2])
    apart = _logarithm(by_depth @ curves.priors.T).sum(axis=0) + likeliest[..., None]
    apart += np.log(_APART / len(curves.priors) * FLOOR_PRIOR)[:, None]
    own = _logarithm((by_depth * FLOOR_PRIOR[:, None]).sum(axis=2) @ curves.priors.T).sum(axis=0)
    own += likeliest + np.log(_OWN / len(curves.priors))
    lowered, shares = dips(tuple(along.tolist()), STEP)
    if not with_dips:
        lowered, shares = lowered[:0], shares[:0]
    dipped = _dipped(curves, by_depth, lowered)
    every_mean_and_spread = dipped.shape[1] * dipped.shape[2]
    dipped += likeliest + np.log(_DIPPED / every_mean_and_spread * FLOOR_PRIOR)
    dipped += np.log(shares)[:, None, None, None, None]
    return Posterior(kept, by_depth, alike, apart, own, dipped, lowered)


def _likely(likelihood: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Without slopes and tops with which all depths at their best would be far less likely than with others
    all alike."""
    best = likelihood.max(axis=(2, 3)).sum(axis=0)
    kept = np.flatnonzero(best >= likelihood.sum(axis=0).max() - _NEGLIGIBLE)
    return likelihood[:, kept], kept


def _dipped(curves: Curves, by_depth: Floats, lowered: NDArray[np.intp]) -> Floats:
    """As ``Posterior.dipped``, of the depths alone: around every other threshold.

    What a dip would move off the thresholds stays at their end.
    """
    spreads, every = curves.off_dips.shape[:2]
    off = _logarithm(by_depth @ curves.off_dips.reshape(-1, every).T)
    # Means before spreads, curves and floors: whole blocks are added.
    off = np.ascontiguousarray(off.reshape(*off.shape[:3], spreads, every).transpose(0, 4, 3, 1, 2))
    means = np.arange(0, every, 2)
    unmoved = off[:, means]
    dipped = np.empty((len(lowered), *unmoved.shape[1:]))
    dipped[:] = unmoved.sum(axis=0)
    for depth, all_steps in enumerate(lowered.T.tolist()):
        changes: dict[int, Floats] = {}
        for dip, steps in zip(dipped, all_steps, strict=True):
            if steps:
                if steps not in changes:
                    changes[steps] = off[depth, np.maximum(means - steps, 0)] - unmoved[depth]
                dip += changes[steps]
    return dipped


def drawn(
    curves: Curves, posterior: Posterior, probabilities: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Shares of the scale, shape (draws, depths, lengths), with kinds of readers as probable as given."""
    kinds = rng.choice(len(probabilities), size=draws, p=probabilities)
    alike, apart, own, dipped = (np.flatnonzero(kinds == kind) for kind in range(len(probabilities)))
    shares = np.empty((draws, len(posterior.by_depth), curves.shares.shape[-1]))
    kept = curves.shares[posterior.kept]
    shares[alike] = kept[_places(posterior.alike, len(alike), rng)][:, None]
    of_apart = _places(posterior.apart, len(apart), rng)
    of_own = _places(posterior.own, len(own), rng)
    of_dipped = _places(posterior.dipped, len(dipped), rng)
    for row, depth in enumerate(posterior.by_depth):
        curve, floor, prior = of_apart
        threshold = _picked(depth[curve, floor] * curves.priors[prior], rng)
        shares[apart, row] = kept[curve, threshold, floor]
        curve, prior = of_own
        likely = depth[curve] * FLOOR_PRIOR[:, None]
        threshold = _picked(likely.sum(axis=1) * curves.priors[prior], rng)
        floor = _picked(np.take_along_axis(likely, threshold[:, None, None], axis=2)[..., 0], rng)
        shares[own, row] = kept[curve, threshold, floor]
        dip, mean, spread, curve, floor = of_dipped
        place = np.maximum(2 * mean - posterior.lowered[dip, row], 0)
        threshold = _picked(depth[curve, floor] * curves.off_dips[spread, place], rng)
        shares[dipped, row] = kept[curve, threshold, floor]
    return shares


def _logarithm(weights: Floats) -> Floats:
    found: Floats = np.log(np.maximum(weights, 1e-300))
    return found


def _places(logs: Floats, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], ...]:
    """Where draws from a table of logarithms of weights lie: of each axis an array of shape (draws,)."""
    if not draws:
        return tuple(np.zeros(0, np.intp) for _ in logs.shape)
    weights = np.exp(logs - logs.max()).ravel().cumsum()
    at = np.minimum(np.searchsorted(weights, rng.random(draws) * weights[-1]), len(weights) - 1)
    return np.unravel_index(at, logs.shape)


def _picked(weights: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """Shape (draws,): of each row of weights, shape (draws, places), a place."""
    cumulated = weights.cumsum(axis=1)
    below = cumulated < rng.random((len(cumulated), 1)) * cumulated[:, -1:]
    places: NDArray[np.intp] = np.minimum(np.count_nonzero(below, axis=1), cumulated.shape[1] - 1)
    return places
