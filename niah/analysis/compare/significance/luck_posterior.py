"""How much luck trials share beyond their cluster: a seed over its needle sets, and a whole night.

Luck is a shift in logits of answering right, drawn anew each night. In points of score it is worth less
where nearly all answers are right, or wrong. Of the nights that are known, variance is taken apart as in an
analysis of variance: clusters within a seed, seeds within a night, nights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.night_levels import log_likelihood_of_nights

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED_PRIOR, NIGHT_PRIOR = 0.7, 0.3
"""Scales of half-normal priors of the standard deviations, in logits: of luck that there is."""

NO_SEED_LUCK, NO_NIGHT_LUCK = 0.5, 0.4
"""Prior chances that there is none at all: so that a history without any says so, where half-normal priors
alone would go on suspecting it. Five nights tell little of nights' luck, and are doubted longer."""

MIN_NIGHTS = 3
"""Fewer earlier nights do not tell luck."""

_STEPS, _WIDEST = 30, 4.0
_OWN, _OWN_STEPS = (0.05, 20.0), 40
_NIGHT_VARIANCES = np.geomspace(1e-6, 60.0, 90)
_LEAST = 1e-6


@dataclass(frozen=True)
class LuckPosterior:
    """Pairs of standard deviations in logits, each with its chance; all of shape (pairs,).

    Attributes:
        seed: of what a seed's trials share in one night.
        night: of what all trials share in one night.
        chance: these sum to 1.
    """

    seed: NDArray[np.float64]
    night: NDArray[np.float64]
    chance: NDArray[np.float64]

    def drawn(self, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """So many pairs: of seeds and of nights."""
        places = np.searchsorted(np.cumsum(self.chance), rng.random(draws))
        places = np.minimum(places, len(self.chance) - 1)
        return self.seed[places], self.night[places]


@dataclass(frozen=True)
class _Variances:
    """An analysis of variance: mean squares, their degrees of freedom, and what luck weighs in them.

    Attributes:
        within: of clusters within a seed.
        seeds: of seeds within a night; a squared seed luck counts ``seed_weight`` times in it.
        nights: shape (nights,): the mean of each before tonight.
        clusters: how many a night's mean is of.
        seed_weight_of_nights: how often a squared seed luck counts in ``clusters`` times a mean's variance.
    """

    within: float
    within_degrees: int
    seeds: float
    seeds_degrees: int
    seed_weight: float
    nights: NDArray[np.float64]
    clusters: int
    seed_weight_of_nights: float


def luck_posterior(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
) -> LuckPosterior:
    """What the nights of one reader tell of its luck, which all its strategies share.

    Args:
        nights: shape (nights, n): scores, or 1 for what failed; NaN where that is not known. Tonight's are
            the last, which tell nothing of a night's luck: a drop would pass for it. The others stand in
            their order, since one may have brought a lasting step.
        worth: shape (n,): what a logit is worth in points.
        clusters, seeds: shape (n,): of the trials; a cluster lies within a seed.
    """
    seed_scales, seed_chances = _prior(SEED_PRIOR, NO_SEED_LUCK)
    night_scales, night_chances = _prior(NIGHT_PRIOR, NO_NIGHT_LUCK)
    seed, night = np.meshgrid(seed_scales, night_scales, indexing="ij")
    density = np.log(seed_chances)[:, None] + np.log(night_chances)
    found = _variances(nights, worth, clusters, seeds)
    if found is not None:
        density = density + _log_likelihood(found, seed, night)
    chance = np.exp(density - density.max()).ravel()
    return LuckPosterior(seed.ravel(), night.ravel(), chance / chance.sum())


def _prior(scale: float, none: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Standard deviations from 0 on, closer where they are small, with chances; 0 has ``none`` besides."""
    scales = _WIDEST * scale * np.linspace(0, 1, _STEPS) ** 1.5
    chances = np.exp(-((scales / scale) ** 2) / 2) * np.gradient(scales)
    chances *= (1 - none) / chances.sum()
    chances[0] += none
    return scales, chances


def _variances(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
) -> _Variances | None:
    """Of clusters' means in logits, each less its mean over nights; None where nothing varies."""
    known = ~np.isnan(nights)
    counts = known.sum(axis=0)
    means = np.where(known, nights, 0).sum(axis=0) / np.maximum(counts, 1)
    off = np.where(known & (counts > 1), nights - means, 0.0)
    value = np.bincount(clusters, worth)
    has_worth = value > _LEAST * max(value.sum(), _LEAST)
    if not has_worth.any() or not off.any():
        return None
    cells = np.array([np.bincount(clusters, night) for night in off])[:, has_worth] / value[has_worth]
    first = np.zeros(len(value), dtype=np.int64)
    first[clusters] = seeds
    _, codes = np.unique(first[has_worth], return_inverse=True)
    sizes = np.bincount(codes)
    count = cells.shape[1]
    of_seeds = np.array([np.bincount(codes, night) for night in cells]) / sizes
    of_nights = cells.mean(axis=1)
    even = float((sizes**2).sum() / count)
    degrees = (len(cells) - 1) * (count - len(sizes)), (len(cells) - 1) * (len(sizes) - 1)
    return _Variances(
        within=float(((cells - of_seeds[:, codes]) ** 2).sum()) / max(degrees[0], 1),
        within_degrees=degrees[0],
        seeds=float((sizes * (of_seeds - of_nights[:, None]) ** 2).sum()) / max(degrees[1], 1),
        seeds_degrees=degrees[1],
        seed_weight=(count - even) / max(len(sizes) - 1, 1),
        nights=of_nights[:-1],
        clusters=count,
        seed_weight_of_nights=even,
    )


def _log_likelihood(
    found: _Variances, seed: NDArray[np.float64], night: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of standard deviations; what clusters vary by themselves is averaged over."""
    degrees = found.within_degrees + found.seeds_degrees
    square = found.within * found.within_degrees + found.seeds * found.seeds_degrees
    about = max(square / max(degrees, 1), found.within, _LEAST)
    own = (about * np.geomspace(*_OWN, _OWN_STEPS))[:, None, None]
    variances = about * _NIGHT_VARIANCES
    of_means = log_likelihood_of_nights(found.nights, variances)
    mean_variance = (own + found.seed_weight_of_nights * seed**2) / found.clusters + night**2
    each = (
        _chi(found.within, found.within_degrees, own)
        + _chi(found.seeds, found.seeds_degrees, own + found.seed_weight * seed**2)
        + np.interp(np.log(mean_variance), np.log(variances), of_means)
    )
    return np.asarray(np.logaddexp.reduce(each, axis=0))


def _chi(mean_square: float, degrees: int, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log density of a mean square of normal values, but for constants."""
    return -degrees / 2 * (np.log(expected) + mean_square / expected)
