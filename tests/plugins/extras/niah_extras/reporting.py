"""A figure and a table; and some that fail."""

from __future__ import annotations

from matplotlib.figure import Figure
from pandas import DataFrame


def draw_score_histogram(trials: DataFrame) -> Figure:
    """How many trials have which score."""
    counts = trials["score"].dropna().value_counts().sort_index()
    figure = Figure(figsize=(5, 3), layout="constrained")
    axes = figure.subplots()
    axes.bar([str(score) for score in counts.index], counts.to_list(), color="#0072b2")
    axes.set_xlabel("score")
    axes.set_ylabel("trials")
    return figure


def draw_nothing(trials: DataFrame) -> None:
    """Never to be seen: it has no data."""


def draw_torn(trials: DataFrame) -> Figure:
    """Never to be seen."""
    raise ZeroDivisionError("paper torn")


def longest_answers(trials: DataFrame) -> DataFrame:
    """One row per strategy: the most tokens that an answer took."""
    return trials.groupby("strategy", observed=True)["completion_tokens"].max().reset_index()


def cursed(trials: DataFrame) -> DataFrame:
    """Never to be read."""
    raise KeyError("no such column")
