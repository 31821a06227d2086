"""The strategies of a reader that somebody could ship, best first."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isnan
from statistics import fmean
from typing import TYPE_CHECKING

from niah.analysis.frame import is_length_grid
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame


def ranked_strategies(scored: Mapping[str, DataFrame]) -> list[str]:
    """The names of the strategies that can be deployed, by mean score, the highest first; of two with the
    same mean, the one that reads less.

    One without a score at a length at which others have one is left out: a reader whose window is too small
    for the longest context has its full context's mean of shorter ones alone.

    Args:
        scored: one reader's scored trials by strategy, at least one each.
    """
    means = {
        name: fmean(trials["score"]) for name, trials in scored.items() if strategy_of(name).is_deployable
    }
    lengths = {name: _lengths(scored[name]) for name in means}
    everywhere = frozenset[int]().union(*lengths.values())
    whole = [name for name in means if lengths[name] == everywhere]
    return sorted(whole or means, key=lambda name: (-means[name], _tokens(scored[name])))


def _tokens(trials: DataFrame) -> float:
    """A prompt's, on the average; without end where nobody counted."""
    tokens = trials["prompt_tokens"].mean()
    return inf if isnan(tokens) else float(tokens)


def _lengths(trials: DataFrame) -> frozenset[int]:
    """Those asked for; none of given documents, which are as long as they are."""
    return frozenset(trials["context_length"].tolist()) if is_length_grid(trials) else frozenset()
