"""What there is to know of trials, a column each: numbers and names, without pandas.

``niah.analysis.frame`` makes a DataFrame of them, for tables, figures and notebooks. ``niah compare``, which
needs no more than the columns, does not wait for pandas to be imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from itertools import repeat as repeated
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from niah.analysis.grouping import OUTCOMES
from niah.analysis.row_parts import Coded
from niah.analysis.stats import clusters_of, codes
from niah.cases.questions.review import QUESTION_TYPES, question_type
from niah.cases.sample import Sample
from niah.judges.error_types import ERROR_TYPE_NAMES
from niah.judges.verdict import Verdict
from niah.readers.reader import ReaderTraits
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of, strategy_place

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

LENGTH_BANDS = ("1-16k", "16-32k", "32-64k", "64-128k", "over 128k")
"""Bands of context length (u-niah, tables 1, 2 and 4)."""

# A k is 1024 tokens, so that a band holds both ways to say its upper border: 16,000 and 16,384 tokens.
_BORDERS = np.array([16, 32, 64, 128]) * 1024

_AS_THEY_ARE = (
    "trial_id",
    "case_id",
    "missing",
    "wrong",
    "judge_scores",
    "needle_ranks",
    "needle_split",
    "reused_from",
)
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
    *("thinking_tokens", "thinking_cost", "first_tokens", "first_cost"),
    *("retrieval_completeness", "noise_ratio", "context_tokens"),
)


class Nullable(NamedTuple):
    """A column of whole numbers, or of answers yes and no, that some rows have not got.

    Attributes:
        values: shape (n,); 0 or False where they are missing.
        missing: shape (n,).
    """

    values: NDArray[Any]
    missing: NDArray[np.bool_]


TrialColumn: TypeAlias = "NDArray[Any] | Coded[str] | Nullable"


@dataclass(frozen=True)
class TrialColumns:
    """Trials as columns, one row a trial: ``columns[name]`` is one, as of a DataFrame.

    Attributes:
        columns: by name, all of one length; see ``niah.analysis.frame.trial_frame``.
    """

    columns: Mapping[str, TrialColumn]

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        return len(self.columns["score"])

    @cached_property
    def judges(self) -> frozenset[str]:
        """All that gave any of the trials a score."""
        return judges_of(self["judge_scores"])

    def assign(self, **columns: TrialColumn) -> TrialColumns:
        """With these columns in place of those of the same name, or beside them."""
        return TrialColumns({**self.columns, **columns})

    def rows(self, part: slice) -> TrialColumns:
        """Of these rows alone."""
        return TrialColumns({name: _part(column, part) for name, column in self.columns.items()})


Trials: TypeAlias = "TrialColumns | DataFrame"
"""Both have columns by name: numbers for ``numpy.asarray``, the others for ``niah.analysis.frame``."""


def _part(column: TrialColumn, part: slice) -> TrialColumn:
    if isinstance(column, Coded):
        return Coded(column.codes[part], column.names)
    return Nullable(*(each[part] for each in column)) if isinstance(column, Nullable) else column[part]


def trial_columns(
    records: Sequence[TrialRecord],
    samples: Mapping[str, Sample] | None = None,
    traits: Mapping[str, ReaderTraits] | None = None,
) -> TrialColumns:
    """One row per record, in the records' order; the columns and arguments are those of ``trial_frame``."""
    questions = _asked(records)
    reader = coded(_column(records, "reader"))
    strategy = coded(_column(records, "strategy"), order=strategy_place)
    definitions = _definitions(records, strategy.names)
    repeat = np.fromiter(_told(records, "repeat"), dtype=np.int64)
    verdicts = _column(records, "verdicts")
    # Of the verdict that gives the score; a record may hold no verdicts.
    values = [each[0].value if each else None for each in verdicts]
    scores, facets = _scores(records, values), _sample_facets(questions, samples or {})
    countable = scores["scored"] & facets.pop("has_elements")
    as_they_are = {name: _objects(_told(records, name), len(records)) for name in _AS_THEY_ARE}
    return TrialColumns(
        {
            **as_they_are,
            "metric_values": _objects(map(_metric_values, verdicts, values), len(records)),
            "reader": reader,
            **{name: questions.names(name) for name in ("needle_set", "haystack")},
            "strategy": strategy,
            **_grid_places(questions),
            "repeat": repeat,
            **scores,
            **_faults(records, as_they_are, countable),
            **dict(zip(_NUMBERS, _number_columns(records), strict=True)),
            "from_cache": np.fromiter(_told(records, "from_cache"), dtype=np.bool_),
            "question": questions.numbered(reader, repeat),
            "definition": _names_at(definitions, strategy.codes),
            **_strategy_facts(strategy, definitions),
            **_model_facts(reader, traits or {}),
            **facets,
        }
    )


def coded(values: Sequence[str | None], order: Callable[[str], tuple[int, str]] | None = None) -> Coded[str]:
    """``values``, with the names that occur, sorted by ``order``, or as they are."""
    return _listed(values, _sorted_names(values, order))


def judges_of(judge_scores: Iterable[Mapping[str, float] | None]) -> frozenset[str]:
    """All judges in a column of what they gave each trial."""
    return frozenset(chain.from_iterable(filter(None, judge_scores)))


def band_places(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each length in tokens its place in ``LENGTH_BANDS``, shape (n,); on a border, the band below it."""
    return np.searchsorted(_BORDERS, lengths, side="left").astype(np.int64)


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

    def names(self, name: str) -> Coded[str]:
        """A column of the rows' names."""
        return _names_at(_column(self.first, name), self.at)

    def numbered(self, reader: Coded[str], repeat: NDArray[np.int64]) -> NDArray[np.int64]:
        """Shape (n,): the column "question": the same number for the same case, reader and repeat."""
        # A case id leaves the folders of own files out.
        keys = codes((one.case_id, one.needle_set, one.haystack) for one in self.first)[self.at]
        for column in (repeat, reader.codes):
            keys = keys * (column.max(initial=0) + 1) + column
        return codes(keys.tolist())


def _asked(records: Sequence[TrialRecord]) -> _Questions:
    at = codes(map(_QUESTION, records))
    rows = np.unique(at, return_index=True)[1]
    return _Questions([records[row] for row in rows.tolist()], at)


def _number_columns(records: Sequence[TrialRecord]) -> NDArray[np.float64]:
    """Shape (columns, n): those of ``_NUMBERS``, in one pass, since records lie scattered in memory."""
    rows = numbers(chain.from_iterable(map(attrgetter(*_NUMBERS), records)))
    return rows.reshape(len(records), len(_NUMBERS)).T.copy()


def _metric_values(verdicts: Sequence[Verdict], first: float | None) -> dict[str, float] | None:
    """Of each metric among the judges the latest value; the latest verdict of a judge stands first.

    Most trials have one verdict, which is no metric's: its value, ``first``, says so.
    """
    if first is None and len(verdicts) < 2:
        return None
    latest = {each.judge: each.value for each in reversed(verdicts) if each.value is not None}
    return latest or None


def _told(records: Sequence[TrialRecord], name: str) -> Iterator[Any]:
    return map(attrgetter(name), records)


def _column(records: Sequence[TrialRecord], name: str) -> list[Any]:
    return list(_told(records, name))


def _grid_places(questions: _Questions) -> dict[str, Any]:
    """Where in the grid the rows stand."""
    at, seeds = questions.at, _column(questions.first, "seed")
    lengths = np.fromiter(_told(questions.first, "context_length"), dtype=np.int64)
    known = np.array([seed is not None for seed in seeds], dtype=np.bool_)
    return {
        "context_length": lengths[at],
        "length_band": Coded(band_places(lengths)[at], LENGTH_BANDS),
        "seed": Nullable(np.array([seed or 0 for seed in seeds], np.int64)[at], ~known[at]),
    }


def _scores(records: Sequence[TrialRecord], values: Iterable[float | None]) -> dict[str, Any]:
    """What became of the rows: their score, and within which bounds rules are sure of it.

    Args:
        records: one a row.
        values: of the verdicts that give the scores.
    """
    outcome = _listed(_told(records, "outcome"), OUTCOMES)
    score = np.where(outcome.codes == OUTCOMES.index("scored"), numbers(_told(records, "score")), np.nan)
    scored = ~np.isnan(score)
    readings = {row: each for row, each in enumerate(_told(records, "unsure")) if each and scored[row]}
    unsure, lowest, highest = np.zeros(len(score), dtype=np.bool_), score.copy(), score.copy()
    for row, each in readings.items():
        unsure[row], lowest[row], highest[row] = True, each.lowest, each.highest
    return {
        "outcome": outcome,
        "scored": scored,
        "score": score,
        "value": np.where(scored, numbers(values), np.nan),
        "unsure": unsure,
        "lowest": lowest,
        "highest": highest,
    }


def _faults(
    records: Sequence[TrialRecord], told: Mapping[str, NDArray[np.object_]], countable: NDArray[np.bool_]
) -> dict[str, Any]:
    """What is wrong with the rows' answers; elements are counted of those that are ``countable``."""
    return {
        "self_doubt": _yes_or_no(_told(records, "self_doubt")),
        "error_type": _listed(_told(records, "error_type"), ERROR_TYPE_NAMES),
        "n_missing": np.where(countable, _lengths(told["missing"]), np.nan),
        "n_wrong": np.where(countable, _lengths(told["wrong"]), np.nan),
        "n_needles": numbers([None if each is None else len(each) for each in told["needle_ranks"].tolist()]),
    }


def _lengths(values: NDArray[np.object_]) -> NDArray[np.int64]:
    return np.fromiter(map(len, values.tolist()), dtype=np.int64)


def _objects(values: Iterable[object], count: int) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=np.object_, count=count)


def _names_at(names: Sequence[str | None], at: NDArray[np.int64]) -> Coded[str]:
    """A column of the names that stand at these places."""
    known = _sorted_names(names)
    return Coded(_places(names, known)[at], known)


def _sorted_names(
    names: Iterable[str | None], order: Callable[[str], tuple[int, str]] | None = None
) -> tuple[str, ...]:
    return tuple(sorted({name for name in set(names) if name is not None}, key=order))


def _yes_or_no(answers: Iterable[bool | None], at: NDArray[np.int64] | slice = slice(None)) -> Nullable:
    """A column of the answers that stand at these places, all of them without."""
    places = _places(answers, (False, True))[at]
    return Nullable(places == 1, places < 0)


def _listed(values: Iterable[str | None], names: Sequence[str]) -> Coded[str]:
    """``values`` as places in ``names``."""
    return Coded(_places(values, names), tuple(names))


def _places(values: Iterable[object], names: Sequence[object]) -> NDArray[np.int64]:
    """Shape (n,): of each value its place among ``names``, -1 where it is none of them."""
    places = {name: place for place, name in enumerate(names)}
    return np.fromiter(map(places.get, values, repeated(-1)), dtype=np.int64)


def _definitions(records: Sequence[TrialRecord], names: Sequence[str]) -> tuple[str, ...]:
    """What is behind each name; the name itself where no record says so, or records say different things."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for name, definition in set(map(attrgetter("strategy", "definition"), records)):
        found[name].add(definition)
    return tuple((own.pop() if len(own) == 1 else "") or name for name, own in found.items())


def _strategy_facts(strategy: Coded[str], definitions: Sequence[str]) -> dict[str, Any]:
    """What each row's strategy does; one that this version cannot read is taken to retrieve."""
    at, strategies = strategy.codes, list(map(strategy_of, strategy.names, definitions))
    retrievals = [plan.unordered if (plan := each.retrieval) else each.name for each in strategies]
    return {
        **{name: np.array([getattr(s, name) for s in strategies], dtype=np.bool_)[at] for name in _FACTS},
        "order": _names_at([each.order for each in strategies], at),
        "retrieval": _names_at(retrievals, at),
    }


def _model_facts(reader: Coded[str], traits: Mapping[str, ReaderTraits]) -> dict[str, Any]:
    """What is said of the model behind each row's reader."""
    own = [traits.get(name, ReaderTraits()) for name in reader.names]
    return {
        "reader_size": numbers(each.size for each in own)[reader.codes],
        "reasoning": np.array([each.reasoning for each in own], dtype=np.bool_)[reader.codes],
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
        "question_type": Coded(_places(map(_question_type, own), QUESTION_TYPES)[at], QUESTION_TYPES),
        "has_elements": np.array(elements, dtype=np.bool_)[at],
        "nested": _yes_or_no(nested, at),
        "n_elements": numbers((len(sample.key.elements) or None) if sample else None for sample in own)[at],
        "n_distractors": numbers(len(sample.distractors) if sample else None for sample in own)[at],
        "distractor_hardness": _names_at(hardness, at),
        "cluster": clusters_of(*(_column(first, name) for name in ("needle_set", "seed", "document_id")))[at],
    }


def _question_type(sample: Sample | None) -> str | None:
    return question_type(sample.key.question) if sample and sample.origin == "given" else None
