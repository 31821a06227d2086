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

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from niah.analysis.patterns.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

CRITICAL_NOISE = 0.8
"""Noise distraction is searched up to here, noise critical above."""

Shape = Literal["step", "two-sided step", "given", "curve", "alone"]


@dataclass(frozen=True)
class Question:
    """One pattern's trials.

    Attributes:
        name, behaviour: as in ``Pattern``.
        condition: in words; after what it is about, ``{sign} {threshold}`` stand for the cut.
        shape: "step": the behaviour rises above a threshold of ``x`` that is searched; "two-sided step": it
            rises or falls there; "given": the threshold is ``CUT``; "curve": it is higher in the middle of
            ``x``; "alone": it is above 0, compared with nothing.
        rows: shape (n,), places in the table.
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
    y: NDArray[np.float64]
    x: NDArray[np.float64]
    strata: NDArray[np.int64]

    @property
    def asks_of_length(self) -> bool:
        """Whether ``x`` is the context length itself."""
        return self.condition == _LENGTH


CUT = 0.5


def questions(table: Table) -> tuple[Question, ...]:
    """All patterns that are tried, in the order of the table above."""
    return (*_of_retrieval(table), *_of_position(table), *_of_answers(table))


def _of_retrieval(table: Table) -> tuple[Question, ...]:
    retrieved = ~np.isnan(table.noise) & ~np.isnan(table.completeness)
    whole = retrieved & (table.completeness == 1)
    calm, noisy = whole & (table.noise <= CRITICAL_NOISE), whole & (table.noise > CRITICAL_NOISE)
    incomplete = (table.completeness < 1).astype(np.float64)
    strata = _strata(table, _coded(table.length), _coded(table.order))
    few = "retrieval completeness < 1"
    return (
        _asked("retrieval bottleneck", few, _MISSING, "given", retrieved, table.missing, incomplete, strata),
        _asked("noise distraction", _NOISE, _MISSING, "step", calm, table.missing, table.noise, strata),
        _asked("noise distraction", _NOISE, _WRONG, "step", calm, table.wrong, table.noise, strata),
        _asked("noise critical", _NOISE, "collapse", "step", noisy, table.collapsed, table.noise, strata),
        _asked("noise critical", _NOISE, _WRONG, "step", noisy, table.wrong, table.noise, strata),
    )


def _of_position(table: Table) -> tuple[Question, ...]:
    ordered = np.isin(table.order, ("norm", "reverse"))
    in_place = table.order == "document"
    reverse = (table.order == "reverse").astype(np.float64)
    pairs = _strata(table, _coded(table.length), _coded(table.depth), table.plan)
    sweeps = _strata(table, _coded(table.length), table.strategy)
    position, middle, depth = "position sensitivity", "lost in the middle", "depth {sign} {threshold:.0f} %"
    return (
        _asked(position, "reverse order", _MISSING, "given", ordered, table.missing, reverse, pairs),
        _asked(position, depth, _MISSING, "two-sided step", in_place, table.missing, table.depth, sweeps),
        _asked(middle, "middle depths", _MISSING, "curve", in_place, table.missing, table.depth, sweeps),
    )


def _of_answers(table: Table) -> tuple[Question, ...]:
    lured, told = ~np.isnan(table.lured), table.complete & ~np.isnan(table.doubt)
    lengths = _strata(table, _coded(table.depth), table.strategy)
    choice = ("distractor choice", "something is wrong", "from distractors, not invented")
    return (
        _asked("self-consistency", _LENGTH, "self-doubt", "step", told, table.doubt, table.length, lengths),
        _asked(*choice, "alone", lured, table.lured, np.ones(len(lured)), _strata(table)),
    )


_MISSING, _WRONG = "missing elements", "wrong elements"
_LENGTH = "context length {sign} {threshold:,.0f} tokens"
_NOISE = "noise ratio {sign} {threshold:.0%}"


def _asked(
    name: str,
    condition: str,
    behaviour: str,
    shape: Shape,
    which: NDArray[np.bool_],
    y: NDArray[np.float64],
    x: NDArray[np.float64],
    strata: NDArray[np.int64],
) -> Question:
    """The question, of the rows ``which``; the arrays have the table's rows."""
    rows = np.flatnonzero(which)
    return Question(name, condition, behaviour, shape, rows, y[rows], x[rows], strata[rows])


def _coded(values: NDArray[Any]) -> NDArray[np.int64]:
    coded: NDArray[np.int64] = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return coded


def _strata(table: Table, *columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of the same cluster, haystack and reader, and the same in ``columns``; numbered by cluster."""
    strata = table.cluster
    for column in (table.haystack, table.reader, *columns):
        strata = _coded_pairs(strata, column)
    return strata


def _coded_pairs(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    pairs: NDArray[np.int64] = first * (int(second.max(initial=0)) + 1) + second
    return _coded(pairs)
