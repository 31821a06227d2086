"""Effective length: how long a context may be before a reader falls below its own short-context base.

It is the longest context length at which, and at all shorter ones, the mean score at every depth is at least
85 % of the base (design, section 9). The base is the reader's mean score over the whole context at its
shortest length: one base for all strategies, so that these can be compared. A reader that never had the whole
context has each strategy's own mean at the shortest length as base. One that gets nothing right there has
nothing to keep, and no effective length.

Where every cell has twelve scored trials or more, that is counted. The least of many means of few trials is
far below what it is the mean of, so elsewhere a surface is fitted to all cells
(``niah.analysis.stats.length_surface``), and asked the same. How near either comes: docs/figures.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.stats.clusters import codes, resampled
from niah.analysis.stats.length_surface import fit_surface
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

SHARE = 0.85
"""Of the base; RULER (Hsieh et al. 2024) takes a fixed one in the same place."""

_DRAWS = 1000
_SURE = 0.95
"""The share of draws that an interval holds."""
_FULL = 12
"""Scored trials in a cell from which on its mean is taken as it is."""

LengthMethod = Literal["counted", "fitted"]


@dataclass(frozen=True)
class EffectiveLength:
    """One reader's effective length with one strategy.

    Attributes:
        reader, strategy: whose it is.
        base: mean score that counts as 100 %.
        length: in tokens; None where not even the shortest length holds. Fitted: the posterior's median.
        low, high: the fewest lengths in a row that hold 95 % of those that resamples of the clusters give, or
            of the posterior; None as for ``length``. Counted in fewer than two clusters, both are ``length``.
        shortest, longest: of the lengths with a score; an effective length that is the longest may be more.
        n: how many trials were scored.
        clusters: how many.
        method: "counted", from the means of full cells, or "fitted".
    """

    reader: str
    strategy: str
    base: float
    length: int | None
    low: int | None
    high: int | None
    shortest: int
    longest: int
    n: int
    clusters: int
    method: LengthMethod


def effective_lengths(
    frame: DataFrame, *, share: float = SHARE, draws: int = _DRAWS, seed: int = 0
) -> tuple[EffectiveLength, ...]:
    """One per reader and strategy with a score; the order of the rows changes nothing.

    A length without any score ends what is known: lengths beyond it are not claimed. A depth without a score
    at some length is passed over there. Trials without a depth, whose lengths nobody asked for, do not count.
    """
    trials = _Trials(*(frame[name].to_numpy() for name in _Trials._fields))
    ids = list(zip(frame["case_id"].tolist(), frame["trial_id"].tolist(), strict=True))
    placed = np.flatnonzero(~np.isnan(trials.depth))
    placed = np.array(sorted(placed, key=ids.__getitem__), dtype=np.intp)
    found = []
    for (reader,), planned in row_groups(frame, "reader", rows=placed):
        lengths = np.unique(trials.context_length[planned])
        own = planned[~np.isnan(trials.score[planned])]
        whole = own[trials.sends_context[own]]
        for (strategy,), rows in row_groups(frame, "strategy", rows=own):
            base = whole if len(whole) else rows
            found.append(_of(reader, strategy, trials, rows, base, lengths, share, draws, seed))
    return tuple(found)


class _Trials(NamedTuple):
    """The columns of these names, all of shape (n,)."""

    context_length: NDArray[np.int64]
    depth: NDArray[np.float64]
    score: NDArray[np.float64]
    cluster: NDArray[np.int64]
    sends_context: NDArray[np.bool_]


def _of(
    reader: str,
    strategy: str,
    trials: _Trials,
    rows: NDArray[np.intp],
    base: NDArray[np.intp],
    planned: NDArray[np.int64],
    share: float,
    draws: int,
    seed: int,
) -> EffectiveLength:
    """Of the scored trials at ``rows``, held against those at ``base``."""
    own_length, own_depth = trials.context_length[rows], trials.depth[rows]
    base = base[trials.context_length[base] == trials.context_length[base].min()]
    lengths, depths = planned[planned >= own_length.min()], np.unique(own_depth)
    shape = (len(lengths), len(depths))
    places = np.searchsorted(lengths, own_length) * len(depths) + np.searchsorted(depths, own_depth)
    clusters = codes(trials.cluster[np.concatenate([rows, base])].tolist())
    count, own = int(clusters.max()) + 1, len(rows)
    # By cluster: sums of scores and counts of each cell, then those of the base.
    sums = np.hstack(
        [
            _tabulated(clusters[:own], places, trials.score[rows], count, len(lengths) * len(depths)),
            _tabulated(clusters[own:], np.zeros(len(base), np.int64), trials.score[base], count, 1),
        ]
    )
    cells = shape[0] * shape[1]
    counts = sums[:, cells : 2 * cells].sum(axis=0)
    method: LengthMethod = "counted" if counts.min() >= _FULL else "fitted"
    if method == "counted":
        steps = low = high = int(_steps(sums.sum(axis=0), shape, share)[0])
        if len(sums) > 1:
            _, low, high = _middle_and_ends(_steps(resampled(sums, draws, seed), shape, share))
    else:
        known = int(np.cumprod(counts.reshape(shape).any(axis=1)).sum())
        told = places < known * len(depths)
        fitted = _fitted_steps(
            (trials.score[rows[told]] - LOWEST) / (HIGHEST - LOWEST),
            places[told],
            clusters[:own][told],
            np.log2(lengths[:known].astype(np.float64)),
            len(depths),
            (trials.score[base] - LOWEST) / (HIGHEST - LOWEST),
            share,
            draws,
            seed,
        )
        steps, low, high = _middle_and_ends(fitted)
    held = [None, *lengths.tolist()]
    return EffectiveLength(
        reader,
        strategy,
        float(trials.score[base].mean()),
        held[steps],
        held[low],
        held[high],
        int(own_length.min()),
        int(own_length.max()),
        own,
        len(np.unique(trials.cluster[rows])),
        method,
    )


def _middle_and_ends(steps: NDArray[np.int64]) -> tuple[int, int, int]:
    """The median of draws, and the fewest numbers in a row with 95 % of them.

    Of several rows as short, the one with most draws: equal tails of so few numbers are longer than need be.
    """
    middle = int(np.quantile(steps, 0.5, method="closest_observation"))
    below = np.concatenate([[0], np.bincount(steps).cumsum()])
    for more in range(len(below) - 1):
        inside = below[more + 1 :] - below[: len(below) - 1 - more]
        if inside.max() >= _SURE * len(steps):
            low = int(inside.argmax())
            return middle, min(low, middle), max(low + more, middle)
    raise AssertionError("all draws together are all draws")


def _fitted_steps(
    shares: NDArray[np.float64],
    places: NDArray[np.intp],
    clusters: NDArray[np.int64],
    doublings: NDArray[np.float64],
    depths: int,
    base: NDArray[np.float64],
    share: float,
    draws: int,
    seed: int,
) -> NDArray[np.int64]:
    """Shape (draws,): how many lengths hold, from the shortest on, in draws from the fitted surface.

    Args:
        shares: shape (n,), of the scale.
        places: shape (n,), of their cells, length after length.
        clusters: shape (n,).
        doublings: binary logarithms of the lengths.
        depths: how many.
        base: shares of the base's trials.
        share: of the base that must be reached.
        draws: how many.
        seed: of the draws.
    """
    if not base.any():
        return np.zeros(draws, dtype=np.int64)
    _, present = np.unique(places % depths, return_inverse=True)
    surface = fit_surface(shares, places // depths, present, clusters, doublings, draws=draws, seed=seed)
    # The base is a mean of few trials too: as likely as one of a share seen so often (Jeffreys).
    worth, seen = len(base) / surface.design_effect, base.sum() / surface.design_effect
    bases = np.random.default_rng(seed + 1).beta(seen + 0.5, worth - seen + 0.5, size=draws)
    least = share * (LOWEST + (HIGHEST - LOWEST) * bases)
    holds = (LOWEST + (HIGHEST - LOWEST) * surface.shares >= least[:, None, None] - 1e-9).all(axis=1)
    steps: NDArray[np.int64] = np.cumprod(holds, axis=1).sum(axis=1)
    return steps


def _tabulated(
    clusters: NDArray[np.int64], places: NDArray[np.intp], scores: NDArray[np.float64], count: int, cells: int
) -> NDArray[np.float64]:
    """Shape (clusters, 2 * cells): sums of scores, then counts, by cluster and cell."""
    at = clusters * cells + places
    sums = np.bincount(at, weights=scores, minlength=count * cells).reshape(count, cells)
    counts = np.bincount(at, minlength=count * cells).reshape(count, cells)
    return np.hstack([sums, counts]).astype(np.float64)


def _steps(sums: NDArray[np.float64], shape: tuple[int, int], share: float) -> NDArray[np.int64]:
    """Shape (draws,): how many lengths hold, from the shortest on.

    Args:
        sums: shape (draws, columns) or (columns,): cells' sums and counts, then the base's.
        shape: lengths, depths.
        share: of the base that must be reached.
    """
    table = np.atleast_2d(sums)
    cells = shape[0] * shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (table[:, :cells] / table[:, cells : 2 * cells]).reshape(-1, *shape)
        base = table[:, 2 * cells] / table[:, 2 * cells + 1]
    falls = (means < share * base[:, None, None] - 1e-9).any(axis=2)
    # No comparison holds of a base that is not known.
    holds = ~falls & ~np.isnan(means).all(axis=2) & (base > LOWEST)[:, None]
    steps: NDArray[np.int64] = np.cumprod(holds, axis=1).sum(axis=1)
    return steps
