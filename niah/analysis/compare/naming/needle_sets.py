"""Which needle sets a drop sits in: of a row that got worse, those that lost clearly more than the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Axis
from niah.analysis.compare.pooled import share_not_scored
from niah.analysis.compare.rows import Row
from niah.analysis.frame import category_codes, category_names
from niah.analysis.trial_columns import Trials

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEVEL = 0.05
"""How often any needle set is named where all of them dropped alike."""

_DRAWS = 9_999


@dataclass(frozen=True)
class SetDrop:
    """One needle set, or several, within a row.

    Attributes:
        name: of the needle set; "" of several.
        n: pairs.
        baseline, candidate: means over them.
    """

    name: str
    n: int
    baseline: float
    candidate: float

    @property
    def difference(self) -> float:
        """Candidate minus baseline."""
        return self.candidate - self.baseline


@dataclass(frozen=True)
class NeedleSets:
    """The needle sets of a row that got worse.

    Attributes:
        row: the row.
        names: of its needle sets, two at least.
        worst: those that are clearly worse than the others, the worst first.
        elsewhere: all others together.
        is_told: whether there are clusters enough to tell needle sets apart.
    """

    row: Row
    names: tuple[str, ...]
    worst: tuple[SetDrop, ...]
    elsewhere: SetDrop
    is_told: bool


@dataclass(frozen=True)
class _Clusters:
    """Of a row, cluster by cluster.

    Attributes:
        labels: shape (clusters,), the needle set of each.
        drop: shape (clusters,), the sum over its pairs; above 0 is worse.
        n: shape (clusters,), pairs.
    """

    labels: NDArray[np.int64]
    drop: NDArray[np.float64]
    n: NDArray[np.float64]


def set_drops(
    row: Row, axes: Sequence[Axis], baseline: Trials, candidate: Trials, *, seed: int = 0
) -> NeedleSets | None:
    """What the needle sets of a row lost; None where it has but one, or is of one itself.

    The row was found, and is asked about its needle sets only then, as about its other parts. If all of them
    dropped alike, any cluster could have been of any of them: so names are shuffled over whole clusters, and
    the needle set that lost most is held against the one that did in each shuffle (5 %). One that is found
    is left out with its clusters, and the others are asked again.

    Args:
        row: that got worse.
        axes: of the table.
        baseline, candidate: of all pairs, the i-th rows of both are one.
        seed: of the shuffles.
    """
    before, after = _values(row, baseline), _values(row, candidate)
    codes = category_codes(baseline, "needle_set")
    own = _within(row, axes, len(codes)) & ~np.isnan(after - before) & (codes >= 0)
    every = np.unique(codes[own])
    if len(every) < 2 or "needle_set" in row.parts:
        return None
    sign = -1.0 if row.measure == "score" else 1.0
    clusters = _clusters(np.asarray(baseline["cluster"])[own], codes[own], sign * (after - before)[own])
    worst = _worst(clusters, np.random.default_rng(seed))
    names = category_names(baseline, "needle_set")

    def mean(name: str, chosen: NDArray[np.bool_]) -> SetDrop:
        at = own & chosen
        return SetDrop(name, int(at.sum()), float(before[at].mean()), float(after[at].mean()))

    return NeedleSets(
        row=row,
        names=tuple(names[code] for code in every),
        worst=tuple(mean(names[code], codes == code) for code in worst),
        elsewhere=mean("", ~np.isin(codes, worst)),
        is_told=_can_tell(clusters),
    )


def _values(row: Row, trials: Trials) -> NDArray[np.float64]:
    return np.asarray(trials["score"]) if row.measure == "score" else share_not_scored(trials)


def _within(row: Row, axes: Sequence[Axis], n: int) -> NDArray[np.bool_]:
    """Shape (n,): whether each pair is in the row."""
    inside = np.ones(n, dtype=np.bool_)
    for axis in axes:
        if axis.name in row.parts:
            inside &= axis.codes == axis.names.index(row.parts[axis.name])
    return inside


def _clusters(clusters: NDArray[np.int64], codes: NDArray[np.int64], drops: NDArray[np.float64]) -> _Clusters:
    _, first, places = np.unique(clusters, return_index=True, return_inverse=True)
    drop, n = (np.bincount(places, weights=each).astype(np.float64) for each in (drops, np.ones(len(drops))))
    return _Clusters(codes[first], drop, n)


def _worst(clusters: _Clusters, rng: np.random.Generator) -> list[int]:
    """The needle sets that are clearly worse than those that are left, one after another."""
    found: list[int] = []
    while _can_tell(clusters):
        worst, is_clear = _most(clusters, rng)
        if not is_clear:
            break
        found.append(worst)
        left = clusters.labels != worst
        clusters = _Clusters(clusters.labels[left], clusters.drop[left], clusters.n[left])
    return found


def _most(clusters: _Clusters, rng: np.random.Generator) -> tuple[int, bool]:
    """The needle set that lost most beyond the others, and whether shuffles seldom have one that did."""
    sets = np.unique(clusters.labels)
    of = clusters.labels == sets[:, None]
    beyond = _beyond(of, clusters.drop[None], clusters.n[None])[0]
    shuffles = rng.permuted(np.tile(np.arange(len(clusters.n)), (_DRAWS, 1)), axis=1)
    drawn = _beyond(of, clusters.drop[shuffles], clusters.n[shuffles]).max(axis=1)
    at = int(beyond.argmax())
    dropped = clusters.drop[of[at]].sum() > 0
    p = (1 + int((drawn >= beyond[at] - 1e-9).sum())) / (1 + _DRAWS)
    return int(sets[at]), bool(dropped and p <= _LEVEL)


def _beyond(of: NDArray[np.bool_], drop: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (draws, sets): how much more each lost than the others, in units that are alike for all sizes.

    Args:
        of: shape (sets, clusters), which clusters are of which needle set.
        drop, n: shape (draws, clusters).
    """
    own_n, own_drop = n @ of.T, drop @ of.T
    rest_n, rest_drop = n.sum(axis=1)[:, None] - own_n, drop.sum(axis=1)[:, None] - own_drop
    beyond: NDArray[np.float64] = (own_drop / own_n - rest_drop / rest_n) / np.sqrt(1 / own_n + 1 / rest_n)
    return beyond


def _can_tell(clusters: _Clusters) -> bool:
    """Whether shuffles can be so seldom as bad: with few clusters many of them come to the same."""
    _, sizes = np.unique(clusters.labels, return_counts=True)
    if len(sizes) < 2:
        return False
    return any(int((sizes == size).sum()) / comb(len(clusters.n), int(size)) <= _LEVEL for size in sizes)
