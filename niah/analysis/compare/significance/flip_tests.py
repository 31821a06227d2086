"""Sign-flip tests of all rows at once, with the search for the worst row done again under every flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.compare.significance.families import RowFamily
from niah.analysis.compare.significance.null_draws import NullDraws
from niah.analysis.stats.corrections import holm

if TYPE_CHECKING:
    from numpy.typing import NDArray

Correction = Literal["holm", "bh"]

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
    drawn: NullDraws, families: Sequence[RowFamily], *, correction: Correction, alpha: float
) -> FlipTests:
    """Test every row for "worse", one-sided.

    Within a family the greatest statistic is compared with the greatest of each draw (Westfall and Young
    1993, single-step max-T); over the families ``correction`` adjusts. A row's own p-value takes the family's
    place, times the family's correction.

    Args:
        drawn: the rows' statistics; critical values are the 90 % quantile of those of pure noise.
        families: a row is in one at most.
        correction: over the families: Holm, or Benjamini and Hochberg.
        alpha: of the whole table.
    """
    observed, draws = drawn.observed, drawn.draws

    def share(reached: NDArray[np.intp]) -> NDArray[np.float64]:
        """The p-value; what was observed is one of all flips, and counts beside those that were drawn."""
        return np.asarray(reached / len(draws) if drawn.is_exact else (reached + 1) / (len(draws) + 1))

    rows = len(observed)
    within, adjusted = np.full(rows, np.nan), np.full(rows, np.nan)
    critical = np.full((len(drawn.noises), rows), np.inf)
    # How many of all flips may reach a critical value.
    level = alpha / len(families)
    may_reach = int(level * len(draws) + _SLACK if drawn.is_exact else level * (len(draws) + 1) - 1 + _SLACK)
    best = []
    for family in families:
        own = list(family.rows)
        greatest = np.sort(draws[:, own].max(axis=1))
        within[own] = share(len(greatest) - np.searchsorted(greatest, observed[own] - _SLACK))
        best.append(float(within[own].min()))
        if may_reach >= (1 if drawn.is_exact else 0):
            for at, noise in enumerate(drawn.noises):
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
