"""The trials as one pandas DataFrame: what the run file says of each, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd
from pandas import DataFrame, Series

from niah.analysis.lengths import octave, octave_label
from niah.analysis.stats import clusters_of
from niah.cases.questions.datasets import QUESTION_TYPES, question_type
from niah.cases.sample import Sample
from niah.judges.error_types import ERROR_TYPES
from niah.judges.verdict import LOWEST
from niah.readers.reader import ReaderTraits
from niah.runs.file.read import RunContents
from niah.runs.trial import Outcome
from niah.strategies.strategy import strategy_of, strategy_place

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
# Bands of context length (u-niah, tables 1, 2 and 4).
LENGTH_BANDS = ("1-16k", "16-32k", "32-64k", "64-128k", "over 128k")

ERROR_WORDS: Mapping[str, str] = {
    **{name: name.replace("_", " ") for name in ERROR_TYPES},
    "self_doubt_complete": "self-doubt, complete",
    "self_doubt_incomplete": "declined",
}
"""Error types as people read them; "refused" is an outcome."""

_NAMES = ("reader", "needle_set", "haystack", "origin", "kind", "question_set", "source", "document_id")
_NUMBERS = (
    *("depth", "prompt_tokens", "completion_tokens", "cached_tokens", "thinking_tokens", "context_tokens"),
    *("cost", "thinking_cost", "latency_s", "first_tokens", "first_cost"),
    *("retrieval_completeness", "noise_ratio", "score", "turns", "searches", "floor"),
)
_TYPES = {
    **{"context_length": "int64", "repeat": "int64", "from_cache": "bool", "seed": "Int64"},
    **{"self_doubt": "boolean"} | dict.fromkeys(_NUMBERS, "float64"),
}
_FACTS = (
    *("sends_context", "is_oracle", "is_closed_book", "retrieves", "is_deployable", "is_baseline"),
    *("best_first", "best_last", "keeps_places"),
)
_AMOUNTS = ("budget", "noise")


def trial_frame(
    trials: DataFrame,
    samples: Mapping[str, Sample] | None = None,
    traits: Mapping[str, ReaderTraits] | None = None,
) -> DataFrame:
    """One row a trial, in the order given; what a trial has not got, or no one knows, is NaN or None.

    ``trials`` are of one run or several. Without ``samples``, by id, nothing is known of elements and
    question types; ``traits`` are of models. The columns of ``trials`` are there, names as Categoricals in
    the order of tables. Added are:

    * scored: only such a trial has a score; unsure: rules could not decide about it
    * judge: whose verdict is the score; value: of a score by a metric, 0 to 1; metric_values: of every metric
      that has judged, by name
    * length: as asked for, of given documents the upper border of its band, each twice as long as the last;
      length_band: one of ``LENGTH_BANDS``
    * set: the needle set or question set; sets: those asked at the same lengths and depths, in words
    * cluster: trials that share luck, see ``niah.analysis.stats.clusters_of``
    * question: the same number for trials of one sample, reader and repeat; lc: full context's score on it,
      of retrieving trials where both are scored
    * floor: what a guesser gets, see ``niah.cases.sample``; ceiling: ``oracle``'s score on the question
    * sends_context ... is_system, family, budget, noise, order, scope, retriever: see
      ``niah.strategies.strategy.Strategy``; retrieval: the strategy without its order
    * n_missing, n_wrong: elements, of scored trials whose elements are written down; n_elements: how many a
      complete answer names; n_needles: how many a retriever looked for; n_distractors, nested: of the sample
    * asked, needle: the question, and its first needle's text; shuffled: its haystack's order; words: what is
      to be copied, by position; misled_by: distractors whose values the answer names
    * question_type: of given questions; cache, at_once, engine: of models with a stated ``cache``
    """
    frame = trials.assign(**{name: _names(trials[name]) for name in _NAMES}).astype(_TYPES)
    frame["outcome"] = pd.Categorical(frame["outcome"], OUTCOMES)
    frame["error_type"] = pd.Categorical(frame["error_type"], ERROR_TYPES)
    scored = (frame["outcome"] == "scored") & frame["score"].notna()
    frame["scored"], frame["score"] = scored, frame["score"].where(scored)
    frame["unsure"] = frame["unsure"].notna() & scored
    first = [verdicts[0] if verdicts else None for verdicts in frame["verdicts"]]
    frame["judge"] = _names(each and each.judge for each in first)
    values = [each and each.value for each in first]
    frame["value"] = pd.Series(values, index=frame.index, dtype=float).where(scored)
    frame["metric_values"] = frame["verdicts"].map(  # the latest verdict of a judge comes first
        lambda own: {one.judge: one.value for one in own[::-1] if one.value is not None} or None
    )
    frame = frame.assign(**strategy_facts(frame), **_of_samples(frame, samples or {}))
    for name in ("cache", "at_once", "engine"):
        said = {reader: getattr(each, name) for reader, each in (traits or {}).items()}
        frame[name] = frame["reader"].astype(object).map(said)
    countable = scored & frame.pop("has_elements")
    frame["n_missing"] = frame["missing"].map(len).where(countable).astype(float)
    frame["n_wrong"] = frame["wrong"].map(len).where(countable).astype(float)
    frame["n_needles"] = frame["needle_ranks"].map(len, na_action="ignore").astype(float)
    frame["length_band"] = length_bands(frame["context_length"])
    given = frame["origin"] == "given"
    frame["length"] = frame["context_length"].where(~given, frame["context_length"].map(octave)).astype(int)
    frame["set"] = set_names(frame)
    frame["sets"] = _alike(frame)
    frame["cluster"] = clusters_of(frame)
    # A case id leaves the folders of own files out.
    asked = ["case_id", "needle_set", "haystack", "reader", "repeat"]
    frame["question"] = frame.groupby(asked, sort=False, dropna=False, observed=True).ngroup()
    whole = on_question(frame, frame["sends_context"] & scored, frame["score"])
    frame["lc"] = whole.where(frame["retrieves"] & scored)
    ceiling = on_question(frame, frame["is_oracle"] & scored, frame["score"])
    frame["ceiling"] = ceiling.where(~frame["is_oracle"])
    frame["floor"] = frame["floor"].fillna(LOWEST)
    return frame


def on_question(frame: DataFrame, those: Series[bool], values: Series[float]) -> Series[float]:
    """By row the value of the last of ``those`` trials on the same question; NaN without any."""
    last = frame.loc[those, "question"].drop_duplicates(keep="last")
    return frame["question"].map(values[last.index].set_axis(last)).astype(float)


def run_frame(run: RunContents) -> DataFrame:
    """The frame of a run's trials."""
    return trial_frame(run.trials, run.samples, run.traits)


def _names(values: Iterable[Any], order: Callable[[str], tuple[int, str]] | None = None) -> Any:
    """A Categorical of the names that occur, sorted by ``order``, or as they are."""
    texts = [value if isinstance(value, str) else None for value in values]
    names = sorted({name for name in texts if name is not None}, key=order)
    return pd.Categorical(texts, pd.Index(names, dtype="str"))


def strategy_facts(frame: DataFrame) -> dict[str, Any]:
    """What each row's strategy is, also behind a name that the user gave a retriever of their own."""
    at, names = pd.factorize(frame["strategy"].astype(object))
    own = frame[["strategy", "definition"]].astype(object).drop_duplicates()
    definitions = own.drop_duplicates("strategy", keep=False).set_index("strategy")["definition"]
    each = [strategy_of(str(name), definitions.get(name, "")) for name in names]
    plans = [strategy.retrieval for strategy in each]
    words = {
        **{name: [getattr(strategy, name) for strategy in each] for name in ("order", "family")},
        "scope": [str(plan.scope) if plan else None for plan in plans],
        "retriever": [plan.retriever if plan else None for plan in plans],
        "retrieval": [plan.unordered if plan else name for name, plan in zip(names, plans, strict=True)],
    }
    return {
        **{fact: np.array([getattr(one, fact) for one in each], dtype=bool)[at] for fact in _FACTS},
        **{name: np.array([getattr(one, name) for one in each], dtype=float)[at] for name in _AMOUNTS},
        "is_system": np.array([one.system is not None for one in each], dtype=bool)[at],
        "strategy": _names(names, strategy_place)[at],
        **{name: _names(values)[at] for name, values in words.items()},
    }


def _of_samples(frame: DataFrame, samples: Mapping[str, Sample]) -> dict[str, Any]:
    """What the trials' samples say."""
    known = [samples.get(id) for id in frame["case_id"]]
    elements = [len(each.key.elements) if each else 0 for each in known]
    given = {id: sample for id, sample in samples.items() if sample.origin == "given"}
    types = {id: question_type(sample.key.question) for id, sample in given.items()}
    return {
        "n_elements": np.array([count or None for count in elements], dtype=float),
        "n_distractors": np.array([len(each.distractors) if each else None for each in known], dtype=float),
        "nested": pd.array([bool(each.passages) if each else None for each in known], dtype="boolean"),
        "has_elements": (np.array(elements, dtype=int) > 0) | (frame["origin"] == "generated").to_numpy(),
        "asked": [each.key.question if each else "" for each in known],
        "needle": [each.needles[0].text if each and each.needles else None for each in known],
        "shuffled": [each and each.case and each.case.haystack_order == "shuffled" for each in known],
        "words": [
            tuple(one.name for one in each.key.elements) if each and each.key.by_position else None
            for each in known
        ],
        "misled_by": [
            tuple(one.id for one in each.distractors if not set(one.elements).isdisjoint(wrong))
            if each and wrong
            else ()
            for each, wrong in zip(known, frame["wrong"], strict=True)
        ],
        "question_type": pd.Categorical(frame["case_id"].map(types), QUESTION_TYPES),
    }


def set_names(frame: DataFrame) -> Series[Any]:
    """By row the needle set's name, or the question set's; "" without either."""
    needles, questions = (frame[name].astype(object) for name in ("needle_set", "question_set"))
    return needles.fillna(questions).fillna("")


def _alike(frame: DataFrame) -> Series[Any]:
    """By row the sets that are asked at the same lengths and depths: "a, b", or "5 sets from a"."""
    asked = frame.loc[frame["depth"].notna(), ["set", "context_length", "depth"]].drop_duplicates()
    places = asked["context_length"].astype(str) + "/" + asked["depth"].astype(str)
    grids = places.groupby(asked["set"]).agg(frozenset)
    words: dict[str, str] = {}
    for _, alike in grids.groupby(grids):
        sets = sorted(alike.index)
        name = ", ".join(sets) if len(sets) <= 3 else f"{len(sets)} sets from {sets[0]}"
        words |= dict.fromkeys(sets, name)
    return frame["set"].map({name: words.get(name, name) for name in frame["set"].unique()}).astype(object)


def length_bands(lengths: Series[int]) -> Series[Any]:
    """By row which of ``LENGTH_BANDS`` a length in tokens is in."""
    # A k is 1024 tokens, so that a band holds both ways to say its upper border: 16,000 and 16,384 tokens.
    borders = [-np.inf, *(k * 1024 for k in (16, 32, 64, 128)), np.inf]
    return pd.cut(lengths, borders, labels=LENGTH_BANDS, ordered=False)


def lengths_in_words(frame: DataFrame) -> pd.Categorical:
    """By row the length that was asked for, or of a given document its band, "32–64"; in rising order."""
    lengths = [*zip(frame["length"], frame["origin"] != "given", strict=True)]
    words = {each: each[0] if each[1] else octave_label(each[0]) for each in sorted({*lengths})}
    return pd.Categorical([words[each] for each in lengths], [*words.values()])
