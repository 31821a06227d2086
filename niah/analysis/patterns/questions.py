"""What each error pattern asks of the trials: which, what is compared, and with what.

| pattern              | trials                        | condition           | behaviour                 |
| -------------------- | ----------------------------- | ------------------- | ------------------------- |
| retrieval bottleneck | RAG                           | completeness < 1    | missing elements          |
| noise distraction    | RAG, complete, noise <= 80 %  | noise ratio > t     | missing; wrong elements   |
| noise critical       | RAG, complete, noise > 80 %   | noise ratio > t     | collapse; wrong elements  |
| position sensitivity | RAG, norm or reverse          | reverse order       | missing elements          |
|                      | lc, or document order         | depth > t, or <= t  | missing elements          |
| lost in the middle   | lc, or document order         | depth, quadratic    | missing elements          |
| self-consistency     | complete answers              | context length > t  | self-doubt                |
| distractor choice    | something is wrong            |                     | from distractors          |

Names and conditions are u-niah's (section 5.2.4, table 3); thresholds are searched anew.

The two noise patterns share no trial, so that neither is the other's echo. Both are the reader's errors only
where retrieval is complete. Conditions of retrieval are not drawn by lot: trials with another noise ratio may
have another scope too, and what scope does besides is counted with the noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame, Series

CRITICAL_NOISE = 0.8
"""Noise distraction is searched up to here, noise critical above."""

Shape = Literal["step", "two-sided step", "given", "curve", "alone"]


@dataclass(frozen=True)
class Question:
    """One pattern's trials.

    Attributes:
        name, behaviour: as in ``Pattern``.
        condition: in words; after what it is about, ``{sign} {threshold}`` stand for the cut.
        number_format: of the threshold.
        ends: between which the behaviour lies.
        shape: "step": the behaviour rises above a threshold of ``x`` that is searched; "two-sided step": it
            rises or falls there; "given": the threshold is ``CUT``; "curve": it is higher in the middle of
            ``x``; "alone": it is above 0, compared with nothing.
        rows: shape (n,), places among the scored trials.
        cluster: shape (n,).
        y: shape (n,), the behaviour.
        x: shape (n,).
        strata: shape (n,); trials are compared only with trials of the same stratum. Each lies in one cluster
            and has one reader.
    """

    name: str
    condition: str
    behaviour: str
    shape: Shape
    rows: NDArray[np.intp]
    cluster: NDArray[np.int64]
    y: NDArray[np.float64]
    x: NDArray[np.float64]
    strata: NDArray[np.int64]
    number_format: str = "{:.0f}"
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def asks_of_length(self) -> bool:
        """Whether ``x`` is the context length itself."""
        return self.condition == _LENGTH


CUT = 0.5


def questions(trials: DataFrame) -> tuple[Question, ...]:
    """All patterns that are tried of ``scored_trials``, in the order of the table above."""
    return (*_of_retrieval(trials), *_of_position(trials), *_of_answers(trials))


def _of_retrieval(trials: DataFrame) -> Iterator[Question]:
    noise, completeness = trials["noise_ratio"].to_numpy(), trials["retrieval_completeness"].to_numpy()
    retrieved = ~np.isnan(noise) & ~np.isnan(completeness)
    whole = retrieved & (completeness == 1)
    calm, noisy = whole & (noise <= CRITICAL_NOISE), whole & (noise > CRITICAL_NOISE)
    incomplete = (completeness < 1).astype(np.float64)
    strata, few = _strata(trials, "context_length", "order"), "retrieval completeness < 1"
    asked = partial(_asked, trials, strata)
    yield asked("retrieval bottleneck", few, _MISSING, "given", retrieved, "missing_share", incomplete)
    yield asked("noise distraction", _NOISE, _MISSING, "step", calm, "missing_share", noise)
    yield asked("noise distraction", _NOISE, _WRONG, "step", calm, "any_wrong", noise)
    yield asked("noise critical", _NOISE, "collapse", "step", noisy, "collapsed", noise)
    yield asked("noise critical", _NOISE, _WRONG, "step", noisy, "any_wrong", noise)


def _of_position(trials: DataFrame) -> Iterator[Question]:
    reverse, depth = trials["best_last"].to_numpy(), trials["depth"].to_numpy()
    ordered = trials["best_first"].to_numpy() | reverse
    in_place = trials["keeps_places"].to_numpy() & ~np.isnan(depth)
    pairs = partial(_asked, trials, _strata(trials, "context_length", "depth", "retrieval"))
    sweeps = partial(_asked, trials, _strata(trials, "context_length", "strategy"))
    position, middle, at_depth = (
        "position sensitivity",
        "lost in the middle",
        "depth {sign} {threshold} %",
    )
    yield pairs(
        position, "reverse order", _MISSING, "given", ordered, "missing_share", reverse.astype(np.float64)
    )
    yield sweeps(position, at_depth, _MISSING, "two-sided step", in_place, "missing_share", depth)
    yield sweeps(middle, "middle depths", _MISSING, "curve", in_place, "missing_share", depth)


def _of_answers(trials: DataFrame) -> Iterator[Question]:
    lengths, lured = trials["context_length"].to_numpy(dtype=np.float64), trials["lured"].notna().to_numpy()
    # Lengths that nobody asked for differ by what is asked.
    told = (trials["complete"] & trials["doubt"].notna() & trials["depth"].notna()).to_numpy()
    asked = partial(_asked, trials, _strata(trials, "depth", "strategy"))
    yield asked("self-consistency", _LENGTH, "self-doubt", "step", told, "doubt", lengths)
    choice = ("distractor choice", "something is wrong", "from distractors, not invented")
    alone = _asked(trials, _strata(trials), *choice, "alone", lured, "lured", np.ones(len(lured)))
    yield replace(alone, ends=(-1.0, 1.0))


_MISSING, _WRONG = "missing elements", "wrong elements"
_LENGTH = "context length {sign} {threshold} tokens"
_NOISE = "noise ratio {sign} {threshold}"
_NUMBER_FORMATS = {_LENGTH: "{:,.0f}", _NOISE: "{:.0%}"}


def _asked(
    trials: DataFrame,
    strata: NDArray[np.int64],
    name: str,
    condition: str,
    behaviour: str,
    shape: Shape,
    which: NDArray[np.bool_],
    y: str,
    x: NDArray[np.float64],
) -> Question:
    """The question, of the rows ``which``; arrays have all rows."""
    rows, behaviours = np.flatnonzero(which), trials[y].to_numpy()
    cluster = trials["cluster"].to_numpy()[rows]
    return Question(
        name,
        condition,
        behaviour,
        shape,
        rows,
        cluster,
        behaviours[rows],
        x[rows],
        strata[rows],
        _NUMBER_FORMATS.get(condition, "{:.0f}"),
    )


def _strata(trials: DataFrame, *columns: str) -> NDArray[np.int64]:
    """Rows of the same cluster, haystack and reader, and the same in ``columns``; numbered by cluster."""
    strata: NDArray[np.int64] = trials["cluster"].to_numpy(dtype=np.int64)
    for column in ("haystack", "reader", *columns):
        codes = _codes(trials[column])
        pairs = strata * (int(codes.max(initial=0)) + 1) + codes
        strata = np.asarray(np.unique(pairs, return_inverse=True)[1], dtype=np.int64)
    return strata


def _codes(column: Series[Any]) -> NDArray[np.int64]:
    """Shape (n,): from 0 on, the same number for the same value; what is not known is alike."""
    if column.dtype == "category":
        return np.asarray(column.cat.codes, dtype=np.int64) + 1
    return np.asarray(np.unique(column.to_numpy(), return_inverse=True)[1], dtype=np.int64)
