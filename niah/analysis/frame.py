"""Trials as columns, once for all tables, figures and notebooks: one row a trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.row_parts import Coded, row_parts
from niah.analysis.trial_columns import Nullable, TrialColumn, TrialColumns, Trials, coded, trial_columns
from niah.cases.sample import Sample
from niah.readers.reader import ReaderTraits
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import Strategy, strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import Categorical, DataFrame


def trial_frame(
    records: Sequence[TrialRecord],
    samples: Mapping[str, Sample] | None = None,
    traits: Mapping[str, ReaderTraits] | None = None,
) -> DataFrame:
    """One row per record, in the records' order; what a trial has not got, or nobody knows, is NaN or None.

    ``niah export`` names the columns, but for answers, which are left out. These come in addition:

    * score: 1 to 10, of scored trials alone; ``scored`` says which these are
    * metric_values: of every metric that has judged, its value, 0 to 1, by its name; None where none has
    * value: of a score that a metric gave, on the metric's own scale, 0 to 1; NaN of other judges' scores
    * unsure: whether rules could not decide about a scored trial; lowest, highest: the scores of its
      readings, of every other scored trial its score
    * length_band: the band of ``context_length``, one of ``LENGTH_BANDS``
    * cluster: trials that share luck, numbered as they first appear, see ``niah.analysis.stats.clusters_of``
    * from_cache: whether nothing was spent on the answer; reused_from: when an earlier run got it, UTC, or ""
    * question: the same number for trials of the same sample, reader and repeat
    * definition: what is behind the strategy's name
    * sends_context, is_ceiling, is_floor, retrieves, best_first, best_last, keeps_places: what the strategy
      does, see ``niah.strategies.strategy.Strategy``
    * order: of a retrieving strategy; retrieval: a strategy without its order
    * n_missing, n_wrong: elements, of scored trials; not of questions whose elements nobody has written down
    * n_needles: how many a retriever looked for
    * n_elements: how many a complete answer names
    * reader_size: of the model, in billions of parameters; reasoning: whether it thinks before it answers
    * question_type: of given questions, see ``niah.cases.questions.question_set``
    * origin, kind, question_set, source, document_id, nested, n_distractors, distractor_hardness: of the
      sample

    Readers, strategies, needle sets, haystacks, outcomes and other names are Categoricals, whose categories
    stand as tables and figures show them: strategies without retrieval first, bands and outcomes as they are
    listed, everything else by name.

    Args:
        records: of one run or several, finished or not.
        samples: by sample id; without them nobody knows nested, n_elements, n_distractors,
            distractor_hardness, nor whether anybody has written down the elements of a given question.
        traits: of readers' models, by reader; without them no size is known, and nobody thinks.
    """
    return data_frame(trial_columns(records, samples, traits))


def data_frame(trials: TrialColumns) -> DataFrame:
    """Plain columns as pandas has them: the frame of ``trial_frame``."""
    import pandas as pd

    columns = {name: _pandas_array(column) for name, column in trials.columns.items()}
    return pd.DataFrame(columns, copy=False)


def _pandas_array(column: TrialColumn) -> Any:
    from pandas.arrays import BooleanArray, IntegerArray

    if isinstance(column, Coded):
        return _categorical(column)
    if not isinstance(column, Nullable):
        return column
    return (BooleanArray if column.values.dtype == np.bool_ else IntegerArray)(*column)


def _categorical(column: Coded[str]) -> Categorical[str]:
    import pandas as pd

    found: Categorical[str] = pd.Categorical.from_codes(
        column.codes, dtype=_dtype(column.names), validate=False
    )
    return found


@lru_cache(maxsize=256)
def _dtype(names: tuple[str, ...]) -> Any:
    """The ``CategoricalDtype`` of these categories, which frames of many nights have in common."""
    import pandas as pd

    return pd.CategoricalDtype(pd.Index(list(names), dtype="str"))


def categorical(
    values: Sequence[str | None], order: Callable[[str], tuple[int, str]] | None = None
) -> Categorical[str]:
    """``values``, with the names that occur as categories, sorted by ``order``, or as they are."""
    return _categorical(coded(values, order))


def category_codes(frame: Trials, name: str) -> NDArray[np.int64]:
    """Shape (n,): a categorical column's places in ``category_names``; -1 where it is not known."""
    return coded_column(frame, name).codes.astype(np.int64)


def category_names(frame: Trials, name: str) -> tuple[str, ...]:
    """The names of a categorical column, in the order of rows of tables."""
    return coded_column(frame, name).names


def coded_column(frame: Trials, name: str) -> Coded[str]:
    """A categorical column as ``row_parts`` takes it."""
    column: Any = frame[name]
    if isinstance(column, Coded):
        return column
    return Coded(column.array.codes, tuple(column.array.categories))


def nullable_column(frame: Trials, name: str) -> Nullable:
    """A column of whole numbers that some trials have not got; these have a 0."""
    column: Any = frame[name]
    if isinstance(column, Nullable):
        return column
    return Nullable(column.to_numpy(dtype=np.int64, na_value=0), column.isna().to_numpy())


def values_at(frame: Trials, name: str, rows: NDArray[np.intp]) -> list[Any]:
    """What a column says in these rows, as plain Python values; NaN where a categorical one says nothing."""
    column: Any = frame[name]
    if not hasattr(getattr(column, "array", column), "codes"):
        return list(np.asarray(column)[rows].tolist())
    known = coded_column(frame, name)
    # The code of nothing is -1, and takes the last.
    names = (*known.names, nan)
    return [names[code] for code in known.codes[rows].tolist()]


def row_groups(
    frame: Trials, *by: str, rows: NDArray[np.intp] | None = None
) -> Iterator[tuple[tuple[str, ...], NDArray[np.intp]]]:
    """Names and rows of each group of trials that has any, in the order of the names, the first slowest.

    Args:
        frame: of trials.
        by: categorical columns; a row that has not got one of them is in no group.
        rows: places in the frame, whose order groups keep; all of them without.
    """
    yield from row_parts([coded_column(frame, name) for name in by], rows)


def strategies_in(frame: Trials) -> dict[str, Strategy]:
    """What is behind each strategy's name, also behind one that the user gave a retriever of their own."""
    return {
        name: strategy_of(name, definition)
        for (name, definition), _ in row_groups(frame, "strategy", "definition")
    }


def is_length_grid(frame: Trials) -> bool:
    """Whether every length was asked for, so that trials of the same length can be taken together.

    Given documents are as long as they are: they have bands of length in common (``length_band``), no depth,
    and no heatmap.
    """
    return not np.isnan(np.asarray(frame["depth"])).any()
