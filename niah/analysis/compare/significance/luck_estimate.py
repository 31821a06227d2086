"""How much luck trials share beyond their cluster: a seed over its needle sets, and a whole night.

Luck is a shift in logits of answering right, drawn anew each night. In points of score it is worth less
where nearly all answers are right, or wrong. Of the nights that are known, variance is taken apart as in an
analysis of variance: clusters within a seed, seeds within a night, nights. What seeds, or nights, vary beyond
what those within them explain is luck; where they do not, there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.night_levels import mean_square_of_nights

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_NIGHTS = 3
"""Fewer earlier nights do not tell luck."""

_MOST_SEED, _MOST_NIGHT = 2.8, 1.2
"""Logits: no luck is drawn from a wider law, however little is known of it."""

_FEWEST_DEGREES = 2.0
"""Student's t with fewer has such tails that nothing could be seen."""

_LEAST = 1e-6


@dataclass(frozen=True)
class LuckEstimate:
    """Standard deviations in logits, and by how many degrees of freedom each is known.

    Attributes:
        seed: of what a seed's trials share in one night.
        night: of what all trials share in one night.
        seed_degrees, night_degrees: infinite where it is known for sure.
        nights: before tonight, of which the reference is one, or more.
    """

    seed: float
    night: float
    seed_degrees: float = inf
    night_degrees: float = inf
    nights: int = 1

    def drawn(
        self, draws: int, reference_nights: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Standard deviations of luck in the difference of two nights: so many, of seeds and of nights.

        They make normal luck Student's t. How far the reference is from the mean of the nights that are known
        has been seen, so that part of a night's luck is taken as it is estimated.

        Args:
            draws: how many.
            reference_nights: how many nights' mean the reference is.
            rng: of the draws.
        """
        seeds = np.minimum(self.seed * _spread(self.seed_degrees, draws, rng), _MOST_SEED)
        night = np.minimum(self.night * _spread(self.night_degrees, draws, rng), _MOST_NIGHT)
        of_all, of_reference = 1 / max(self.nights, reference_nights), 1 / reference_nights
        squares = (1 + of_all) * night**2 + (of_reference - of_all) * min(self.night, _MOST_NIGHT) ** 2
        return sqrt(1 + of_reference) * seeds, np.sqrt(squares)


def luck_estimate(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
) -> LuckEstimate:
    """What the nights of one reader tell of its luck, which all its strategies share.

    Luck is what is left of one mean square when another is taken from it: known by Satterthwaite's (1946)
    degrees of freedom, few where little is left.

    Args:
        nights: shape (nights, n): scores, or 1 for what failed; NaN where that is not known. Tonight's are
            the last, which tell nothing of a night's luck: a drop would pass for it. The others stand in
            their order, since one may have brought a lasting step.
        worth: shape (n,): what a logit is worth in points.
        clusters, seeds: shape (n,): of the trials; a cluster lies within a seed.
    """
    cells, codes = _cells(nights, worth, clusters, seeds)
    count, sizes = len(codes), np.bincount(codes)
    if not count or not cells.any():
        return LuckEstimate(0.0, 0.0)
    of_seeds = np.array([np.bincount(codes, night) for night in cells]) / sizes
    of_nights = cells.mean(axis=1)
    earlier = len(cells) - 1
    within_degrees, seeds_degrees = earlier * (count - len(sizes)), earlier * (len(sizes) - 1)
    within = float(((cells - of_seeds[:, codes]) ** 2).sum())
    between = float((sizes * (of_seeds - of_nights[:, None]) ** 2).sum())
    even = float((sizes**2).sum() / count)
    own = (within + between) / max(within_degrees + seeds_degrees, 1)
    seed_square, seed_degrees = 0.0, inf
    if within_degrees and seeds_degrees:
        weight, squares = (
            (count - even) / (len(sizes) - 1),
            (between / seeds_degrees, within / within_degrees),
        )
        left, seed_degrees = _beyond(*squares, seeds_degrees, within_degrees)
        seed_square = left / weight
        own = squares[1] if left else own
    own_of_night = (own + even * seed_square) / count
    night_square, night_degrees = _beyond(
        mean_square_of_nights(of_nights[:-1]), own_of_night, earlier - 1, inf
    )
    return LuckEstimate(sqrt(seed_square), sqrt(night_square), seed_degrees, night_degrees, earlier)


def _beyond(whole: float, own: float, whole_degrees: float, own_degrees: float) -> tuple[float, float]:
    """What a mean square has beyond another, at least 0, and its degrees of freedom."""
    left = whole - own
    if left <= 0:
        return 0.0, inf
    return left, max(left**2 / (whole**2 / whole_degrees + own**2 / own_degrees), _FEWEST_DEGREES)


def _cells(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Shape (nights, clusters): means, in logits, of trials less their means over nights; and the seeds.

    Clusters where luck is worth nothing are left out.
    """
    known = ~np.isnan(nights)
    counts = known.sum(axis=0)
    means = np.where(known, nights, 0).sum(axis=0) / np.maximum(counts, 1)
    off = np.where(known & (counts > 1), nights - means, 0.0)
    value = np.bincount(clusters, worth)
    has_worth = value > _LEAST * max(value.sum(), _LEAST)
    cells = np.array([np.bincount(clusters, night) for night in off])[:, has_worth] / value[has_worth]
    first = np.zeros(len(value), dtype=np.int64)
    first[clusters] = seeds
    _, codes = np.unique(first[has_worth], return_inverse=True)
    return cells, np.asarray(codes, dtype=np.int64)


def _spread(degrees: float, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The root of the degrees of freedom over a chi-square of so many."""
    if degrees == inf:
        return np.ones(draws)
    return np.asarray(np.sqrt(degrees / np.maximum(rng.chisquare(degrees, draws), _LEAST)))
