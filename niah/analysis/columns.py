"""Records as columns, built once for all tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.grouping import OUTCOMES, question_of
from niah.analysis.stats.clusters import clusters_of, codes
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of, strategy_place

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Coded:
    """A column of names.

    Attributes:
        codes: shape (n,), places in ``names``.
        names: in the order of the tables' rows.
    """

    codes: NDArray[np.int64]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """One row per record, in the records' order; every column has shape (n,).

    Attributes:
        reader, needle_set, haystack: by name.
        strategy: those without retrieval first, then by name.
        outcome: in the order of ``OUTCOMES``.
        question: the same number for trials of the same case, reader and repeat.
        cluster: numbered needle set x seed.
        length: tokens of context.
        score: 1 to 10; NaN unless scored.
        prompt_tokens, completion_tokens, cached_tokens, cost, latency_s: NaN where unknown; cost in dollars.
    """

    reader: Coded
    strategy: Coded
    needle_set: Coded
    haystack: Coded
    outcome: Coded
    question: NDArray[np.int64]
    cluster: NDArray[np.int64]
    length: NDArray[np.int64]
    score: NDArray[np.float64]
    prompt_tokens: NDArray[np.float64]
    completion_tokens: NDArray[np.float64]
    cached_tokens: NDArray[np.float64]
    cost: NDArray[np.float64]
    latency_s: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.intp]:
        """Every place, 0 to n - 1."""
        return np.arange(len(self.score))

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which rows have a score."""
        return ~np.isnan(self.score)

    @property
    def retrieving(self) -> NDArray[np.bool_]:
        """Which rows' strategies retrieve."""
        retrieve = np.array([strategy_of(name).retrieves for name in self.strategy.names], dtype=np.bool_)
        return retrieve[self.strategy.codes]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which rows' strategies send the whole context."""
        whole = np.array([strategy_of(name).sends_context for name in self.strategy.names], dtype=np.bool_)
        return whole[self.strategy.codes]


def columns_of(records: Sequence[TrialRecord]) -> Columns:
    """The columns of all records, scored or not."""
    return Columns(
        reader=coded([record.reader for record in records]),
        strategy=coded([record.strategy for record in records], order=strategy_place),
        needle_set=coded([record.needle_set for record in records]),
        haystack=coded([record.haystack for record in records]),
        outcome=Coded(_outcomes(records), OUTCOMES),
        question=codes(question_of(record) for record in records),
        cluster=clusters_of(records),
        length=np.array([record.context_length for record in records], dtype=np.int64),
        score=numbers(record.score if record.outcome == "scored" else None for record in records),
        prompt_tokens=numbers(record.prompt_tokens for record in records),
        completion_tokens=numbers(record.completion_tokens for record in records),
        cached_tokens=numbers(record.cached_tokens for record in records),
        cost=numbers(record.cost for record in records),
        latency_s=numbers(record.latency_s for record in records),
    )


def coded(values: Sequence[str], order: Callable[[str], tuple[int, str]] | None = None) -> Coded:
    """``values`` as a column; names by ``order``, or as they sort."""
    names = sorted(set(values), key=order)
    places: dict[Hashable, int] = {name: place for place, name in enumerate(names)}
    return Coded(np.array([places[value] for value in values], dtype=np.int64), tuple(names))


def groups(rows: NDArray[np.intp], *by: Coded) -> Iterator[tuple[tuple[str, ...], NDArray[np.intp]]]:
    """Names and rows of each group of ``rows`` that has any, in the order of the names, the first slowest."""
    if not len(rows):
        return
    shape = [max(len(column.names), 1) for column in by]
    keys = np.ravel_multi_index([column.codes[rows] for column in by], shape)
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    for key, members in zip(found, np.split(rows[order], starts[1:]), strict=True):
        places = np.unravel_index(key, shape)
        yield tuple(column.names[at] for column, at in zip(by, places, strict=True)), members


def numbers(values: Iterable[float | None]) -> NDArray[np.float64]:
    """Shape (n,); NaN for None."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _outcomes(records: Sequence[TrialRecord]) -> NDArray[np.int64]:
    places = {outcome: place for place, outcome in enumerate(OUTCOMES)}
    return np.array([places[record.outcome] for record in records], dtype=np.int64)
