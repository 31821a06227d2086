"""How likely each way is in which depths may differ, and draws from them.

Depths have one curve, or thresholds that are drawn together, or thresholds around a dip; and one floor, or,
with thresholds of their own, a floor each. What is more than that has to be paid for: eleven floors of which
the trials say nothing would hide one depth that fails early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.surface.curves import FLOOR_PRIOR, STEP, Curves
from niah.analysis.stats.surface.depth_dips import NO_DIPS, Dips, dip_table, dips
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
    falls: shape (2, falls), curves and floors that are likely enough together.
    by_depth: shape (depths, curves, floors, thresholds), of each depth by itself, as a part of its likeliest.
    any_floor: shape (depths, curves, thresholds), its mean over the floors.
    alike: curves, thresholds, floors; where depth makes no difference.
    apart: falls, spreads x means; where thresholds do.
    own: curves, spreads x means; where floors do too.
    dipped: dips, means, spreads, falls; where there is a dip.
    lowered: shape (dips, depths), by how many thresholds.
    """

    kept: NDArray[np.intp]
    falls: NDArray[np.intp]
    by_depth: Floats
    any_floor: Floats
    alike: WeightTable
    apart: WeightTable
    own: WeightTable
    dipped: WeightTable
    lowered: NDArray[np.intp]

    def probabilities(self) -> Floats:
        """Shape (4,): alike, apart, own and dipped."""
        weights = np.array([kind.total for kind in (self.alike, self.apart, self.own, self.dipped)])
        found: Floats = weights / weights.sum()
        return found


def posterior_of(curves: Curves, along: Floats, likelihood: Floats, *, with_dips: bool = True) -> Posterior:
    """Of depths that lie ``along`` the context, shape (depths,), with a ``likelihood`` as of the curves."""
    of_falls = likelihood.max(axis=3)
    greatest = of_falls.max(axis=2)
    least = likelihood.sum(axis=0).max() - _NEGLIGIBLE
    # Without slopes and tops with which all depths at their best would be far less likely than with others
    # all alike; and, where all depths have one floor, without such floors.
    kept = np.flatnonzero(greatest.sum(axis=0) >= least)
    curve, floor = falls = np.array(np.nonzero(of_falls[:, kept].sum(axis=0) >= least))
    likelihood, greatest = likelihood[:, kept], greatest[:, kept]
    likeliest = greatest.sum(axis=0)
    # All weights are parts of what the depths' likeliest curves, each at its best, would have.
    unit = likeliest.max()
    at_best = np.exp(likeliest - unit)
    alike = np.exp(likelihood.sum(axis=0) - unit) * (_ALIKE / likelihood.shape[-1] * FLOOR_PRIOR)[:, None]
    likelihood -= greatest[..., None, None]
    by_depth = np.exp(likelihood, out=likelihood)
    any_floor, one_floor = FLOOR_PRIOR @ by_depth, by_depth[:, curve, floor]
    prior = at_best[curve] * FLOOR_PRIOR[floor]
    each = 1 / len(curves.priors)
    known = dips(tuple(along.tolist()), STEP)
    return Posterior(
        kept,
        falls,
        by_depth,
        any_floor,
        weight_table(alike.swapaxes(1, 2)),
        weight_table(np.prod(one_floor @ curves.priors.T, axis=0) * (_APART * each * prior)[:, None]),
        weight_table(np.prod(any_floor @ curves.priors.T, axis=0) * (_OWN * each * at_best)[:, None]),
        _dipped(curves, one_floor, known, _DIPPED * prior) if with_dips else NO_DIPS,
        known.lowered,
    )


def _dipped(curves: Curves, one_floor: Floats, known: Dips, prior: Floats) -> WeightTable:
    """The axes of ``Posterior.dipped``: around every other threshold."""
    every, spreads = curves.off_dips.shape[:2]
    # Thresholds and spreads before falls: whole blocks are multiplied.
    around = curves.off_dips.reshape(-1, every) @ one_floor.transpose(0, 2, 1)
    means = len(range(0, every, 2))
    return dip_table(around.reshape(-1, every, spreads, len(prior)), known, prior / (means * spreads))


def drawn(
    curves: Curves, posterior: Posterior, probabilities: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Shares of the scale, shape (draws, depths, lengths), with kinds of readers as probable as given."""
    kinds = rng.choice(len(probabilities), size=draws, p=probabilities)
    alike, apart, own, dipped = np.bincount(kinds, minlength=len(probabilities)).tolist()
    by_depth, falls = posterior.by_depth, posterior.falls
    curve_alike, threshold_alike, floor_alike = posterior.alike.places_of(alike, rng)
    fall_apart, prior_apart = posterior.apart.places_of(apart, rng)
    curve_own, prior_own = posterior.own.places_of(own, rng)
    dip, mean, spread, fall_dipped = posterior.dipped.places_of(dipped, rng)
    curve_apart, floor_apart = falls[:, fall_apart]
    curve_dipped, floor_dipped = falls[:, fall_dipped]
    around = np.maximum(2 * mean - posterior.lowered[dip].T, 0)
    weights = (
        by_depth[:, curve_apart, floor_apart] * curves.priors[prior_apart],
        posterior.any_floor[:, curve_own] * curves.priors[prior_own],
        by_depth[:, curve_dipped, floor_dipped] * curves.off_dips[around, spread],
    )
    chances = rng.random((len(by_depth), apart + 2 * own + dipped))
    of_floor = slice(apart + own, apart + 2 * own)
    threshold = _picked(np.concatenate(weights, axis=1), np.delete(chances, of_floor, axis=1))
    threshold_apart, threshold_own, threshold_dipped = np.split(threshold, [apart, apart + own], axis=1)
    depth = np.arange(len(by_depth))[:, None]
    floors = by_depth[depth, curve_own, :, threshold_own] * FLOOR_PRIOR
    places = (
        (curve_alike, floor_alike, threshold_alike),
        (curve_apart, floor_apart, threshold_apart),
        (curve_own, _picked(floors, chances[:, of_floor]), threshold_own),
        (curve_dipped, floor_dipped, threshold_dipped),
    )
    kept = curves.shares[posterior.kept]
    shares = np.empty((len(by_depth), draws, kept.shape[-1]))
    for kind, place in enumerate(places):
        shares[:, kinds == kind] = kept[place]
    return shares.swapaxes(0, 1)


def _picked(weights: Floats, chances: Floats) -> NDArray[np.intp]:
    """Of each row of weights, shape (depths, draws, places), a place: shape (depths, draws), as chances."""
    # A product with a triangle sums faster than cumsum, of which each sum waits for the one before it.
    cumulated = weights @ np.tri(weights.shape[-1]).T
    below = cumulated < (chances * cumulated[..., -1])[..., None]
    places: NDArray[np.intp] = np.minimum(np.count_nonzero(below, axis=-1), cumulated.shape[-1] - 1)
    return places
