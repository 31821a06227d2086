"""How a night may go on: draws of the trials that are not asked yet, from those that are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REACH = 9.0
"""Variance that is expected of a mean, over what its trials' own luck leaves of it when all are asked: three
standard errors are about what can just be found. So a row of which little is known yet neither counts as
unchanged nor as what its few trials show. All that pairs have in common shares it."""

_LIKE_THE_READER = 20.0
"""So many trials' worth is what a reader tells of how one of its strategies varies."""


@dataclass(frozen=True)
class AskedSoFar:
    """Pairs of a night; all arrays have shape (n,).

    Attributes:
        gain: score of tonight minus the baseline's; NaN where either has none, or is not asked yet.
        failed_before: 1 where the baseline's trial has no score, else 0.
        failed: 1 where tonight's has none, else 0; anything where it is not asked yet.
        pending: whether tonight's is not asked yet.
        groups: codes of what pairs may have in common: rows of the table, clusters.
        readers, arms: codes of readers, and of readers with strategies.
    """

    gain: NDArray[np.float64]
    failed_before: NDArray[np.float64]
    failed: NDArray[np.float64]
    pending: NDArray[np.bool_]
    groups: Sequence[NDArray[np.int64]]
    readers: NDArray[np.int64]
    arms: NDArray[np.int64]


def drawn_gains(so_far: AskedSoFar, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Shape (draws, n): the gains of whole nights: those that are known, others drawn; 0 for what has none.

    The mean gain of a trial is the sum of what each of its groups changed: a model with random effects,
    whose posterior given the known gains is drawn from. Groups overlap, as a table's rows do. About that
    mean most answers may stay exactly as they were, and the others change by so much more: where hardly any
    answer changed, hardly any will.
    """
    from scipy.linalg import cho_solve, cholesky, solve_triangular

    known = ~np.isnan(so_far.gain)
    wanted = so_far.pending & (so_far.failed_before == 0)
    found = np.tile(np.where(known, so_far.gain, 0.0), (draws, 1))
    if not wanted.any():
        return found
    variance = _own_variance(so_far, known)
    used = known | wanted
    columns, prior = _effects(so_far.groups, variance, used)
    precision, right = np.diag(1 / prior), np.zeros(len(prior))
    at_known = columns[known]
    for one in at_known.T:
        np.add.at(right, one, so_far.gain[known] / variance[known])
        for other in at_known.T:
            np.add.at(precision, (one, other), 1 / variance[known])
    root = cholesky(precision, lower=True)
    mean = cho_solve((root, True), right)
    effects = mean[:, None] + solve_triangular(root.T, rng.normal(size=(len(prior), draws)), lower=False)
    mean_gains = np.zeros((draws, int(wanted.sum())))
    for column in columns[wanted].T:  # one after another: all at once would take as many times the memory
        mean_gains += effects[column].T
    drawn, usual = _drawn_changes(so_far, known, draws, rng)
    most = float(HIGHEST - LOWEST)
    changed_by = np.clip(mean_gains / usual[wanted], -most, most)
    changed_by += rng.normal(size=mean_gains.shape) * np.sqrt(variance[wanted] / usual[wanted])
    found[:, wanted] = np.where(drawn[:, wanted], changed_by, 0.0)
    return found


def _drawn_changes(
    so_far: AskedSoFar, known: NDArray[np.bool_], draws: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which answers change, shape (draws, n); and how many are expected to, shape (n,)."""
    drawn, usual = np.zeros((draws, len(known)), dtype=np.bool_), np.empty(len(known))
    changed = known & (so_far.gain != 0)
    for reader in np.unique(so_far.readers):
        of_reader = so_far.readers == reader
        like_reader = (changed[of_reader].sum() + 1) / (known[of_reader].sum() + 1) * _LIKE_THE_READER
        for arm in np.unique(so_far.arms[of_reader]):
            own = so_far.arms == arm
            some, none = changed[own].sum() + like_reader, known[own].sum() - changed[own].sum()
            none = none + max(_LIKE_THE_READER - like_reader, 1e-9)
            usual[own] = some / (some + none)
            drawn[:, own] = rng.random((draws, int(own.sum()))) < rng.beta(some, none, size=(draws, 1))
    return drawn, usual


def drawn_failures(so_far: AskedSoFar, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Shape (draws, n): 1 for a trial of tonight without a score, else 0; drawn where it is not asked yet.

    By a reader's strategy, and by whether the baseline's trial had a score: the share is drawn from its
    posterior, with a weak prior at the share of all strategies.
    """
    found = np.tile(np.where(so_far.pending, 0.0, so_far.failed), (draws, 1))
    for before in (0.0, 1.0):
        alike = so_far.failed_before == before
        asked = alike & ~so_far.pending
        usual = (so_far.failed[asked].sum() + before) / (asked.sum() + 1)
        for arm in np.unique(so_far.arms[alike & so_far.pending]):
            own = so_far.failed[asked & (so_far.arms == arm)]
            missing = np.flatnonzero(alike & so_far.pending & (so_far.arms == arm))
            failing, whole = own.sum() + usual, len(own) + 1 - usual - own.sum()
            share = rng.beta(max(failing, 1e-9), max(whole, 1e-9), size=(draws, 1))
            found[:, missing] = rng.random((draws, len(missing))) < share
    return found


def _own_variance(so_far: AskedSoFar, known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Shape (n,): of a trial's own luck, by reader and strategy.

    As if each reader had one trial more, that changed by all that a score can: readers that gave each answer
    again so far need not always do so.
    """
    found = np.empty(len(known))
    for reader in np.unique(so_far.readers):
        of_reader = so_far.readers == reader
        gains = so_far.gain[of_reader & known]
        usual = (((gains - gains.mean()) ** 2).sum() if len(gains) else 0.0) + (HIGHEST - LOWEST) ** 2
        usual /= len(gains) + 1
        for arm in np.unique(so_far.arms[of_reader]):
            own = so_far.arms == arm
            gains = so_far.gain[own & known]
            squares = ((gains - gains.mean()) ** 2).sum() if len(gains) else 0.0
            found[own] = (squares + _LIKE_THE_READER * usual) / (len(gains) + _LIKE_THE_READER)
    return found


def _effects(
    groups: Sequence[NDArray[np.int64]], variance: NDArray[np.float64], used: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which effects each pair has, shape (n, groups), and the effects' prior variances."""
    columns, prior, count = [], [], 0
    for codes in groups:
        width = int(codes.max()) + 1
        sizes = np.bincount(codes[used], minlength=width)
        mean = np.bincount(codes[used], variance[used], width) / np.maximum(sizes, 1)
        prior.append(_REACH / len(groups) * np.where(sizes > 0, mean, 1.0) / np.maximum(sizes, 1))
        columns.append(codes + count)
        count += width
    return np.stack(columns, axis=1), np.concatenate(prior)
