"""How much luck trials share beyond their cluster: a seed over its needle sets, and a whole night.

Luck is a shift in logits of answering right, drawn anew each night. In points of score it is worth less
where nearly all answers are right, or wrong. Of the nights that are known, variance is taken apart as in an
analysis of variance: clusters within a seed, seeds within a night, nights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED_PRIOR, NIGHT_PRIOR = 0.5, 0.2
"""Scales of half-normal priors of the standard deviations, in logits. Weak: five nights outweigh them."""

MIN_NIGHTS = 3
"""Fewer earlier nights do not tell luck."""

_STEPS, _WIDEST = 36, 4.0
_VARIANCES = np.geomspace(0.05, 20, 40)
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
        places = rng.choice(len(self.chance), size=draws, p=self.chance)
        return self.seed[places], self.night[places]


@dataclass(frozen=True)
class _Variances:
    """One strategy's analysis of variance: mean squares, degrees of freedom, and what seeds weigh in them."""

    within: float
    within_degrees: int
    seeds: float
    seeds_degrees: int
    seed_weight: float
    nights: float
    nights_degrees: int
    seed_weight_of_nights: float
    night_weight: float


def luck_posterior(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
    strategies: NDArray[np.int64],
) -> LuckPosterior:
    """What the nights of one reader tell of its luck.

    Strategies share luck, so that together they tell no more than one of them: each has its share of the
    likelihood, by what a logit is worth in it.

    Args:
        nights: shape (nights, n): scores, or 1 for what failed; NaN where that is not known. Tonight's are
            the last, which tell nothing of a night's luck: a drop would pass for it.
        worth: shape (n,): what a logit is worth in points.
        clusters, seeds, strategies: shape (n,): of the trials; a cluster lies within a seed.
    """
    seed, night = np.meshgrid(_scales(SEED_PRIOR), _scales(NIGHT_PRIOR), indexing="ij")
    density = -((seed / SEED_PRIOR) ** 2 + (night / NIGHT_PRIOR) ** 2) / 2
    found = list(_every_strategy(nights, worth, clusters, seeds, strategies))
    total = sum(weight for weight, _ in found)
    for weight, variances in found:
        density += weight / total * _log_likelihood(variances, seed, night)
    chance = np.exp(density - density.max()).ravel()
    return LuckPosterior(seed.ravel(), night.ravel(), chance / chance.sum())


def _scales(prior: float) -> NDArray[np.float64]:
    """Standard deviations from 0 on, closer where they are small."""
    return np.asarray(_WIDEST * prior * np.linspace(0, 1, _STEPS) ** 1.5)


def _every_strategy(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
    strategies: NDArray[np.int64],
) -> Iterator[tuple[float, _Variances]]:
    known = ~np.isnan(nights)
    counts = known.sum(axis=0)
    means = np.where(known, nights, 0).sum(axis=0) / np.maximum(counts, 1)
    off = np.where(known & (counts > 1), nights - means, 0.0)
    for strategy in np.unique(strategies):
        own = strategies == strategy
        weight = float(worth[own].sum())
        if weight <= _LEAST or not off[:, own].any():
            continue
        places, cells = np.unique(clusters[own], return_inverse=True)
        value = np.bincount(cells, worth[own])
        sums = np.array([np.bincount(cells, night) for night in off[:, own]])
        first = np.array([seeds[own][cells == cell][0] for cell in range(len(places))])
        has_worth = value > _LEAST * weight
        if has_worth.any():
            yield weight, _variances(sums[:, has_worth] / value[has_worth], first[has_worth])


def _variances(cells: NDArray[np.float64], seeds: NDArray[np.int64]) -> _Variances:
    """Of cells' means in logits, shape (nights, cells), less the same cell's mean over nights."""
    _, codes = np.unique(seeds, return_inverse=True)
    sizes = np.bincount(codes)
    nights, count = cells.shape
    of_seeds = np.array([np.bincount(codes, night) for night in cells]) / sizes
    of_nights = cells.mean(axis=1)
    even = float((sizes**2).sum() / count)
    degrees = (nights - 1) * (count - len(sizes)), (nights - 1) * (len(sizes) - 1)
    before = of_nights[:-1]
    return _Variances(
        within=float(((cells - of_seeds[:, codes]) ** 2).sum()) / max(degrees[0], 1),
        within_degrees=degrees[0],
        seeds=float((sizes * (of_seeds - of_nights[:, None]) ** 2).sum()) / max(degrees[1], 1),
        seeds_degrees=degrees[1],
        seed_weight=(count - even) / max(len(sizes) - 1, 1),
        nights=count * float(before.var(ddof=1)),
        nights_degrees=nights - 2,
        seed_weight_of_nights=even,
        night_weight=float(count),
    )


def _log_likelihood(
    found: _Variances, seed: NDArray[np.float64], night: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of standard deviations; what clusters vary by themselves is averaged over."""
    degrees = found.within_degrees + found.seeds_degrees
    square = found.within * found.within_degrees + found.seeds * found.seeds_degrees
    about = max(square / max(degrees, 1), found.within, _LEAST)
    each = []
    for variance in _VARIANCES * about:
        of_seeds = variance + found.seed_weight * seed**2
        of_nights = variance + found.seed_weight_of_nights * seed**2 + found.night_weight * night**2
        each.append(
            _chi(found.within, found.within_degrees, np.full_like(seed, variance))
            + _chi(found.seeds, found.seeds_degrees, of_seeds)
            + _chi(found.nights, found.nights_degrees, of_nights)
        )
    stacked = np.array(each)
    top = stacked.max(axis=0)
    return np.asarray(top + np.log(np.exp(stacked - top).sum(axis=0)))


def _chi(mean_square: float, degrees: int, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log density of a mean square of normal values, but for constants."""
    return -degrees / 2 * (np.log(expected) + mean_square / expected)
