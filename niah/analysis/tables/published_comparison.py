"""A run's scores beside those that a paper prints for the same model, strategy and length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from niah.analysis.frame import category_codes, category_names, row_groups
from niah.analysis.tables.score_tables import mean_and_sd
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.cases.case import id_part
from niah.reference.numbers import ReferenceNumber
from niah.retrieval.names import parse_name
from niah.strategies.axes.retrieval_plan import Scope
from niah.strategies.chunkers import EQUAL_WINDOWS
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Shape: TypeAlias = tuple[str, ...]

_NOTE = (
    "Matched by model (without provider, -instruct and punctuation), needle set, haystack where the paper"
    " names one, length, and strategy: the same scope, order and chunks (windows of 600 tokens that start"
    " with paragraphs or at equal steps), with any embedding model where the paper has one. Judge, seeds and"
    " texts are not the paper's: look at the shape, not at the last digit."
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


def published_comparison(frame: Trials, reference: Iterable[ReferenceNumber]) -> Table:
    """One row per printed score, and reader and strategy of the run that it can stand beside."""
    return Table(
        name="beside-papers",
        title="Beside published numbers",
        columns=(
            *("paper", "source", "reader", "strategy", "needle_set", "haystack", "band"),
            *("published", "published_sd", "mean", "sd", "n", "difference"),
        ),
        rows=tuple(_row(frame, found) for found in counterparts(frame, reference)),
        note=_NOTE,
    )


def counterparts(frame: Trials, reference: Iterable[ReferenceNumber]) -> Iterator[Counterpart]:
    """Each printed score with each reader and strategy that it can stand beside, in the order printed.

    Other metrics, and scores over several models, are nobody's counterpart.
    """
    models = {model_name(reader) for reader in category_names(frame, "reader")}
    for number in reference:
        if number.metric != "score" or number.reader is None or model_name(number.reader) not in models:
            continue
        same = np.flatnonzero(_same(frame, number))
        for (reader, strategy), rows in row_groups(frame, "reader", "strategy", rows=same):
            yield Counterpart(number, reader, strategy, rows)


def _row(frame: Trials, found: Counterpart) -> tuple[TableValue, ...]:
    number = found.number
    mean, sd, n, _ = mean_and_sd(np.asarray(frame["score"])[found.rows])
    off = mean - number.value if isinstance(mean, float) else None
    where = (number.dataset, number.haystack, number.band)
    printed = (number.value, number.sd)
    return (number.paper, number.source, found.reader, found.strategy, *where, *printed, mean, sd, n, off)


def _same(frame: Trials, number: ReferenceNumber) -> NDArray[np.bool_]:
    """Which rows the number can stand beside: all of their columns fit, where it says one."""
    model, shape = model_name(number.reader or ""), _shape(number.strategy or "", number.budget)
    fits = _where(frame, "reader", lambda reader: model_name(reader) == model)
    fits &= _where(frame, "strategy", lambda name: _shape(name, None) == shape)
    if number.dataset is not None:
        fits &= _where(frame, "needle_set", lambda name: id_part(name) == number.dataset)
    if number.haystack is not None:
        fits &= _where(frame, "haystack", lambda name: id_part(name) == number.haystack)
    if number.band is not None:
        fits &= _where(frame, "length_band", lambda name: name == number.band)
    if number.length is not None:
        fits &= np.isin(frame["context_length"], _nominal(number.length))
    return fits


def _where(frame: Trials, column: str, fits: Callable[[str], bool]) -> NDArray[np.bool_]:
    # The last place is that of rows without a name, whose code is -1.
    known = [*(fits(name) for name in category_names(frame, column)), False]
    return np.array(known, dtype=np.bool_)[category_codes(frame, column)]


def model_name(name: str) -> str:
    """A model's name as all of its providers have it: "openai/gpt-4o" and "GPT-4o" are "gpt4o".

    Of several runs, a reader may be called "READER (RUN)".
    """
    bare = name.partition(" (")[0].rpartition("/")[2].lower().removesuffix("-instruct")
    return bare.replace("-", "").replace("_", "")


@lru_cache(maxsize=4096)
def _shape(strategy: str, budget: int | None) -> _Shape:
    """What two strategies must share to be compared.

    Args:
        strategy: any name of it.
        budget: retrieved tokens, in place of the strategy's own scope.
    """
    known = strategy_of(strategy)
    plan = known.retrieval
    if plan is None:
        return (known.definition,)
    name = parse_name(plan.retriever)
    retriever = "hybrid" if name.is_hybrid else "embeddings" if name.embedder else name.text
    retriever = name.text if name.reranker else retriever
    scope = plan.scope if budget is None else Scope("budget", budget)
    chunks = "windows" if plan.chunker == EQUAL_WINDOWS else str(plan.chunker)
    return retriever, str(scope), plan.order, chunks, str(plan.noise)


def _nominal(length: int) -> tuple[int, int]:
    """Both ways to read a printed length in k: thousands, or 1024."""
    return length, length // 1000 * 1024
