"""The rows of a comparison: what got worse by how much, how sure that is, what could be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.columns import Columns
from niah.analysis.compare.detectable import detectable
from niah.analysis.compare.families import Family, families
from niah.analysis.compare.levels import Level, levels, who
from niah.analysis.compare.moments import Moments, by_row, joined, moments, reach
from niah.analysis.compare.search import Found, least_statistics, search
from niah.analysis.grouping import OUTCOMES
from niah.analysis.stats.corrections import benjamini_hochberg, holm
from niah.judges.verdict import LOWEST

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from niah.analysis.compare.axes import Axis

Measure = Literal["score", "not scored"]
Correction = Literal["holm", "bh"]
CORRECTIONS: dict[Correction, Callable[[ArrayLike], NDArray[np.float64]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
}

_FEW, _NOISES = 9, 15


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        measure: "score", 1 to 10, or "not scored", the share of trials with another outcome.
        parts: of the axes that cut it out, by axis; none for all pairs.
        n: pairs; for "score", those with a score on both sides.
        clusters: needle set x seed, of these pairs.
        baseline, candidate: means over the pairs; None without any.
        difference: candidate minus baseline.
        low, high: its two-sided 95 % interval; None with fewer than two clusters.
        p: one-sided, that the candidate is worse, of this row alone.
        adjusted: the same, for the search among all rows of the table; None for a row that is too fine to be
            tested with so few clusters.
        effect: the difference over the pairs' standard deviation (Cohen's d_z); None where none varies.
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
    effect: float | None
    detectable: float | None
    better: int
    same: int
    worse: int


def rows_of(
    baseline: Columns,
    candidate: Columns,
    axes: Sequence[Axis],
    *,
    correction: Correction = "holm",
    alpha: float = 0.05,
    seed: int = 0,
) -> tuple[Row, ...]:
    """Every row of the table: scores, the coarsest first, and then trials not scored.

    Args:
        baseline, candidate: of pairs; the i-th rows of both are one.
        axes: what cuts the table, the coarsest first.
        correction: over the families of rows.
        alpha: of the whole table.
        seed: of the flips.
    """
    cuts = levels(axes, len(baseline.score))
    grounds = who(cuts)
    before, after = _not_scored(baseline), _not_scored(candidate)
    parts = [
        *(_Part("score", cut, baseline.cluster, baseline.score, candidate.score) for cut in cuts),
        *(_Part("not scored", cut, baseline.cluster, before, after) for cut in grounds),
    ]
    found = joined([part.found for part in parts])
    sign = np.concatenate([np.full(len(part.level.names), part.worse) for part in parts])
    clusters = len(found.sums)
    groups = families(cuts, clusters, alpha)
    tested = search(found.sums * sign, groups, CORRECTIONS[correction], seed)
    room = np.concatenate([part.room for part in parts])
    critical = _critical(parts, groups, clusters, alpha, seed)
    least = detectable(found, critical, room, alpha / len(groups))
    return tuple(_rows(parts, found, tested, least))


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
        difference = after - before
        known = ~np.isnan(difference)
        self.known, self.clusters = known, clusters
        self.found = moments(level, clusters, difference)
        self.before = self._mean(known, before)
        self.after = self._mean(known, after)
        self.room = np.nan_to_num(self.before - LOWEST if measure == "score" else 1 - self.before)
        self.gained = self._count(difference * self.worse < 0)
        self.lost = self._count(difference * self.worse > 0)

    def noisy(self, noise: NDArray[np.float64]) -> NDArray[np.float64]:
        """The clusters' sums if the pairs' differences were ``noise``, shape (n,)."""
        return by_row(self.level, self.clusters, np.where(self.known, noise, 0.0))

    def _count(self, holds: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(self.level.codes[holds], minlength=len(self.level.names))

    def _mean(self, known: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
        rows = len(self.level.names)
        total = np.bincount(self.level.codes[known], weights=values[known], minlength=rows)
        n = self.found.n
        mean: NDArray[np.float64] = total / np.where(n > 0, n, np.nan)
        return mean


def _critical(
    parts: Sequence[_Part], groups: Sequence[Family], clusters: int, alpha: float, seed: int
) -> NDArray[np.float64]:
    """Shape (rows,): what a row's statistic must exceed, as if no two trials had been answered alike.

    Answers that are alike leave zeros, and critical values that hold no longer once something drops. With few
    clusters the value depends much on the noise, and it is drawn more often.
    """
    rng, n = np.random.default_rng(seed), len(parts[0].known)
    times = _NOISES if clusters <= _FEW else 1
    drawn = []
    for _ in range(times):
        noise = {measure: rng.normal(size=n) for measure in ("score", "not scored")}
        sums = np.concatenate([part.noisy(noise[part.measure]) for part in parts], axis=1)
        drawn.append(least_statistics(sums, groups, alpha / len(groups), seed))
    return np.quantile(np.array(drawn), 0.9, axis=0, method="higher")


def _rows(parts: Sequence[_Part], found: Moments, tested: Found, least: NDArray[np.float64]) -> list[Row]:
    reaches, effects = reach(found), _effects(found)
    rows: list[Row] = []
    for part in parts:
        for place, name in enumerate(part.level.names):
            at = len(rows)
            mean = found.mean[at]
            gained, lost, n = int(part.gained[place]), int(part.lost[place]), int(found.n[at])
            rows.append(
                Row(
                    measure=part.measure,
                    parts=dict(zip(part.level.axes, name, strict=True)),
                    n=n,
                    clusters=int(found.clusters[at]),
                    baseline=_known(part.before[place]),
                    candidate=_known(part.after[place]),
                    difference=_known(mean),
                    low=_known(mean - reaches[at]),
                    high=_known(mean + reaches[at]),
                    p=float(tested.p[at]),
                    adjusted=_known(tested.adjusted[at]),
                    effect=_known(effects[at]),
                    detectable=_known(least[at]),
                    better=gained,
                    same=n - gained - lost,
                    worse=lost,
                )
            )
    return rows


def _effects(found: Moments) -> NDArray[np.float64]:
    deviation = np.where(found.deviation > 0, found.deviation, np.nan)
    effects: NDArray[np.float64] = found.mean / deviation
    return effects


def _not_scored(columns: Columns) -> NDArray[np.float64]:
    """1 for a trial that came to another outcome than a score, NaN for one that was not run."""
    missing = (~columns.scored).astype(np.float64)
    return np.where(columns.outcome.codes == OUTCOMES.index("not_run"), np.nan, missing)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
