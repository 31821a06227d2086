"""Effective length: how long a context may be before a reader falls below its own short-context base.

It is the longest context length at which, and at all shorter ones, the mean score at every depth is at least
85 % of the base (design, section 9). The base is the reader's mean score over the whole context at its
shortest length: one base for all strategies, so that these can be compared. A reader that never had the whole
context has each strategy's own mean at the shortest length as base. One that gets nothing right there has
nothing to keep, and no effective length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.grouping import grouped
from niah.analysis.stats.clusters import clusters_of, resampled
from niah.judges.verdict import LOWEST
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARE = 0.85
"""Of the base; RULER (Hsieh et al. 2024) takes a fixed one in the same place."""

_DRAWS = 1000


@dataclass(frozen=True)
class EffectiveLength:
    """One reader's effective length with one strategy.

    Attributes:
        reader, strategy: whose it is.
        base: mean score that counts as 100 %.
        length: in tokens; None where not even the shortest length holds.
        low, high: 95 % of the lengths that resamples of the clusters give; None as for ``length``. Both are
            ``length`` where there are fewer than two clusters.
        shortest, longest: of the lengths with a score; an effective length that is the longest may be more.
        n: how many trials were scored.
        clusters: how many.
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


def effective_lengths(
    records: Sequence[TrialRecord], *, share: float = SHARE, draws: int = _DRAWS, seed: int = 0
) -> tuple[EffectiveLength, ...]:
    """One per reader and strategy with a score; the order of the records changes nothing.

    A length without any score ends what is known: lengths beyond it are not claimed. A depth without a score
    at some length is passed over there.
    """
    scored = sorted(
        (r for r in records if r.outcome == "scored" and r.score is not None),
        key=lambda r: (r.case_id, r.trial_id),
    )
    groups = grouped(scored, per_needle_set=False)
    whole = {key.reader: group for key, group in groups.items() if strategy_of(key.strategy).sends_context}
    lengths = _lengths_planned(records)
    found = []
    for key, group in groups.items():
        base = whole.get(key.reader, group)
        found.append(_of(key.reader, key.strategy, group, base, lengths[key.reader], share, draws, seed))
    return tuple(found)


def _lengths_planned(records: Sequence[TrialRecord]) -> dict[str, list[int]]:
    lengths: dict[str, set[int]] = {}
    for record in records:
        lengths.setdefault(record.reader, set()).add(record.context_length)
    return {reader: sorted(values) for reader, values in lengths.items()}


def _of(
    reader: str,
    strategy: str,
    records: Sequence[TrialRecord],
    base_records: Sequence[TrialRecord],
    lengths: Sequence[int],
    share: float,
    draws: int,
    seed: int,
) -> EffectiveLength:
    own_lengths = sorted({record.context_length for record in records})
    lengths = [length for length in lengths if length >= own_lengths[0]]
    shortest = min(record.context_length for record in base_records)
    base_rows = [record for record in base_records if record.context_length == shortest]
    depths = sorted({record.depth for record in records})
    shape = (len(lengths), len(depths))
    places = [lengths.index(r.context_length) * len(depths) + depths.index(r.depth) for r in records]
    sums = _sums(records, places, len(lengths) * len(depths), base_rows)
    steps = int(_steps(sums.sum(axis=0), shape, share)[0])
    low = high = steps
    if len(sums) > 1:
        drawn = _steps(resampled(sums, draws, seed), shape, share)
        low, high = (int(step) for step in np.quantile(drawn, (0.025, 0.975), method="closest_observation"))
    told = [None, *lengths]
    return EffectiveLength(
        reader,
        strategy,
        float(np.mean([record.score for record in base_rows])),
        told[steps],
        told[low],
        told[high],
        own_lengths[0],
        own_lengths[-1],
        len(records),
        int(clusters_of(records).max()) + 1,
    )


def _sums(
    records: Sequence[TrialRecord], places: Sequence[int], cells: int, base_rows: Sequence[TrialRecord]
) -> NDArray[np.float64]:
    """Shape (clusters, 2 * cells + 2): sums of scores and counts of each cell, then those of the base."""
    clusters = clusters_of([*records, *base_rows])
    count = int(clusters.max()) + 1
    return np.hstack(
        [
            _tabulated(clusters[: len(records)], places, records, count, cells),
            _tabulated(clusters[len(records) :], [0] * len(base_rows), base_rows, count, 1),
        ]
    )


def _tabulated(
    clusters: NDArray[np.int64], places: Sequence[int], records: Sequence[TrialRecord], count: int, cells: int
) -> NDArray[np.float64]:
    """Shape (clusters, 2 * cells): sums of scores, then counts, by cluster and cell."""
    at = clusters * cells + np.asarray(places, dtype=np.int64)
    scores = np.array([record.score for record in records], dtype=np.float64)
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
