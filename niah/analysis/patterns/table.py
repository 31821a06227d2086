"""Scored records as columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import numbers
from niah.analysis.stats.clusters import clusters_of, codes
from niah.judges.rubric.normalise import normalise
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

Planted = Mapping[tuple[str, int], Collection[str]]
"""The names of what distractors plant, by needle set and seed."""


@dataclass(frozen=True)
class Table:
    """One row per scored record; every column has shape (n,).

    Attributes:
        cluster, reader, haystack: numbered.
        strategy: numbered; ``plan`` numbers it without its order.
        order: "norm", "reverse", "document", "sides"; "document" for the whole context too; "" for oracle,
            closed-book, and what this version cannot read.
        length: in tokens.
        depth: in %.
        completeness, noise: of retrieval; NaN for whole-context strategies.
        missing: elements missing, as a share of the most that any answer to the needle set lacks.
        wrong: whether the answer holds a wrong element.
        collapsed: whether the score is 1 or 3.
        complete: whether nothing is missing and nothing wrong.
        doubt: whether it doubts itself; NaN where nobody looked.
        lured: of its wrong elements, the share that distractors plant minus the share that they do not; NaN
            where nothing is wrong, or nothing known of the distractors.
        readers: the readers' names by number.
    """

    cluster: NDArray[np.int64]
    reader: NDArray[np.int64]
    haystack: NDArray[np.int64]
    strategy: NDArray[np.int64]
    plan: NDArray[np.int64]
    order: NDArray[np.str_]
    length: NDArray[np.float64]
    depth: NDArray[np.float64]
    completeness: NDArray[np.float64]
    noise: NDArray[np.float64]
    score: NDArray[np.float64]
    missing: NDArray[np.float64]
    wrong: NDArray[np.float64]
    collapsed: NDArray[np.float64]
    complete: NDArray[np.bool_]
    doubt: NDArray[np.float64]
    lured: NDArray[np.float64]
    readers: tuple[str, ...]


def tabulate(records: Sequence[TrialRecord], planted: Planted) -> Table:
    """The columns of records that are all scored."""
    missing = np.array([len(record.missing) for record in records], dtype=np.float64)
    wrong = np.array([bool(record.wrong) for record in records], dtype=np.float64)
    score = np.array([record.score for record in records], dtype=np.float64)
    plans = [_plan(record.strategy) for record in records]
    return Table(
        cluster=clusters_of(records),
        reader=codes(record.reader for record in records),
        haystack=codes(record.haystack for record in records),
        strategy=codes(record.strategy for record in records),
        plan=codes(plan for plan, _ in plans),
        order=np.array([order for _, order in plans], dtype=np.str_),
        length=np.array([record.context_length for record in records], dtype=np.float64),
        depth=np.array([record.depth for record in records], dtype=np.float64),
        completeness=numbers(record.retrieval_completeness for record in records),
        noise=numbers(record.noise_ratio for record in records),
        score=score,
        missing=missing / _most(missing, codes(record.needle_set for record in records)),
        wrong=wrong,
        collapsed=(score <= 3).astype(np.float64),
        complete=(missing == 0) & (wrong == 0),
        doubt=numbers(record.self_doubt for record in records),
        lured=numbers(_lured(record, planted) for record in records),
        readers=tuple(dict.fromkeys(record.reader for record in records)),
    )


@lru_cache(maxsize=4096)
def _plan(strategy: str) -> tuple[str, str]:
    """A strategy without its order, and its order."""
    known = strategy_of(strategy)
    if plan := known.retrieval:
        return f"{plan.retriever}/{plan.scope}@{plan.chunker}", plan.order
    return strategy, "document" if known.sends_context else ""


def _most(counts: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """The greatest count in each row's group, at least 1."""
    most = np.ones(int(groups.max(initial=-1)) + 1)
    np.maximum.at(most, groups, counts)
    return most[groups]


def _lured(record: TrialRecord, planted: Planted) -> float | None:
    names = planted.get((record.needle_set, record.seed))
    if not record.wrong or names is None:
        return None
    known = {normalise(name) for name in names}
    return 2 * sum(normalise(name) in known for name in record.wrong) / len(record.wrong) - 1
