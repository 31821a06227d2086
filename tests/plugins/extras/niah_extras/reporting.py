"""A figure and a table; and some that fail."""

from __future__ import annotations

from collections.abc import Iterator

from niah.plugins import FigureData, RenderedFigure, Table, TableData


def draw_score_histogram(data: FigureData) -> Iterator[RenderedFigure]:
    """How many trials have which score."""
    from matplotlib.figure import Figure

    counts = data.frame["score"].dropna().value_counts().sort_index()
    figure = Figure(figsize=(5, 3), layout="constrained")
    axes = figure.subplots()
    axes.bar([str(score) for score in counts.index], counts.to_list(), color="#0072b2")
    axes.set_xlabel("score")
    axes.set_ylabel("trials")
    rows = tuple(
        (score, number) for score, number in zip(counts.index.tolist(), counts.tolist(), strict=True)
    )
    title = "How many trials have which score"
    yield RenderedFigure("score-histogram", title, f"{title}.", "Scores", figure, ("score", "trials"), rows)


def draw_torn(data: FigureData) -> Iterator[RenderedFigure]:
    """Never to be seen."""
    raise ZeroDivisionError("paper torn")


def longest_answers(data: TableData) -> Table:
    """One row per strategy: the most tokens that an answer took."""
    longest = data.frame.groupby("strategy", observed=True)["completion_tokens"].max()
    rows = tuple((str(name), float(tokens)) for name, tokens in longest.items())
    return Table("longest-answers", "Longest answers", ("strategy", "tokens"), rows)


def cursed(data: TableData) -> Table:
    """Never to be read."""
    raise KeyError("no such column")
