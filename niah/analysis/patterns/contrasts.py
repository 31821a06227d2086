"""Who is compared with whom, and what a question comes to: a behaviour on a condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.patterns.questions import CUT, Question, Shape
from niah.analysis.patterns.steps import centred, cuts_between, renumbered, step_table, varied, without
from niah.analysis.patterns.thresholds import FLIPS, Threshold, find_threshold
from niah.analysis.stats.clusters import totals
from niah.analysis.stats.permutation import FlipTest, max_sign_flip

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIDDLE = (25.0, 75.0)


@dataclass(frozen=True)
class Contrast:
    """What one question comes to: ``y`` on ``d``, both of shape (n,), strata's means taken out.

    Attributes:
        rows: shape (n,), places among the scored trials.
        cluster: shape (n,).
        under: shape (n,), whether the row is under the condition.
        raw: shape (n,), the behaviour as it is.
        ends: between which the behaviour lies.
        test: of no effect.
        condition: in words.
    """

    rows: NDArray[np.intp]
    cluster: NDArray[np.int64]
    y: NDArray[np.float64]
    d: NDArray[np.float64]
    under: NDArray[np.bool_]
    raw: NDArray[np.float64]
    ends: tuple[float, float]
    test: FlipTest
    condition: str
    threshold: Threshold | None = None


def contrast(question: Question, seed: int) -> Contrast | None:
    """What the question comes to; None where no trials can be compared."""
    asked = _comparable(question)
    return _CONTRASTS[question.shape](asked, seed) if len(asked.rows) else None


def _comparable(question: Question) -> Question:
    """The question, without strata where x is the same throughout."""
    if question.shape == "alone":
        return question
    kept = varied(question.x, question.strata)
    return replace(
        question,
        rows=question.rows[kept],
        cluster=question.cluster[kept],
        y=question.y[kept],
        x=question.x[kept],
        strata=renumbered(question.strata[kept]),
    )


def _step(question: Question, seed: int) -> Contrast | None:
    steps = step_table(question.x, question.y, question.strata, question.cluster, cuts_between(question.x))
    if not steps.allowed.any():
        return None
    found = find_threshold(steps, rising=question.shape == "step", seed=seed)
    under = question.x > found.cut if found.above else question.x <= found.cut
    bracket = [question.number_format.format(value) for value in _around(found.cut, question.x)]
    condition = question.condition.format(
        sign=">" if found.above else "<=", threshold=" to ".join(dict.fromkeys(bracket))
    )
    within = replace(
        found,
        low=None if found.low is None else _around(found.low, question.x)[0],
        high=None if found.high is None else _around(found.high, question.x)[1],
    )
    return _binary(question, under, condition, found.test, within)


def _around(cut: float, x: NDArray[np.float64]) -> tuple[float, float]:
    """The values that were tried next to a cut: between them nobody knows where it lies."""
    return float(x[x <= cut].max()), float(x[x > cut].min())


def _given(question: Question, seed: int) -> Contrast:
    return _binary(question, question.x > CUT, question.condition, seed)


def _curve(question: Question, seed: int) -> Contrast | None:
    """How much higher the behaviour is at depth 50 % than at 0 and 100 %, a slope along depth apart."""
    slope = centred(question.x, question.strata)
    d = without(centred(1 - ((question.x - 50) / 50) ** 2, question.strata), slope)
    if d @ d < 1e-6 * len(d):
        return None
    y = without(centred(question.y, question.strata), slope)
    under = (question.x >= _MIDDLE[0]) & (question.x <= _MIDDLE[1])
    test = _test(question.cluster, y * d, seed)
    return Contrast(
        question.rows, question.cluster, y, d, under, question.y, question.ends, test, question.condition
    )


def _alone(question: Question, seed: int) -> Contrast:
    every, y = np.ones(len(question.rows), dtype=np.bool_), question.y
    test = _test(question.cluster, y, seed)
    d = every.astype(np.float64)
    return Contrast(question.rows, question.cluster, y, d, every, y, question.ends, test, question.condition)


def _binary(
    question: Question,
    under: NDArray[np.bool_],
    condition: str,
    test: FlipTest | int,
    threshold: Threshold | None = None,
) -> Contrast:
    """Rows under the condition against the others of their strata; strata on one side are left out.

    ``test`` is the search's, or the seed of one.
    """
    d = under.astype(np.float64)
    kept = varied(d, question.strata)
    strata, cluster = renumbered(question.strata[kept]), question.cluster[kept]
    y, d = centred(question.y[kept], strata), centred(d[kept], strata)
    return Contrast(
        question.rows[kept],
        cluster,
        y,
        d,
        under[kept],
        question.y[kept],
        question.ends,
        _test(cluster, y * d, test) if isinstance(test, int) else test,
        condition,
        threshold,
    )


def _test(cluster: NDArray[np.int64], parts: NDArray[np.float64], seed: int) -> FlipTest:
    return max_sign_flip(totals(cluster, parts), draws=FLIPS, seed=seed)


_CONTRASTS: dict[Shape, Callable[[Question, int], Contrast | None]] = {
    "step": _step,
    "two-sided step": _step,
    "given": _given,
    "curve": _curve,
    "alone": _alone,
}
