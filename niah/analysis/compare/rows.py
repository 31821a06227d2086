"""The rows of a comparison: what got worse by how much, how sure that is, what could be seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.compare.axes import Axis, Level, cut_levels, reader_strategy_levels
from niah.analysis.compare.moments import (
    Moments,
    cluster_sums,
    concatenate_moments,
    interval_half_widths,
    moments,
)
from niah.analysis.compare.pooled import share_not_scored
from niah.analysis.compare.significance.detectable import detectable
from niah.analysis.compare.significance.earlier_nights import EarlierNights
from niah.analysis.compare.significance.flip_tests import Correction, FlipTests, flip_tests
from niah.analysis.compare.significance.learned_luck import readers_luck, seed_codes
from niah.analysis.compare.significance.null_draws import LUCK_DRAWS, NullDraws, null_draws
from niah.analysis.compare.significance.shared_luck import (
    SharedLuck,
    row_luck,
    row_seen,
    shared_luck,
)
from niah.analysis.compare.significance.weights import row_weights
from niah.analysis.trial_columns import Trials
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

Measure = Literal["score", "not scored"]
MEASURES: tuple[Measure, ...] = ("score", "not scored")

UNTESTED = "too few clusters to test this row"
"""Why a row has no adjusted p-value."""

_FEW, _NOISES = 9, 15


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        measure: "score", 1 to 10, or "not scored", the share of trials with another outcome.
        parts: of the axes that cut it out, by axis; none for all pairs.
        n: pairs; for "score", those with a score on both sides.
        clusters: needle set x seed or given document, of these pairs.
        baseline, candidate: means over the pairs; None without any.
        difference: candidate minus baseline.
        low, high: its two-sided 95 % interval, never more than the whole scale away; None with fewer than two
            clusters.
        p: one-sided, that the candidate is worse, of this row alone.
        adjusted: the same, for the search among all rows of the table; None for a row that is too fine to be
            tested with so few clusters.
        deviation: the pairs' standard deviation; None with fewer than two of them.
        luck: standard deviation of what luck that clusters share does to the difference; 0 where none is
            known.
        detectable: the minimum detectable worsening at 80 % power; None where none could be seen.
        better, same, worse: pairs in which the candidate is.
    """

    measure: Measure
    parts: dict[str, str]
    n: int
    clusters: int
    baseline: float | None
    candidate: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float
    adjusted: float | None
    deviation: float | None
    luck: float
    detectable: float | None
    better: int
    same: int
    worse: int

    @property
    def effect(self) -> float | None:
        """The difference over the pairs' standard deviation (Cohen's d_z); None where none varies."""
        return self.difference / self.deviation if self.difference is not None and self.deviation else None


def rows_of(
    baseline: Trials,
    candidate: Trials,
    axes: Sequence[Axis],
    *,
    correction: Correction = "holm",
    alpha: float = 0.05,
    seed: int = 0,
    earlier: EarlierNights | None = None,
    reference_nights: int = 1,
) -> tuple[Row, ...]:
    """Every row of the table: scores, the coarsest first, and then trials not scored.

    Args:
        baseline, candidate: trials of pairs, see ``niah.analysis.frame``; the i-th rows of both are one.
        axes: what cuts the table, the coarsest first.
        correction: over the rows.
        alpha: of the whole table.
        seed: of the flips.
        earlier: nights before tonight, which tell of luck that clusters share; where they are too few,
            clusters are taken to share none.
        reference_nights: how many nights' mean the baseline is; so much less luck is in it.
    """
    table = table_test(
        *(baseline, candidate, axes),
        alpha=alpha,
        seed=seed,
        earlier=earlier,
        reference_nights=reference_nights,
        noises=_NOISES,
    )
    tested = flip_tests(table.drawn, table.weights, correction=correction, alpha=alpha)
    room = np.concatenate([part.room for part in table.parts])
    least = detectable(table.found, tested.critical, room, alpha, table.luck)
    return tuple(_rows(table, tested, least))


@dataclass(frozen=True)
class TableTest:
    """The rows of a table, and what luck alone makes of them.

    Attributes:
        parts: the rows, level after level.
        found: of all rows.
        sign: shape (rows,): 1 where more is worse.
        weights: shape (rows,): each row's part of the level, 0 for a row that is not tested.
        luck: that clusters share; None where none is known.
        drawn: the rows' statistics, as they are and where nothing changed but luck.
    """

    parts: Sequence[_Part]
    found: Moments
    sign: NDArray[np.float64]
    weights: NDArray[np.float64]
    luck: SharedLuck | None
    drawn: NullDraws

    def worse_sums(self, differences: Mapping[Measure, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Shape (clusters, rows): what the clusters' sums would be; above 0 is worse."""
        return _sums_of(self.parts, differences) * self.sign


def table_test(
    baseline: Trials,
    candidate: Trials,
    axes: Sequence[Axis],
    *,
    alpha: float,
    seed: int = 0,
    earlier: EarlierNights | None = None,
    reference_nights: int = 1,
    noises: int = 0,
) -> TableTest:
    """The rows with all that tests them; the arguments are those of ``rows_of``.

    ``noises`` is how many tables of pure noise are drawn beside, where clusters are few.
    """
    levels = cut_levels(axes, len(baseline))
    cluster = np.asarray(baseline["cluster"])
    scores = np.asarray(baseline["score"]), np.asarray(candidate["score"])
    failed = share_not_scored(baseline), share_not_scored(candidate)
    parts = [
        *(_Part("score", level, cluster, *scores) for level in levels),
        *(_Part("not scored", level, cluster, *failed) for level in reader_strategy_levels(levels)),
    ]
    found = concatenate_moments([part.found for part in parts])
    sign = np.concatenate([np.full(len(part.level.names), part.worse) for part in parts])
    clusters = len(found.sums)
    # Answers that are alike leave zeros, and critical values that hold no longer once something drops: these
    # are drawn as if no two trials had been answered alike; more often with few clusters, which are noisy.
    rng = np.random.default_rng(seed)
    noise_sums = []
    for _ in range(noises if clusters <= _FEW else min(noises, 1)):
        noise: dict[Measure, NDArray[np.float64]] = {"score": rng.normal(size=len(baseline))}
        noise["not scored"] = rng.normal(size=len(baseline))
        noise_sums.append(_sums_of(parts, noise))
    luck = None
    if earlier is not None and earlier.tell_luck:
        luck = _luck_of(parts, baseline, earlier, seed, found.clusters, reference_nights)
    drawn = null_draws(found.sums * sign, noise_sums, seed=seed, luck=luck)
    return TableTest(parts, found, sign, row_weights(levels, clusters, alpha), luck, drawn)


def _sums_of(parts: Sequence[_Part], values: Mapping[Measure, NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate([part.sums_of(values[part.measure]) for part in parts], axis=1)


def _luck_of(
    parts: Sequence[_Part],
    frame: Trials,
    earlier: EarlierNights,
    seed: int,
    clusters: NDArray[np.int64],
    reference_nights: int,
) -> SharedLuck | None:
    """Of all rows, against so many nights' mean; scores and what fails are lucky apart."""
    cluster, seeds = np.asarray(frame["cluster"]), seed_codes(frame)
    readers = {
        measure: readers_luck(frame, values, earlier, is_score=measure == "score")
        for measure, values in {part.measure: part.after_each for part in parts}.items()
    }
    levels = {measure: [part.level for part in parts if part.measure == measure] for measure in readers}
    draws = [
        row_luck(
            *(levels[measure], of_all, cluster, seeds),
            reference_nights=reference_nights,
            draws=LUCK_DRAWS,
            seed=[seed, measure == "score"],
        )
        for measure, of_all in readers.items()
    ]
    seen = np.concatenate([row_seen(levels[measure], of_all) for measure, of_all in readers.items()])
    # A mean of nights has little luck of its own; a reference from elsewhere has not been seen among them.
    is_seen = reference_nights == 1 and earlier.hold(np.asarray(frame["score"]))
    return shared_luck(np.concatenate(draws, axis=1), clusters, seen * is_seen)


class _Part:
    """The rows of one level, of one measure."""

    def __init__(
        self,
        measure: Measure,
        level: Level,
        clusters: NDArray[np.int64],
        before: NDArray[np.float64],
        after: NDArray[np.float64],
    ) -> None:
        self.measure, self.level = measure, level
        self.worse = -1.0 if measure == "score" else 1.0
        self.most = float(HIGHEST - LOWEST) if measure == "score" else 1.0
        self.after_each = np.where(np.isnan(before), np.nan, after)
        difference = after - before
        self.known, self.clusters = ~np.isnan(difference), clusters
        self.found = moments(level, clusters, difference)
        self.before = self._mean(before)
        self.after = self._mean(after)
        self.room = np.nan_to_num(self.before - LOWEST if measure == "score" else 1 - self.before)
        self.better_n = self._count(difference * self.worse < 0)
        self.worse_n = self._count(difference * self.worse > 0)

    def sums_of(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """The clusters' sums if the pairs' differences were these, shape (n,); unknown pairs add nothing."""
        return cluster_sums(self.level, self.clusters, np.where(self.known, differences, 0.0))

    def _count(self, holds: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(self.level.codes[holds], minlength=len(self.level.names))

    def _mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        codes, rows = self.level.codes[self.known], len(self.level.names)
        total = np.bincount(codes, weights=values[self.known], minlength=rows)
        mean: NDArray[np.float64] = total / np.where(self.found.n > 0, self.found.n, np.nan)
        return mean


def _rows(table: TableTest, tested: FlipTests, least: NDArray[np.float64]) -> Iterator[Row]:
    parts, found = table.parts, table.found
    half_widths = interval_half_widths(found, table.luck)
    variance = np.zeros(len(found.n)) if table.luck is None else table.luck.variance
    luck = np.sqrt(variance) / np.maximum(found.n, 1)
    places = [(part, place) for part in parts for place in range(len(part.level.names))]
    for at, (part, place) in enumerate(places):
        mean, n = found.mean[at], int(found.n[at])
        better, worse = int(part.better_n[place]), int(part.worse_n[place])
        yield Row(
            measure=part.measure,
            parts=dict(zip(part.level.axes, part.level.names[place], strict=True)),
            n=n,
            clusters=int(found.clusters[at]),
            baseline=finite(part.before[place]),
            candidate=finite(part.after[place]),
            difference=finite(mean),
            low=finite(max(mean - half_widths[at], -part.most)),
            high=finite(min(mean + half_widths[at], part.most)),
            p=float(tested.p[at]),
            adjusted=finite(tested.adjusted[at]),
            deviation=finite(found.deviation[at]),
            luck=float(luck[at]),
            detectable=finite(least[at]),
            better=better,
            same=n - better - worse,
            worse=worse,
        )


def finite(value: float) -> float | None:
    """The value; None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None
