"""Trials as columns, once for all tables, figures and notebooks: one row a trial."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from itertools import repeat as repeated
from math import nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.grouping import OUTCOMES
from niah.analysis.row_parts import Coded, row_parts
from niah.analysis.stats.clusters import cluster_of, codes
from niah.cases.questions.question_type import QUESTION_TYPES, question_type
from niah.cases.sample import Sample
from niah.judges.error_types import ERROR_TYPE_NAMES
from niah.readers.reader import ReaderTraits
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of, strategy_place

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import Categorical, DataFrame
    from pandas.arrays import BooleanArray

LENGTH_BANDS = ("1-16k", "16-32k", "32-64k", "64-128k", "over 128k")
"""Bands of context length (u-niah, tables 1, 2 and 4)."""

# A k is 1024 tokens, so that a band holds both ways to say its upper border: 16,000 and 16,384 tokens.
_BORDERS = np.array([16, 32, 64, 128]) * 1024

_AS_THEY_ARE = ("trial_id", "case_id", "missing", "wrong", "judge_scores", "needle_ranks", "needle_split")
_QUESTION = attrgetter(
    *("case_id", "needle_set", "haystack", "context_length", "seed", "document_id"),
    *("origin", "kind", "question_set", "source"),
)
_FACTS = (
    *("sends_context", "is_ceiling", "is_floor", "retrieves"),
    *("best_first", "best_last", "keeps_places"),
)
_NUMBERS = (
    *("depth", "prompt_tokens", "completion_tokens", "cached_tokens", "cost", "latency_s"),
    *("thinking_tokens", "thinking_cost"),
    *("retrieval_completeness", "noise_ratio", "context_tokens"),
)


def trial_frame(
    records: Sequence[TrialRecord],
    samples: Mapping[str, Sample] | None = None,
    traits: Mapping[str, ReaderTraits] | None = None,
) -> DataFrame:
    """One row per record, in the records' order; what a trial has not got, or nobody knows, is NaN or None.

    ``niah export`` names the columns, but for answers, which are left out. These come in addition:

    * score: 1 to 10, of scored trials alone; ``scored`` says which these are
    * value: of a score that a metric gave, on the metric's own scale, 0 to 1; NaN of other judges' scores
    * unsure: whether rules could not decide about a scored trial; lowest, highest: the scores of its
      readings, of every other scored trial its score
    * length_band: the band of ``context_length``, one of ``LENGTH_BANDS``
    * cluster: trials that share luck, numbered as they first appear: of generated samples needle set x seed,
      of given ones the document
    * question: the same number for trials of the same sample, reader and repeat
    * sends_context, is_ceiling, is_floor, retrieves, best_first, best_last, keeps_places: what the strategy
      does, see ``niah.strategies.strategy.Strategy``
    * order: of a retrieving strategy; retrieval: a strategy without its order
    * n_missing, n_wrong: elements, of scored trials; not of questions whose elements nobody has written down
    * n_needles: how many a retriever looked for
    * n_elements: how many a complete answer names
    * reader_size: of the model, in billions of parameters; reasoning: whether it thinks before it answers
    * question_type: of given questions, see ``niah.cases.questions.question_type``
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
    import pandas as pd

    questions = _asked(records)
    reader = categorical(_column(records, "reader"))
    strategy = categorical(_column(records, "strategy"), order=strategy_place)
    repeat = np.fromiter(_told(records, "repeat"), dtype=np.int64)
    scores, facets = _scores(records), _sample_facets(questions, samples or {})
    countable = scores["scored"] & facets.pop("has_elements")
    return pd.DataFrame(
        {
            **{name: _objects(_told(records, name), len(records)) for name in _AS_THEY_ARE},
            "reader": reader,
            **{name: questions.names(name) for name in ("needle_set", "haystack")},
            "strategy": strategy,
            **_grid_places(questions),
            "repeat": repeat,
            **scores,
            **_faults(records, countable),
            **dict(zip(_NUMBERS, _number_columns(records), strict=True)),
            "from_cache": np.fromiter(_told(records, "from_cache"), dtype=np.bool_),
            "question": questions.numbered(reader, repeat),
            **_strategy_facts(strategy),
            **_model_facts(reader, traits or {}),
            **facets,
        },
        copy=False,
    )


def band_places(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each length in tokens its place in ``LENGTH_BANDS``, shape (n,); on a border, the band below it."""
    return np.searchsorted(_BORDERS, lengths, side="left").astype(np.int64)


def categorical(
    values: Sequence[str | None], order: Callable[[str], tuple[int, str]] | None = None
) -> Categorical[str]:
    """``values``, with the names that occur as categories, sorted by ``order``, or as they are."""
    return _listed(values, _categories(values, order))


def category_codes(frame: DataFrame, name: str) -> NDArray[np.int64]:
    """Shape (n,): a categorical column's places in ``category_names``; -1 where it is not known."""
    return coded_column(frame, name).codes.astype(np.int64)


def category_names(frame: DataFrame, name: str) -> tuple[str, ...]:
    """The names of a categorical column, in the order of rows of tables."""
    return coded_column(frame, name).names


def coded_column(frame: DataFrame, name: str) -> Coded[str]:
    """A categorical column as ``row_parts`` takes it."""
    column: Any = frame[name].array
    return Coded(column.codes, tuple(column.categories))


def values_at(frame: DataFrame, name: str, rows: NDArray[np.intp]) -> list[Any]:
    """What a column says in these rows, as plain Python values; NaN where a categorical one says nothing."""
    column: Any = frame[name].array
    if not hasattr(column, "codes"):
        return list(np.asarray(column)[rows].tolist())
    # The code of nothing is -1, and takes the last.
    names = (*column.categories, nan)
    return [names[code] for code in column.codes[rows].tolist()]


def row_groups(
    frame: DataFrame, *by: str, rows: NDArray[np.intp] | None = None
) -> Iterator[tuple[tuple[str, ...], NDArray[np.intp]]]:
    """Names and rows of each group of trials that has any, in the order of the names, the first slowest.

    Args:
        frame: of trials.
        by: categorical columns; a row that has not got one of them is in no group.
        rows: places in the frame, whose order groups keep; all of them without.
    """
    yield from row_parts([coded_column(frame, name) for name in by], rows)


@dataclass(frozen=True)
class TrialLuck:
    """What trials share luck by; all of shape (n,).

    Attributes:
        clusters: needle set x seed, or the given document.
        seeds: over all needle sets, since their background begins in the same place; a document has its own.
        sets: needle sets, and of given documents question sets.
    """

    clusters: NDArray[np.int64]
    seeds: NDArray[np.int64]
    sets: NDArray[np.int64]

    def of_new_seeds(
        self, rows: NDArray[np.intp] | slice = slice(None)
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Clusters, what they share luck by besides, strata: of these rows, for ``bounded_mean`` and others.

        The interval is for new seeds of these needle sets, or new documents of these question sets.
        """
        return self.clusters[rows], self.seeds[rows], self.sets[rows]

    def of_other_sets(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same for needle sets like these, and new seeds."""
        return self.sets[rows], self.seeds[rows]


def trial_luck(frame: DataFrame) -> TrialLuck:
    """Of a frame of trials."""
    from pandas import factorize

    cluster = frame["cluster"].to_numpy(dtype=np.int64)
    seed = frame["seed"].to_numpy(dtype=np.float64, na_value=np.nan)
    needle_sets, question_sets = (category_codes(frame, name) for name in ("needle_set", "question_set"))
    keys = (
        cluster,
        np.where(np.isnan(seed), -1.0 - cluster, seed),
        needle_sets * (question_sets.max(initial=0) + 2) + question_sets,
    )
    # As ``codes`` numbers them: a report asks some forty times.
    return TrialLuck(*(factorize(key)[0].astype(np.int64) for key in keys))


def is_length_grid(frame: DataFrame) -> bool:
    """Whether every length was asked for, so that trials of the same length can be taken together.

    Given documents are as long as they are: they have bands of length in common (``length_band``), no depth,
    and no heatmap.
    """
    return not np.isnan(frame["depth"].to_numpy()).any()


def numbers(values: Iterable[float | None]) -> NDArray[np.float64]:
    """Shape (n,); NaN for None."""
    return np.fromiter(values, dtype=np.float64)


@dataclass(frozen=True)
class _Questions:
    """What was asked: readers, strategies and repeats have most of a run's questions in common.

    Attributes:
        first: a record of each, in the order in which they come.
        at: shape (n,), which of them each row asks.
    """

    first: Sequence[TrialRecord]
    at: NDArray[np.int64]

    def names(self, name: str) -> Categorical[str]:
        """A column of the rows' names."""
        return _names_at(_column(self.first, name), self.at)

    def numbered(self, reader: Categorical[str], repeat: NDArray[np.int64]) -> NDArray[np.int64]:
        """Shape (n,): the column "question": the same number for the same case, reader and repeat."""
        from pandas import factorize

        # A case id leaves the folders of own files out.
        keys = codes((one.case_id, one.needle_set, one.haystack) for one in self.first)[self.at]
        for column in (repeat, np.asarray(reader.codes, dtype=np.int64)):
            keys = keys * (column.max(initial=0) + 1) + column
        return factorize(keys)[0].astype(np.int64)


def _asked(records: Sequence[TrialRecord]) -> _Questions:
    at = codes(map(_QUESTION, records))
    rows = np.unique(at, return_index=True)[1]
    return _Questions([records[row] for row in rows.tolist()], at)


def _number_columns(records: Sequence[TrialRecord]) -> NDArray[np.float64]:
    """Shape (columns, n): those of ``_NUMBERS``, in one pass, since records lie scattered in memory."""
    rows = numbers(chain.from_iterable(map(attrgetter(*_NUMBERS), records)))
    return rows.reshape(len(records), len(_NUMBERS)).T.copy()


def _told(records: Sequence[TrialRecord], name: str) -> Iterator[Any]:
    return map(attrgetter(name), records)


def _column(records: Sequence[TrialRecord], name: str) -> list[Any]:
    return list(_told(records, name))


def _grid_places(questions: _Questions) -> dict[str, Any]:
    """Where in the grid the rows stand."""
    import pandas as pd

    at, seeds = questions.at, _column(questions.first, "seed")
    lengths = np.fromiter(_told(questions.first, "context_length"), dtype=np.int64)
    known = np.array([seed is not None for seed in seeds], dtype=np.bool_)
    return {
        "context_length": lengths[at],
        "length_band": _categorical(band_places(lengths)[at], LENGTH_BANDS),
        "seed": pd.arrays.IntegerArray(np.array([seed or 0 for seed in seeds], np.int64)[at], ~known[at]),
    }


def _scores(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """What became of the rows: their score, and within which bounds rules are sure of it."""
    outcome = _listed(_told(records, "outcome"), OUTCOMES)
    score = np.where(outcome.codes == OUTCOMES.index("scored"), numbers(_told(records, "score")), np.nan)
    scored = ~np.isnan(score)
    readings = {row: each for row, each in enumerate(_told(records, "unsure")) if each and scored[row]}
    # Of the verdict that gives the score; a record may hold no verdicts.
    values = numbers(each[0].value if each else None for each in _told(records, "verdicts"))
    unsure, lowest, highest = np.zeros(len(score), dtype=np.bool_), score.copy(), score.copy()
    for row, each in readings.items():
        unsure[row], lowest[row], highest[row] = True, each.lowest, each.highest
    return {
        "outcome": outcome,
        "scored": scored,
        "score": score,
        "value": np.where(scored, values, np.nan),
        "unsure": unsure,
        "lowest": lowest,
        "highest": highest,
    }


def _faults(records: Sequence[TrialRecord], countable: NDArray[np.bool_]) -> dict[str, Any]:
    """What is wrong with the rows' answers; elements are counted of those that are ``countable``."""
    ranks = _told(records, "needle_ranks")
    return {
        "self_doubt": _yes_or_no(_told(records, "self_doubt")),
        "error_type": _listed(_told(records, "error_type"), ERROR_TYPE_NAMES),
        "n_missing": np.where(countable, numbers(map(len, _told(records, "missing"))), np.nan),
        "n_wrong": np.where(countable, numbers(map(len, _told(records, "wrong"))), np.nan),
        "n_needles": numbers(None if each is None else len(each) for each in ranks),
    }


def _objects(values: Iterable[object], count: int) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=np.object_, count=count)


def _categorical(places: NDArray[np.int64], names: Sequence[str]) -> Categorical[str]:
    import pandas as pd

    found: Categorical[str] = pd.Categorical.from_codes(places, dtype=_dtype(tuple(names)), validate=False)
    return found


@lru_cache(maxsize=256)
def _dtype(names: tuple[str, ...]) -> Any:
    """The ``CategoricalDtype`` of these categories, which frames of many nights have in common."""
    import pandas as pd

    return pd.CategoricalDtype(pd.Index(list(names), dtype="str"))


def _names_at(names: Sequence[str | None], at: NDArray[np.int64]) -> Categorical[str]:
    """A column of the names that stand at these places."""
    categories = _categories(names)
    return _categorical(_places(names, categories)[at], categories)


def _categories(
    names: Iterable[str | None], order: Callable[[str], tuple[int, str]] | None = None
) -> list[str]:
    return sorted({name for name in set(names) if name is not None}, key=order)


def _yes_or_no(answers: Iterable[bool | None], at: NDArray[np.int64] | slice = slice(None)) -> BooleanArray:
    """A column of the answers that stand at these places, all of them without; NA for None."""
    from pandas.arrays import BooleanArray

    places = _places(answers, (False, True))[at]
    return BooleanArray(places == 1, places < 0)


def _listed(values: Iterable[str | None], names: Sequence[str]) -> Categorical[str]:
    """``values`` with ``names`` as categories; what is not among them is NaN."""
    return _categorical(_places(values, names), names)


def _places(values: Iterable[object], names: Sequence[object]) -> NDArray[np.int64]:
    """Shape (n,): of each value its place among ``names``, -1 where it is none of them."""
    places = {name: place for place, name in enumerate(names)}
    return np.fromiter(map(places.get, values, repeated(-1)), dtype=np.int64)


def _strategy_facts(strategy: Categorical[str]) -> dict[str, Any]:
    """What each row's strategy does; one that this version cannot read is taken to retrieve."""
    names, at = list(strategy.categories), np.asarray(strategy.codes, dtype=np.int64)
    strategies = [strategy_of(name) for name in names]
    retrievals = [plan.unordered if (plan := each.retrieval) else each.name for each in strategies]
    return {
        **{name: np.array([getattr(s, name) for s in strategies], dtype=np.bool_)[at] for name in _FACTS},
        "order": _names_at([each.order for each in strategies], at),
        "retrieval": _names_at(retrievals, at),
    }


def _model_facts(reader: Categorical[str], traits: Mapping[str, ReaderTraits]) -> dict[str, Any]:
    """What is said of the model behind each row's reader."""
    own = [traits.get(name, ReaderTraits()) for name in reader.categories]
    at = np.asarray(reader.codes, dtype=np.int64)
    return {
        "reader_size": numbers(each.size for each in own)[at],
        "reasoning": np.array([each.reasoning for each in own], dtype=np.bool_)[at],
    }


def _sample_facets(questions: _Questions, samples: Mapping[str, Sample]) -> dict[str, Any]:
    """What the rows' samples tell, and the cluster that they belong to."""
    first, at = questions.first, questions.at
    own = [samples.get(record.case_id) for record in first]
    elements = [
        record.origin == "generated" or bool(sample and sample.key.elements)
        for record, sample in zip(first, own, strict=True)
    ]
    nested = [bool(sample.passages) if sample else None for sample in own]
    hardness = [sample.case.distractor_hardness if sample and sample.case else None for sample in own]
    return {
        **{
            name: questions.names(name)
            for name in ("origin", "kind", "question_set", "source", "document_id")
        },
        "question_type": _categorical(_places(map(_question_type, own), QUESTION_TYPES)[at], QUESTION_TYPES),
        "has_elements": np.array(elements, dtype=np.bool_)[at],
        "nested": _yes_or_no(nested, at),
        "n_elements": numbers((len(sample.key.elements) or None) if sample else None for sample in own)[at],
        "n_distractors": numbers(len(sample.distractors) if sample else None for sample in own)[at],
        "distractor_hardness": _names_at(hardness, at),
        "cluster": codes(map(cluster_of, first))[at],
    }


def _question_type(sample: Sample | None) -> str | None:
    return question_type(sample.key.question) if sample and sample.origin == "given" else None
