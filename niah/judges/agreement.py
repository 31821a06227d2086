"""How far two judges, or a judge and the truth, agree: pure functions over levels.

A level is the place of a score among 1, 3, 5, 7, 10: 0 to 4. Agreement is measured on levels, since the
rubric orders its scores and says nothing of their distances (10 is as far from 7 as 3 is from 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from niah.judges.verdict import SCORES

Levels: TypeAlias = NDArray[np.int64]


def score_levels(scores: Iterable[float]) -> Levels:
    """The level, 0 to 4, of each score; shape (n,). A metric's score has that of the nearest on the scale."""
    far = np.abs(np.array(list(scores), dtype=float)[:, None] - np.array(SCORES)[None, :])
    return np.asarray(far.argmin(axis=1), dtype=np.int64)


def exact_agreement(truth: Levels, judged: Levels) -> float | None:
    """Share of answers, 0 to 1, that got the true level; None for no answers."""
    return float(np.mean(truth == judged)) if truth.size else None


def agreement_within_one(truth: Levels, judged: Levels) -> float | None:
    """Share of answers, 0 to 1, at most one level off; None for no answers."""
    return float(np.mean(np.abs(truth - judged) <= 1)) if truth.size else None


def mean_bias(truth: Levels, judged: Levels) -> float | None:
    """Mean of judged minus true level, -4 to 4; above 0 is lenient. None for no answers."""
    return float(np.mean(judged - truth)) if truth.size else None


def confusion(truth: Levels, judged: Levels) -> NDArray[np.int64]:
    """Counts, shape (5, 5): a row for each true level, a column for each judged one."""
    counts = np.zeros((len(SCORES), len(SCORES)), dtype=np.int64)
    np.add.at(counts, (truth, judged), 1)
    return counts


def quadratic_weighted_kappa(truth: Levels, judged: Levels) -> float | None:
    """Agreement beyond chance, weighted by squared differences (Cohen 1968, Psychological Bulletin 70:213).

    One minus the observed disagreement over what independent raters with the same margins would show: 1 is
    perfect, 0 chance, below 0 worse than chance. None where no disagreement can be expected, since both know
    only one and the same level, or there are no answers: kappa is undefined there.
    """
    observed = confusion(truth, judged)
    places = np.arange(len(SCORES))
    weights = (places[:, None] - places[None, :]) ** 2
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    disagreement = float((weights * expected).sum())
    if not disagreement:
        return None
    return 1 - int((weights * observed).sum()) * truth.size / disagreement
