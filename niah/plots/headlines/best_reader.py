"""Which reader of a run is best, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from niah.analysis.frame import row_groups
from niah.analysis.stats import Interval, has_bounds, paired_difference
from niah.plots.headlines.interval_words import cluster_words, higher_than, lead_words, of_few, turned
from niah.plots.headlines.ranking import ranked_strategies
from niah.plots.kit.labels import mean_label
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from pandas import DataFrame

_SAME_CASE = ["case_id", "needle_set", "haystack", "repeat"]


@dataclass(frozen=True)
class _Champion:
    """A reader with the strategy that it scores best with; ``trials`` are its scored ones."""

    reader: str
    strategy: str
    mean: float
    trials: DataFrame

    @property
    def words(self) -> str:
        return f"{self.reader} {mean_label(self.mean)} ({spoken(self.strategy)})"

    @property
    def sends_context(self) -> bool:
        return bool(self.trials["sends_context"].any())


def best_reader(frame: DataFrame) -> str:
    """Such as "mistral is ahead of phi by 0.6 (95 %: 0.2 to 1.1) over the 92 cases with a score of both, each
    with its best strategy: mistral 8.8 (dos), phi 8.2 (full context)"; "" where fewer than two readers have
    scores. Where both were asked with full context, and one is clearly ahead with it, that follows.

    Args:
        frame: one run's trials.
    """
    ranking = sorted(_champions(frame), key=lambda each: -each.mean)
    if len(ranking) < 2:
        return ""
    first, second = ranking[:2]
    beside = "" if first.sends_context and second.sends_context else _with_full_context(frame, first, second)
    return f"{_with_best_strategies(first, second)}{beside}"


def _with_best_strategies(first: _Champion, second: _Champion) -> str:
    means = f"each with its best strategy: {first.words}, {second.words}"
    pairs = _pairs(first.trials, second.trials)
    if pairs.empty:
        return f"{first.reader} scores higher than {second.reader}, {means}; no case has a score of both"
    lead = _lead(pairs)
    over = f"over the {len(pairs):,} cases with a score of both, {means}"
    signed = lead_words(lead, signed=True)
    if not has_bounds(lead):
        few = of_few(lead, cluster_words(pairs))
        return f"Not sure: {first.reader} scores {higher_than(lead)} {second.reader} {over}{few}"
    if (lead.low or 0) > 0:
        return f"{first.reader} is ahead of {second.reader} by {lead_words(lead)} {over}"
    return f"{first.reader} is not clearly ahead of {second.reader}: {signed} {over}"


def _with_full_context(frame: DataFrame, first: _Champion, second: _Champion) -> str:
    """Who is ahead where both send everything, if that is clear."""
    trials = frame[frame["scored"] & frame["sends_context"]]
    pairs = _pairs(*(trials[trials["reader"] == each.reader] for each in (first, second)))
    if pairs.empty:
        return ""
    lead, readers = _lead(pairs), (first.reader, second.reader)
    means = mean_label(pairs["score"].mean()), mean_label(pairs["score_second"].mean())
    if has_bounds(lead) and (lead.high or 0) < 0:
        lead, readers, means = turned(lead), readers[::-1], means[::-1]
    if not has_bounds(lead) or (lead.low or 0) <= 0:
        return ""
    return (
        f". With full context each, {readers[0]} is ahead of {readers[1]} by {lead_words(lead)}:"
        f" {means[0]} against {means[1]}"
    )


def _pairs(first: DataFrame, second: DataFrame) -> DataFrame:
    return first.merge(second, on=_SAME_CASE, suffixes=("", "_second"))


def _lead(pairs: DataFrame) -> Interval:
    return paired_difference(pairs["score"], pairs["score_second"], pairs["cluster"])


def _champions(frame: DataFrame) -> list[_Champion]:
    champions = []
    for (reader,), rows in row_groups(frame, "reader"):
        trials = frame.iloc[rows]
        trials = trials[trials["scored"]]
        own = {name: trials.iloc[places] for (name,), places in row_groups(trials, "strategy")}
        for name in ranked_strategies(own)[:1]:
            champions.append(_Champion(reader, name, fmean(own[name]["score"]), own[name]))
    return champions
