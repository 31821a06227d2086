"""Trials as columns, once for all tables, figures and notebooks: one row a trial."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.grouping import OUTCOMES, question_of
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

LENGTH_BANDS = ("1-16k", "16-32k", "32-64k", "64-128k", "over 128k")
"""Bands of context length (u-niah, tables 1, 2 and 4)."""

# A k is 1024 tokens, so that a band holds both ways to say its upper border: 16,000 and 16,384 tokens.
_BORDERS = np.array([16, 32, 64, 128]) * 1024

_AS_THEY_ARE = ("trial_id", "case_id", "missing", "wrong", "judge_scores", "needle_ranks", "needle_split")
_NAMES = ("reader", "needle_set", "haystack")
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

    strategy = categorical(_column(records, "strategy"), order=strategy_place)
    scores, facets = _scores(records), _sample_facets(records, samples or {})
    countable = scores["scored"] & facets.pop("has_elements")
    return pd.DataFrame(
        {
            **{name: _objects(_column(records, name)) for name in _AS_THEY_ARE},
            **{name: categorical(_column(records, name)) for name in _NAMES},
            "strategy": strategy,
            **_grid_places(records),
            **scores,
            **_faults(records, countable),
            **{name: numbers(_column(records, name)) for name in _NUMBERS},
            "from_cache": np.array(_column(records, "from_cache"), dtype=np.bool_),
            "question": codes(map(question_of, records)),
            **_strategy_facts(strategy),
            **_model_facts(records, traits or {}),
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
    return _listed(values, sorted({value for value in values if value is not None}, key=order))


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
    return np.array(list(values), dtype=np.float64)


def _column(records: Sequence[TrialRecord], name: str) -> list[Any]:
    return list(map(attrgetter(name), records))


def _grid_places(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """Where in the grid the rows stand."""
    import pandas as pd

    lengths = np.array(_column(records, "context_length"), dtype=np.int64)
    return {
        "context_length": lengths,
        "length_band": _categorical(band_places(lengths), LENGTH_BANDS),
        "seed": pd.array(_column(records, "seed"), dtype="Int64"),
        "repeat": np.array(_column(records, "repeat"), dtype=np.int64),
    }


def _scores(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """What became of the rows: their score, and within which bounds rules are sure of it."""
    outcome, unsure = _column(records, "outcome"), _column(records, "unsure")
    score = np.where([each == "scored" for each in outcome], numbers(_column(records, "score")), np.nan)
    scored = ~np.isnan(score)

    def bound(name: str) -> NDArray[np.float64]:
        bounds = [getattr(each, name) if each else own for each, own in zip(unsure, score, strict=True)]
        return np.where(scored, bounds, np.nan)

    return {
        "outcome": _listed(outcome, OUTCOMES),
        "scored": scored,
        "score": score,
        "value": np.where(scored, numbers(map(_value, records)), np.nan),
        "unsure": np.array([each is not None for each in unsure], dtype=np.bool_) & scored,
        "lowest": bound("lowest"),
        "highest": bound("highest"),
    }


def _value(record: TrialRecord) -> float | None:
    """What the verdict that gives the score says beside it; None where a record holds no verdicts."""
    return record.verdicts[0].value if record.verdicts else None


def _faults(records: Sequence[TrialRecord], countable: NDArray[np.bool_]) -> dict[str, Any]:
    """What is wrong with the rows' answers; elements are counted of those that are ``countable``."""
    import pandas as pd

    return {
        "self_doubt": pd.array(_column(records, "self_doubt"), dtype="boolean"),
        "error_type": _listed(_column(records, "error_type"), ERROR_TYPE_NAMES),
        "n_missing": np.where(countable, list(map(len, _column(records, "missing"))), np.nan),
        "n_wrong": np.where(countable, list(map(len, _column(records, "wrong"))), np.nan),
        "n_needles": numbers(
            None if each is None else len(each) for each in _column(records, "needle_ranks")
        ),
    }


def _objects(values: Sequence[object]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=np.object_, count=len(values))


def _categorical(places: NDArray[np.int64], names: Sequence[str]) -> Categorical[str]:
    import pandas as pd

    found: Categorical[str] = pd.Categorical.from_codes(places, dtype=_dtype(tuple(names)), validate=False)
    return found


@lru_cache(maxsize=256)
def _dtype(names: tuple[str, ...]) -> Any:
    """The ``CategoricalDtype`` of these categories, which frames of many nights have in common."""
    import pandas as pd

    return pd.CategoricalDtype(pd.Index(list(names), dtype="str"))


def _listed(values: Sequence[str | None], names: Sequence[str]) -> Categorical[str]:
    """``values`` with ``names`` as categories; what is not among them is NaN."""
    places: dict[str | None, int] = {name: place for place, name in enumerate(names)}
    return _categorical(np.array([places.get(value, -1) for value in values], dtype=np.int64), names)


def _strategy_facts(strategy: Categorical[str]) -> dict[str, Any]:
    """What each row's strategy does; one that this version cannot read is taken to retrieve."""
    names, at = list(strategy.categories), np.asarray(strategy.codes, dtype=np.int64)
    strategies = [strategy_of(name) for name in names]
    retrievals = [plan.unordered if (plan := each.retrieval) else each.name for each in strategies]
    return {
        **{name: np.array([getattr(s, name) for s in strategies], dtype=np.bool_)[at] for name in _FACTS},
        "order": categorical([each.order for each in strategies]).take(at),
        "retrieval": categorical(retrievals).take(at),
    }


def _model_facts(records: Sequence[TrialRecord], traits: Mapping[str, ReaderTraits]) -> dict[str, Any]:
    """What is said of the model behind each row's reader."""
    unknown = ReaderTraits()
    own = [traits.get(record.reader, unknown) for record in records]
    return {
        "reader_size": numbers(each.size for each in own),
        "reasoning": np.array([each.reasoning for each in own], dtype=np.bool_),
    }


def _sample_facets(records: Sequence[TrialRecord], samples: Mapping[str, Sample]) -> dict[str, Any]:
    """What the rows' samples tell, and the cluster that they belong to."""
    import pandas as pd

    first: dict[str, TrialRecord] = {}
    places: dict[str, int] = {}
    for record in records:
        first.setdefault(record.case_id, record)
        places.setdefault(record.case_id, len(places))
    at = np.array([places[record.case_id] for record in records], dtype=np.int64)
    own = [samples.get(case_id) for case_id in first]
    elements = [
        record.origin == "generated" or bool(sample and sample.key.elements)
        for record, sample in zip(first.values(), own, strict=True)
    ]
    nested = [bool(sample.passages) if sample else None for sample in own]
    hardness = [sample.case.distractor_hardness if sample and sample.case else None for sample in own]
    return {
        **{
            name: categorical([getattr(record, name) for record in first.values()]).take(at)
            for name in ("origin", "kind", "question_set", "source", "document_id")
        },
        "question_type": _listed([_question_type(sample) for sample in own], QUESTION_TYPES).take(at),
        "has_elements": np.array(elements, dtype=np.bool_)[at],
        "nested": pd.array(nested, dtype="boolean").take(at),
        "n_elements": numbers((len(sample.key.elements) or None) if sample else None for sample in own)[at],
        "n_distractors": numbers(len(sample.distractors) if sample else None for sample in own)[at],
        "distractor_hardness": categorical(hardness).take(at),
        "cluster": codes(map(cluster_of, records)),
    }


def _question_type(sample: Sample | None) -> str | None:
    return question_type(sample.key.question) if sample and sample.origin == "given" else None
