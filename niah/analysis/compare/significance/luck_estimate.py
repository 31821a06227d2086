"""How much luck trials share beyond their cluster: a seed over its needle sets, and a whole night.

Luck is a shift in logits of answering right, drawn anew each night. In points of score it is worth less
where nearly all answers are right, or wrong. Of the nights that are known, variance is taken apart as in an
analysis of variance: clusters within a seed, seeds within a night, nights. What seeds, or nights, vary beyond
what those within them explain is luck; where they do not, there is none, and what they vary tells of those
within them too (Thompson 1962). It tells besides how near the reference, which is one of these nights, is to
the mean of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
class MeanSquares:
    """Two mean squares: what the whole has beyond its own is the square of luck.

    Attributes:
        whole, own: in squared logits of luck.
        whole_degrees, own_degrees: of freedom.
    """

    whole: float
    own: float
    whole_degrees: int
    own_degrees: int

    @property
    def luck(self) -> float:
        """Luck's standard deviation; 0 where the whole is no greater."""
        return sqrt(max(self.whole - self.own, 0.0))

    def drawn(self, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Luck's standard deviation as it may be: generalised inference (Weerahandi 1993)."""
        whole = self.whole * _spread(self.whole_degrees, draws, rng) ** 2
        own = self.own * _spread(self.own_degrees, draws, rng) ** 2
        return np.asarray(np.sqrt(np.maximum(whole - own, 0.0)))


@dataclass(frozen=True)
class LuckEstimate:
    """Standard deviations in logits, and how well each is known.

    Attributes:
        seed: of what a seed's trials share in one night.
        night: of what all trials share in one night.
        seed_squares: what it is known by; None where it is known for sure.
        night_degrees: of freedom, by which it is known; infinite where it is known for sure.
        nights: before tonight, of which the reference is one, or more.
        calm: in squared logits, how much less nights' means vary than those within them explain; at least 0.
    """

    seed: float
    night: float
    seed_squares: MeanSquares | None = None
    night_degrees: float = inf
    nights: int = 1
    calm: float = 0.0

    def drawn(
        self, draws: int, reference_nights: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Standard deviations of luck in the difference of two nights: so many, of seeds and of nights.

        Those of nights make normal luck Student's t. How far the reference is from the mean of the nights
        that are known has been seen, so that part of a night's luck is taken as it is estimated.

        Args:
            draws: how many.
            reference_nights: how many nights' mean the reference is.
            rng: of the draws.
        """
        squares = self.seed_squares
        seeds = np.minimum(squares.drawn(draws, rng) if squares else np.full(draws, self.seed), _MOST_SEED)
        night = np.minimum(self.night * _spread(self.night_degrees, draws, rng), _MOST_NIGHT)
        of_all, of_reference = 1 / max(self.nights, reference_nights), 1 / reference_nights
        of_night = (1 + of_all) * night**2 + (of_reference - of_all) * min(self.night, _MOST_NIGHT) ** 2
        return sqrt(1 + of_reference) * seeds, np.sqrt(of_night)

    @property
    def seen_of_reference(self) -> float:
        """In squared logits, how much nearer the night before is to all nights' mean than those within say.

        It has been seen as one of the nights that are known; and so much less does tonight's difference from
        it vary. It holds on the average of nights that are as calm as these.
        """
        return (1 - 1 / self.nights) * self.calm


def luck_estimate(
    nights: NDArray[np.float64],
    worth: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
) -> LuckEstimate:
    """What the nights of one reader tell of its luck, which all its strategies share.

    Luck is what is left of one mean square when another is taken from it. Where nights have none, what they
    vary tells how much seeds do.

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
    of_nights, earlier = cells.mean(axis=1), len(cells) - 1
    squares, own = _within_nights(cells, codes)
    even = float((sizes**2).sum() / count)
    seed = squares.luck if squares else 0.0
    square, own_of_night = mean_square_of_nights(of_nights[:-1]), (own + even * seed**2) / count
    night_degrees = _degrees_of_rest(square, own_of_night, earlier - 1)
    if squares and seed and night_degrees is None:
        of_night = squares.own + (square * count - own) / even
        squares = _pooled(squares, of_night, earlier - 1)
        seed = squares.luck
    return LuckEstimate(
        *(seed, sqrt(max(square - own_of_night, 0.0))),
        seed_squares=squares if seed else None,
        night_degrees=night_degrees or inf,
        nights=earlier,
        calm=_calm(cells[:-1], codes),
    )


def _within_nights(cells: NDArray[np.float64], codes: NDArray[np.int64]) -> tuple[MeanSquares | None, float]:
    """What seeds vary within nights, None where that cannot be told; and the variance of clusters' own.

    Args:
        cells: shape (nights, clusters): about each cluster's mean over these nights.
        codes: shape (clusters,): the clusters' seeds.
    """
    count, sizes, nights = len(codes), np.bincount(codes), len(cells) - 1
    of_seeds = np.array([np.bincount(codes, night) for night in cells]) / sizes
    within_degrees, seeds_degrees = nights * (count - len(sizes)), nights * (len(sizes) - 1)
    within = float(((cells - of_seeds[:, codes]) ** 2).sum())
    between = float((sizes * (of_seeds - cells.mean(axis=1)[:, None]) ** 2).sum())
    own = (within + between) / max(within_degrees + seeds_degrees, 1)
    if not (within_degrees and seeds_degrees):
        return None, own
    weight = (count - float((sizes**2).sum() / count)) / (len(sizes) - 1)
    squares = MeanSquares(
        *(between / seeds_degrees / weight, within / within_degrees / weight),
        *(seeds_degrees, within_degrees),
    )
    return squares, squares.own * weight if squares.luck else own


def _calm(earlier: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """How much less nights' means vary than those within them explain, in squared logits; at least 0.

    What tonight varies says nothing of it: nights before that were all alike are not near each other by
    chance. About one mean: the reference after a step has not been seen to be near that of the nights before.

    Args:
        earlier: shape (nights, clusters): without tonight.
        codes: shape (clusters,): the clusters' seeds.
    """
    squares, own = _within_nights(earlier - earlier.mean(axis=0), codes)
    sizes = np.bincount(codes)
    explained = (own + (sizes**2).sum() / len(codes) * (squares.luck if squares else 0.0) ** 2) / len(codes)
    return max(float(explained - earlier.mean(axis=1).var(ddof=1)), 0.0)


def _degrees_of_rest(whole: float, own: float, degrees: int) -> float | None:
    """Of freedom, of what a mean square has beyond a known one (Satterthwaite 1946); None for nothing."""
    left = whole - own
    return max(left**2 / (whole**2 / degrees), _FEWEST_DEGREES) if left > 0 else None


def _pooled(squares: MeanSquares, other: float, degrees: int) -> MeanSquares:
    """With another mean square that is known to be of the same size as the whole one."""
    both = squares.whole_degrees + degrees
    whole = (squares.whole_degrees * squares.whole + degrees * max(other, 0.0)) / both
    return replace(squares, whole=whole, whole_degrees=both)


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
