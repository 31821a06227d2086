"""A run's scores beside those that a paper prints for the same model, strategy and length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from niah.analysis.bands import bands
from niah.analysis.columns import Coded, Columns, columns_of, groups
from niah.analysis.stats.spread import spread
from niah.analysis.tables.table import Table, Value
from niah.cases.case import id_part
from niah.reference.numbers import ReferenceNumber
from niah.retrieval.names import OWN
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import Scope, strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Shape: TypeAlias = tuple[str, ...]

_NOTE = (
    "Matched by model (without provider, -instruct and punctuation), needle set, haystack where the paper"
    " names one, length, and strategy: the same scope, order and chunks, with any embedding model where the"
    " paper has one. Judge, seeds and texts are not the paper's: look at the shape, not at the last digit."
)


@dataclass(frozen=True)
class Counterpart:
    """A printed score, and the trials that it can stand beside.

    Attributes:
        number: as printed.
        reader, strategy: of the run.
        rows: places of their trials, scored or not; at least one.
    """

    number: ReferenceNumber
    reader: str
    strategy: str
    rows: NDArray[np.intp]


def beside(records: Sequence[TrialRecord], reference: Iterable[ReferenceNumber]) -> Table:
    """One row per printed score, and reader and strategy of the run that it can stand beside."""
    columns = columns_of(records)
    return Table(
        name="beside-papers",
        title="Beside published numbers",
        columns=(
            *("paper", "source", "reader", "strategy", "needle_set", "haystack", "band"),
            *("published", "published_sd", "mean", "sd", "n", "difference"),
        ),
        rows=tuple(_row(columns, found) for found in counterparts(columns, reference)),
        note=_NOTE,
    )


def counterparts(columns: Columns, reference: Iterable[ReferenceNumber]) -> Iterator[Counterpart]:
    """Each printed score with each reader and strategy that it can stand beside, in the order printed.

    Other metrics, and scores over several models, are nobody's counterpart.
    """
    band = bands(columns.length)
    models = {_model(reader) for reader in columns.reader.names}
    for number in reference:
        if number.metric != "score" or number.reader is None or _model(number.reader) not in models:
            continue
        same = np.flatnonzero(_same(columns, band, number))
        for (reader, strategy), rows in groups(same, columns.reader, columns.strategy):
            yield Counterpart(number, reader, strategy, rows)


def _row(columns: Columns, found: Counterpart) -> tuple[Value, ...]:
    number = found.number
    mean, sd, n, _ = spread(columns.score[found.rows])
    off = mean - number.value if isinstance(mean, float) else None
    where = (number.dataset, number.haystack, number.band)
    printed = (number.value, number.sd)
    return (number.paper, number.source, found.reader, found.strategy, *where, *printed, mean, sd, n, off)


def _same(columns: Columns, band: Coded, number: ReferenceNumber) -> NDArray[np.bool_]:
    """Which rows the number can stand beside: all of their columns fit, where it says one."""
    model, shape = _model(number.reader or ""), _shape(number.strategy or "", number.budget)
    fits = _where(columns.reader, lambda reader: _model(reader) == model)
    fits &= _where(columns.strategy, lambda strategy: shape is not None and _shape(strategy, None) == shape)
    fits &= _named(columns.needle_set, number.dataset) & _named(columns.haystack, number.haystack)
    fits &= _where(band, lambda name: number.band is None or name == number.band)
    return fits if number.length is None else fits & np.isin(columns.length, _nominal(number.length))


def _where(column: Coded, fits: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([fits(name) for name in column.names], dtype=np.bool_)[column.codes]


def _named(column: Coded, wanted: str | None) -> NDArray[np.bool_]:
    return _where(column, lambda name: wanted is None or id_part(name) == wanted)


def _model(name: str) -> str:
    """A model's name as all of its providers have it: "openai/gpt-4o" and "GPT-4o" are "gpt4o".

    Of several runs, a reader may be called "READER (RUN)".
    """
    bare = name.partition(" (")[0].rpartition("/")[2].lower().removesuffix("-instruct")
    return bare.replace("-", "").replace("_", "")


@lru_cache(maxsize=4096)
def _shape(strategy: str, budget: int | None) -> _Shape | None:
    """What two strategies must share to be compared; None for one that we do not have.

    Args:
        strategy: any name of it.
        budget: retrieved tokens, in place of the strategy's own scope.
    """
    known = strategy_of(strategy)
    plan = known.retrieval
    if plan is None:
        return (known.definition,)
    retriever = plan.retriever if plan.retriever in OWN and plan.retriever != "minilm" else "embeddings"
    scope = plan.scope if budget is None else Scope("budget", budget)
    return retriever, str(scope), plan.order, str(plan.chunker)


def _nominal(length: int) -> tuple[int, int]:
    """Both ways to read a printed length in k: thousands, or 1024."""
    return length, length // 1000 * 1024
