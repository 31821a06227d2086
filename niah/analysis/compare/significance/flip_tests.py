"""Sign-flip tests of all rows at once, with the search for the worst row done again under every flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.compare.significance.families import RowFamily
from niah.analysis.stats.clusters import flipped
from niah.analysis.stats.corrections import holm
from niah.analysis.stats.permutation import studentised

if TYPE_CHECKING:
    from numpy.typing import NDArray

Correction = Literal["holm", "bh"]

DRAWS = 9999

# So that rounding does not part what is equal.
_SLACK = 1e-9


@dataclass(frozen=True)
class FlipTests:
    """What the tests say; every array has shape (rows,).

    Attributes:
        p: one-sided, of the row alone.
        adjusted: for the search among all rows: within the row's family, and over the families; NaN for a
            row in no family.
        critical: what the row's statistic, a sum over the root of the sum of squares, must exceed for its
            family's p-value to pass Holm's first step; infinite where no answers could, and for a row in no
            family.
    """

    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    critical: NDArray[np.float64]


def flip_tests(
    worse: NDArray[np.float64],
    noises: Sequence[NDArray[np.float64]],
    families: Sequence[RowFamily],
    *,
    correction: Correction,
    alpha: float,
    seed: int,
) -> FlipTests:
    """Test every row for "worse", one-sided.

    All clusters' signs flip together in all rows, so that the rows' dependence is kept. Within a family the
    greatest statistic is compared with the greatest under each flip (Westfall and Young 1993, single-step
    max-T); over the families ``correction`` adjusts. A row's own p-value takes the family's place, times the
    family's correction.

    Args:
        worse: shape (clusters, rows): the clusters' sums, above 0 where the candidate is worse.
        noises: of the same shape, sums of pure noise: critical values are the 90 % quantile of theirs.
        families: a row is in one at most.
        correction: over the families: Holm, or Benjamini and Hochberg.
        alpha: of the whole table.
        seed: of the flips, where not all 2^clusters are taken.
    """
    clusters, rows = worse.shape
    exact = 2**clusters <= DRAWS
    every = np.concatenate([worse, *noises], axis=1)
    roots = np.sqrt((every**2).sum(axis=0))
    flips = flipped(every / np.where(roots > 0, roots, 1.0), DRAWS, seed)
    draws, *noise_draws = (flips[:, at : at + rows] for at in range(0, every.shape[1], rows))

    def share(reached: NDArray[np.intp]) -> NDArray[np.float64]:
        """The p-value; what was observed is one of all flips, and counts beside those that were drawn."""
        return np.asarray(reached / len(draws) if exact else (reached + 1) / (DRAWS + 1))

    observed = studentised(worse)
    within, adjusted = np.full(rows, np.nan), np.full(rows, np.nan)
    critical = np.full((len(noises), rows), np.inf)
    # How many of all flips may reach a critical value.
    level = alpha / len(families)
    may_reach = int(level * len(draws) + _SLACK if exact else level * (len(draws) + 1) - 1 + _SLACK)
    best = []
    for family in families:
        own = list(family.rows)
        greatest = np.sort(draws[:, own].max(axis=1))
        within[own] = share(len(greatest) - np.searchsorted(greatest, observed[own] - _SLACK))
        best.append(float(within[own].min()))
        if may_reach >= (1 if exact else 0):
            for at, noise in enumerate(noise_draws):
                critical[at, own] = np.sort(noise[:, own].max(axis=1))[-1 - may_reach]
    for family, alone, after in zip(families, best, _corrected(best, correction), strict=True):
        own = list(family.rows)
        adjusted[own] = np.minimum(within[own] * after / alone, 1.0)
    return FlipTests(
        p=share((draws >= observed - _SLACK).sum(axis=0)),
        adjusted=adjusted,
        critical=np.quantile(critical, 0.9, axis=0, method="higher"),
    )


def _corrected(p: Sequence[float], correction: Correction) -> NDArray[np.float64]:
    if correction == "holm":
        return holm(p)
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p), dtype=np.float64)
