"""Sign-flip tests of all rows at once, with the search for the worst row done again under every flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.compare.axes import Level, reader_strategy_levels
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
class RowFamily:
    """Rows that are one question, whose worst is tested: "did this reader's lc get worse anywhere?"

    Attributes:
        name: for people.
        rows: their places in the table.
    """

    name: tuple[str, ...]
    rows: tuple[int, ...]


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


def row_families(levels: Sequence[Level], clusters: int, alpha: float) -> tuple[RowFamily, ...]:
    """The families of a table whose rows stand level after level, and then level after level of not scored.

    One family for each reader and strategy, if there are clusters enough for Holm; otherwise one for each
    reader, or one for all. The coarser rows are a family too, and so are those of trials not scored. With few
    clusters the finer levels are in no family: they are not tested, and leave the coarse ones their power.
    How many clusters there are does not depend on any answer, so the choice costs no false alarm.
    """
    coarse = reader_strategy_levels(levels)
    # The finest level at which two flips out of all 2^clusters still pass Holm's first step.
    able = [level for level in coarse if 2 * (len(level.names) + 2) <= alpha * 2.0**clusters]
    members = able[-1] if able else coarse[0]
    rows = [(level, name) for level in _tested(levels, clusters, alpha) for name in level.names]
    first_unscored = sum(len(level.names) for level in levels)
    scored = [
        RowFamily(name, tuple(at for at, (_, each) in enumerate(rows) if each[: len(name)] == name))
        for name in members.names
    ]
    coarser = tuple(at for at, (level, _) in enumerate(rows) if len(level.axes) < len(members.axes))
    unscored = sum(len(level.names) for level in _tested(coarse, clusters, alpha))
    return (
        *scored,
        *([RowFamily(("all",), coarser)] if coarser else []),
        RowFamily(("not scored",), tuple(range(first_unscored, first_unscored + unscored))),
    )


def _tested(levels: Sequence[Level], clusters: int, alpha: float) -> Sequence[Level]:
    """The levels that have together no more rows than 2 ``alpha`` of all flips; the first always."""
    rows = list(accumulate(len(level.names) for level in levels))
    return [
        level
        for level, so_far in zip(levels, rows, strict=True)
        if so_far <= max(2 * alpha * 2.0**clusters, 1)
    ]


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
