"""Effective length: how long a context may be before a reader falls below its own short-context base.

It is the longest context length at which, and at all shorter ones, the mean score at every depth is at least
85 % of the base (design, section 9). The base is the reader's mean score over the whole context at its
shortest length: one base for all strategies, so that these can be compared. A reader that never had the whole
context has each strategy's own mean at the shortest length as base. One that gets nothing right there has
nothing to keep, and no effective length. A night is held against the base of the run that it is compared
with: against its own, one that lost as much at every length would seem to have lost no length.

Where every cell has fifty scored trials or more, that is counted. The least of many means of few trials is
far below what it is the mean of, so elsewhere a surface is fitted to all cells
(``niah.analysis.stats.surface.length_surface``), and asked the same. How near either comes: docs/figures.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.stats.clusters import codes, resampled
from niah.analysis.stats.interval import LEAST_CLUSTERS
from niah.analysis.stats.surface.length_surface import fit_surface
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

SHARE = 0.85
"""Of the base; RULER (Hsieh et al. 2024) takes a fixed one in the same place."""

_DRAWS = 1000
_SURE, _FITTED_SURE, _GIVEN_SURE = 0.95, 0.86, 0.95
"""The share of draws that an interval holds at least: counted, fitted, fitted against a base that is given.

Whole lengths overshoot: where each holds no less than 86 % of its posterior, they hold 95 % on the average of
readers: docs/figures.md. Against another run's base a level just above 85 % of it holds at many lengths or at
none, and nothing overshoots: docs/statistics.md."""
_FULL = 50
"""Scored trials in a cell from which on its mean is taken as it is: of thirty, slopes come out half a length
short, and half of sixteen's intervals hold none of the truth."""

LengthMethod = Literal["counted", "fitted"]


@dataclass(frozen=True)
class EffectiveLength:
    """One reader's effective length with one strategy.

    Attributes:
        reader, strategy: whose it is.
        base: mean score that counts as 100 %.
        length: in tokens; None where not even the shortest length holds. Fitted: the posterior's median.
        low, high: the fewest lengths in a row around it that hold 86 % of the posterior, which is 95 % on the
            average (95 % of it against a base that is given), or, counted, 95 % of those that resamples of
            the clusters give; None as for ``length``. Counted in one cluster, both are ``length``.
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

    @property
    def is_told(self) -> bool:
        """Whether its interval says anything: not every length and, counted, of enough clusters for one.

        Fitted, one trial a cell has intervals that hold the truth as often as more do: docs/figures.md.
        """
        enough = self.method == "fitted" or self.clusters >= LEAST_CLUSTERS
        return enough and not (self.low is None and self.high == self.longest)


Bases = Mapping[tuple[str, str], float]
"""The mean score that counts as 100 %, of each reader with each strategy."""


def effective_lengths(
    frame: DataFrame,
    *,
    share: float = SHARE,
    draws: int = _DRAWS,
    seed: int = 0,
    bases: Bases | None = None,
) -> tuple[EffectiveLength, ...]:
    """One per reader and strategy with a score; the order of the rows changes nothing.

    A length without any score ends what is known: lengths beyond it are not claimed. A depth without a score
    at some length is passed over there. Trials without a depth, whose lengths nobody asked for, do not count.

    Args:
        frame: of trials.
        share: of the base that must be reached.
        draws, seed: of resamples, and of the posterior.
        bases: of another run, taken as they are in place of these trials' own, where they have one.
    """
    return tuple(
        _of(reader, strategy, rows, base, share, (bases or {}).get((reader, strategy)))
        for reader, strategy, rows, base in _scored(frame, draws, seed)
    )


def length_bases(frame: DataFrame) -> Bases:
    """What the lengths of a run are held against."""
    return {(reader, strategy): base.mean for reader, strategy, _, base in _scored(frame, _DRAWS, 0)}


def _scored(frame: DataFrame, draws: int, seed: int) -> Iterator[tuple[str, str, NDArray[np.intp], _Base]]:
    """Of each reader with each strategy its scored trials, and what they are held against."""
    trials = _Trials(*(frame[name].to_numpy() for name in _Trials._fields))
    ids = list(zip(frame["case_id"].tolist(), frame["trial_id"].tolist(), strict=True))
    placed = np.flatnonzero(~np.isnan(trials.depth))
    placed = np.array(sorted(placed, key=ids.__getitem__), dtype=np.intp)
    for (reader,), planned in row_groups(frame, "reader", rows=placed):
        lengths = np.unique(trials.context_length[planned])
        own = planned[~np.isnan(trials.score[planned])]
        whole = _Base(trials, own[trials.sends_context[own]], lengths, draws, seed)
        for (strategy,), rows in row_groups(frame, "strategy", rows=own):
            yield (
                *(reader, strategy, rows),
                whole if len(whole.rows) else _Base(trials, rows, lengths, draws, seed),
            )


class _Trials(NamedTuple):
    """The columns of these names, all of shape (n,)."""

    context_length: NDArray[np.int64]
    depth: NDArray[np.float64]
    score: NDArray[np.float64]
    cluster: NDArray[np.int64]
    sends_context: NDArray[np.bool_]


@dataclass(frozen=True)
class _Base:
    """What a reader's lengths are held against, and with what they are found.

    Attributes:
        trials: of the whole frame.
        rows: shape (n,), of the trials whose shortest length is the base.
        planned: the reader's lengths, rising.
        draws, seed: of resamples, and of the posterior.
    """

    trials: _Trials
    rows: NDArray[np.intp]
    planned: NDArray[np.int64]
    draws: int
    seed: int

    @cached_property
    def at(self) -> NDArray[np.intp]:
        """The trials at the shortest length."""
        lengths = self.trials.context_length[self.rows]
        shortest: NDArray[np.intp] = self.rows[lengths == lengths.min()]
        return shortest

    @property
    def mean(self) -> float:
        """Their mean score."""
        return float(self.trials.score[self.at].mean())

    @cached_property
    def surface(self) -> _Surface:
        """Fitted to these rows."""
        return _surface(self.trials, self.rows, self.planned, self.draws, self.seed)


def _of(
    reader: str, strategy: str, rows: NDArray[np.intp], base: _Base, share: float, given: float | None
) -> EffectiveLength:
    """Of the scored trials at ``rows``, held against their base or one that is ``given``."""
    trials = base.trials
    own_length, own_depth = trials.context_length[rows], trials.depth[rows]
    lengths, depths = base.planned[base.planned >= own_length.min()], np.unique(own_depth)
    shape = (len(lengths), len(depths))
    places = np.searchsorted(lengths, own_length) * len(depths) + np.searchsorted(depths, own_depth)
    counted = np.bincount(places, minlength=shape[0] * shape[1]).min() >= _FULL
    if counted:
        steps, low, high = _counted_steps(places, shape, rows, base, share, given)
    else:
        drawn = _fitted_steps(rows, base, share, given)
        steps = int(np.quantile(drawn, 0.5, method="closest_observation"))
        low, high = _interval(drawn, steps, _FITTED_SURE if given is None else _GIVEN_SURE)
    held = [None, *lengths.tolist()]
    return EffectiveLength(
        reader,
        strategy,
        base.mean if given is None else given,
        held[steps],
        held[low],
        held[high],
        int(own_length.min()),
        int(own_length.max()),
        len(rows),
        len(np.unique(trials.cluster[rows])),
        "counted" if counted else "fitted",
    )


def _counted_steps(
    places: NDArray[np.intp],
    shape: tuple[int, int],
    rows: NDArray[np.intp],
    base: _Base,
    share: float,
    given: float | None,
) -> tuple[int, int, int]:
    """How many lengths hold, from the shortest on, by the means of cells; at least and at most as many."""
    trials, at_base, own, cells = base.trials, base.at, len(rows), shape[0] * shape[1]
    clusters = codes(trials.cluster[np.concatenate([rows, at_base])].tolist())
    count = int(clusters.max()) + 1
    # By cluster: sums of scores and counts of each cell, then those of the base.
    sums = np.hstack(
        [
            _tabulated(clusters[:own], places, trials.score[rows], count, cells),
            _tabulated(clusters[own:], np.zeros(len(at_base), np.int64), trials.score[at_base], count, 1),
        ]
    )
    if given is not None:  # whichever clusters are drawn
        sums[:, 2 * cells :] = given, 1.0
    steps = int(_steps(sums.sum(axis=0), shape, share)[0])
    if len(sums) < 2:
        return steps, steps, steps
    drawn = _steps(resampled(sums, base.draws, base.seed), shape, share)
    return steps, *_interval(drawn, steps, _SURE)


def _interval(steps: NDArray[np.int64], middle: int, sure: float) -> tuple[int, int]:
    """The fewest numbers in a row around ``middle`` that hold a share of the draws, first and last.

    Of rows as long as each other the one with most draws.
    """
    below = np.concatenate([[0], np.bincount(steps, minlength=middle + 1).cumsum()]) / len(steps)
    rows = [
        (high - low, below[low] - below[high + 1], low, high)
        for low in range(middle + 1)
        for high in range(middle, len(below) - 1)
        if below[high + 1] - below[low] >= sure - 1e-9
    ]
    _, _, low, high = min(rows)
    return low, high


class _Surface(NamedTuple):
    """Draws of a surface fitted to some trials of one reader.

    shares: shape (draws, depths, lengths), of the scale.
    base: shape (draws,), the mean over the trials at the shortest length.
    """

    shares: NDArray[np.float64]
    base: NDArray[np.float64]


def _surface(
    trials: _Trials, rows: NDArray[np.intp], planned: NDArray[np.int64], draws: int, seed: int
) -> _Surface:
    """Of the trials at ``rows``, as far as each length of ``planned`` has one."""
    lengths = planned[planned >= trials.context_length[rows].min()]
    places = np.searchsorted(lengths, trials.context_length[rows])
    known = int(np.cumprod(np.bincount(places, minlength=len(lengths)) > 0).sum())
    rows, places = rows[places < known], places[places < known]
    along, depths = np.unique(trials.depth[rows], return_inverse=True)
    shares = fit_surface(
        (trials.score[rows] - LOWEST) / (HIGHEST - LOWEST),
        places,
        depths,
        trials.cluster[rows],
        np.log2(lengths[:known].astype(np.float64)),
        along / 100,
        draws=draws,
        seed=seed,
    )
    at_shortest = np.bincount(depths[places == 0], minlength=shares.shape[1])
    return _Surface(shares, shares[:, :, 0] @ (at_shortest / at_shortest.sum()))


def _fitted_steps(
    rows: NDArray[np.intp], base: _Base, share: float, given: float | None
) -> NDArray[np.int64]:
    """Shape (draws,): how many lengths hold, from the shortest on, in draws from the fitted surface.

    Where the base is of the same trials, each draw is held against its own: that nobody knows the top well
    makes a length no less certain. One that is given is taken as it is.
    """
    if (base.mean if given is None else given) == LOWEST:
        return np.zeros(base.draws, dtype=np.int64)
    same = np.array_equal(rows, base.rows)
    shares = (
        base.surface if same else _surface(base.trials, rows, base.planned, base.draws, base.seed + 1)
    ).shares
    full = LOWEST + (HIGHEST - LOWEST) * base.surface.base if given is None else np.array([given])
    holds = (LOWEST + (HIGHEST - LOWEST) * shares >= share * full[:, None, None] - 1e-9).all(axis=1)
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
