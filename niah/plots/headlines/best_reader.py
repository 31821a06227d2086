"""Which reader of a run is best, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from niah.analysis.frame import row_groups, trial_luck
from niah.analysis.stats.bootstrap import paired_difference
from niah.analysis.stats.interval import has_bounds
from niah.plots.headlines.interval_words import lead_words, of_few
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
        return f"{spoken(self.strategy)} {mean_label(self.mean)}"


def best_reader(frame: DataFrame) -> str:
    """Such as "mistral is ahead of phi by 0.6 (95 %: 0.2 to 1.1) over the 92 cases with a score of both, each
    with its best strategy: dos 8.8, full context 8.2"; "" where fewer than two readers have scores.

    Args:
        frame: one run's trials.
    """
    ranking = sorted(_champions(frame), key=lambda each: -each.mean)
    if len(ranking) < 2:
        return ""
    first, second = ranking[:2]
    means = f"each with its best strategy: {first.words}, {second.words}"
    pairs = first.trials.merge(second.trials, on=_SAME_CASE, suffixes=("", "_second"))
    if pairs.empty:
        return f"{first.reader} scores higher than {second.reader}, {means}; no case has a score of both"
    lead = paired_difference(pairs["score"], pairs["score_second"], *trial_luck(pairs).of_new_seeds())
    over = f"over the {len(pairs):,} cases with a score of both, {means}"
    signed = lead_words(lead, signed=True)
    if not has_bounds(lead):
        few = of_few(lead, "needle set and seed")
        return f"{first.reader} against {second.reader}: {signed} {over}{few}"
    if (lead.low or 0) > 0:
        return f"{first.reader} is ahead of {second.reader} by {lead_words(lead)} {over}"
    return f"{first.reader} is not clearly ahead of {second.reader}: {signed} {over}"


def _champions(frame: DataFrame) -> list[_Champion]:
    champions = []
    for (reader,), rows in row_groups(frame, "reader"):
        trials = frame.iloc[rows]
        trials = trials[trials["scored"]]
        own = {name: trials.iloc[places] for (name,), places in row_groups(trials, "strategy")}
        for name in ranked_strategies(own)[:1]:
            champions.append(_Champion(reader, name, fmean(own[name]["score"]), own[name]))
    return champions
