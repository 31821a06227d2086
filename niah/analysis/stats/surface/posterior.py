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
from niah.analysis.stats.surface.weight_table import WeightTable, weight_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ALIKE, _APART, _OWN, _DIPPED = 0.5, 0.1, 0.18, 0.22
"""How probable readers are, beforehand, to which depth makes no difference, whose depths differ in their
thresholds, and in their floors too, and those with a dip."""
_NEGLIGIBLE = 22.0
"""Natural logarithms by which a curve may at best be less likely than another in all, to count at all."""


class Posterior(NamedTuple):
    """How likely parameters are: tables of weights, of which these are the axes.

    kept: shape (curves,), which of all slopes and tops are likely enough to count: those that follow are of
        these alone.
    by_depth: shape (depths, curves, floors, thresholds), of each depth by itself, as a part of its likeliest.
    any_floor: shape (depths, curves, thresholds), its mean over the floors.
    alike: curves, thresholds, floors; where depth makes no difference.
    apart: curves, floors, spreads x means; where thresholds do.
    own: curves, spreads x means; where floors do too.
    dipped: dips, means, spreads, curves, floors; where there is a dip.
    lowered: shape (dips, depths), by how many thresholds.
    """

    kept: NDArray[np.intp]
    by_depth: Floats
    any_floor: Floats
    alike: WeightTable
    apart: WeightTable
    own: WeightTable
    dipped: WeightTable
    lowered: NDArray[np.intp]

    def probabilities(self) -> Floats:
        """Shape (4,): alike, apart, own and dipped."""
        kinds = (self.alike, self.apart, self.own, self.dipped)
        greatest = max(kind.greatest for kind in kinds)
        weights = np.array([kind.total(greatest) for kind in kinds])
        found: Floats = weights / weights.sum()
        return found


def posterior_of(curves: Curves, along: Floats, likelihood: Floats, *, with_dips: bool = True) -> Posterior:
    """Of depths that lie ``along`` the context, shape (depths,), with a ``likelihood`` as of the curves."""
    greatest = likelihood.max(axis=(2, 3))
    kept = _likely(likelihood, greatest)
    likelihood, greatest = likelihood[:, kept], greatest[:, kept]
    likeliest = greatest.sum(axis=0)[:, None]
    alike = likelihood.sum(axis=0) + np.log(_ALIKE * FLOOR_PRIOR / likelihood.shape[-1])[:, None]
    likelihood -= greatest[..., None, None]
    by_depth = np.exp(likelihood, out=likelihood)
    any_floor = FLOOR_PRIOR @ by_depth
    apart = _logarithm(by_depth @ curves.priors.T).sum(axis=0)
    apart += (likeliest + np.log(_APART / len(curves.priors) * FLOOR_PRIOR))[..., None]
    own = _logarithm(any_floor @ curves.priors.T).sum(axis=0)
    own += likeliest + np.log(_OWN / len(curves.priors))
    lowered, shares = dips(tuple(along.tolist()), STEP)
    if not with_dips:
        lowered, shares = lowered[:0], shares[:0]
    dipped = _dipped(curves, by_depth, lowered, likeliest + np.log(_DIPPED * FLOOR_PRIOR), np.log(shares))
    return Posterior(
        kept,
        by_depth,
        any_floor,
        weight_table(alike.swapaxes(1, 2)),
        weight_table(apart),
        weight_table(own),
        weight_table(dipped),
        lowered,
    )


def _likely(likelihood: Floats, greatest: Floats) -> NDArray[np.intp]:
    """Without slopes and tops with which all depths at their best would be far less likely than with others
    all alike."""
    least = likelihood.sum(axis=0).max() - _NEGLIGIBLE
    return np.flatnonzero(greatest.sum(axis=0) >= least)


def _dipped(
    curves: Curves, by_depth: Floats, lowered: NDArray[np.intp], likeliest: Floats, shares: Floats
) -> Floats:
    """Logarithms, as the axes of ``Posterior.dipped``: around every other threshold.

    What a dip would move off the thresholds stays at their end.

    Args:
        curves: all there are.
        by_depth, lowered: as of the posterior.
        likeliest: shape (curves, floors), logarithms of what by_depth is a part of, and of the priors.
        shares: shape (dips,), logarithms of how probable dips are.
    """
    every, spreads = curves.off_dips.shape[:2]
    means = np.arange(0, every, 2)
    shape = (len(means), spreads, *likeliest.shape)
    if not len(lowered):
        return np.empty((0, *shape))
    # Means and spreads before curves and floors: whole blocks are added.
    flat = by_depth.reshape(len(by_depth), -1, every).transpose(0, 2, 1)
    off = _logarithm(curves.off_dips.reshape(-1, every) @ flat).reshape(len(by_depth), every, *shape[1:])
    unmoved = off[:, means]
    prior = likeliest - np.log(len(means) * spreads)
    dipped: Floats = shares.reshape(-1, 1, 1, 1, 1) + (unmoved.sum(axis=0) + prior)
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
    by_depth, any_floor = posterior.by_depth, posterior.any_floor
    kept = curves.shares[posterior.kept]
    shares = np.empty((len(by_depth), draws, kept.shape[-1]))
    curve, threshold, floor = posterior.alike.places_of(len(alike), rng)
    shares[:, alike] = kept[curve, floor, threshold]
    of_apart = posterior.apart.places_of(len(apart), rng)
    of_own = posterior.own.places_of(len(own), rng)
    of_dipped = posterior.dipped.places_of(len(dipped), rng)
    chances = rng.random((len(by_depth), len(apart) + 2 * len(own) + len(dipped)))
    ends = np.cumsum([len(apart), len(own), len(own)])
    of_threshold_apart, of_threshold, of_floor, of_threshold_dipped = np.split(chances, ends, axis=1)

    curve, floor, prior = of_apart
    threshold = _picked(by_depth[:, curve, floor] * curves.priors[prior], of_threshold_apart)
    shares[:, apart] = kept[curve, floor, threshold]
    curve, prior = of_own
    threshold = _picked(any_floor[:, curve] * curves.priors[prior], of_threshold)
    depth = np.arange(len(by_depth))[:, None]
    floor = _picked(by_depth[depth, curve, :, threshold] * FLOOR_PRIOR, of_floor)
    shares[:, own] = kept[curve, floor, threshold]
    dip, mean, spread, curve, floor = of_dipped
    around = np.maximum(2 * mean - posterior.lowered[dip].T, 0)
    threshold = _picked(by_depth[:, curve, floor] * curves.off_dips[around, spread], of_threshold_dipped)
    shares[:, dipped] = kept[curve, floor, threshold]
    return shares.swapaxes(0, 1)


def _logarithm(weights: Floats) -> Floats:
    """In place."""
    np.maximum(weights, 1e-300, out=weights)
    return np.log(weights, out=weights)


def _picked(weights: Floats, chances: Floats) -> NDArray[np.intp]:
    """Of each row of weights, shape (depths, draws, places), a place: shape (depths, draws), as chances."""
    cumulated = weights.cumsum(axis=-1)
    below = cumulated < (chances * cumulated[..., -1])[..., None]
    places: NDArray[np.intp] = np.minimum(np.count_nonzero(below, axis=-1), cumulated.shape[-1] - 1)
    return places
