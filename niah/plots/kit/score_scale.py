"""On which scale figures show scores: 1 to 10, or a metric's own, in percent, where it gave them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from niah.judges.verdict import HIGHEST, LOWEST
from niah.runs.file.read_model import RunContents

if TYPE_CHECKING:
    from pandas import DataFrame

SCORED_BY = "scored_by"
"""The entry of a frame's ``attrs`` that names the metric."""

_METRIC: ContextVar[str] = ContextVar("metric", default="")


@contextmanager
def scored_by(metric: str) -> Iterator[None]:
    """Scores that are drawn inside are values of that metric; "" for scores from 1 to 10."""
    token = _METRIC.set(metric)
    try:
        yield
    finally:
        _METRIC.reset(token)


def score_ticks(lowest: float) -> list[tuple[float, str]]:
    """Where ticks stand on an axis of scores from ``lowest`` on, as scores, with their labels."""
    if not _METRIC.get():
        return [(float(score), str(score)) for score in range(int(lowest), HIGHEST + 1)]
    first = int(10 * (lowest - LOWEST) / (HIGHEST - LOWEST))
    step = 2 if first < 4 else 1
    tenths = range(first - first % step, 11, step)
    return [(LOWEST + (HIGHEST - LOWEST) * tenth / 10, f"{10 * tenth} %") for tenth in tenths]


def score_text(score: float) -> str:
    """A tick of a colour bar: the score, or the metric's value."""
    return f"{100 * (score - LOWEST) / (HIGHEST - LOWEST):.0f} %" if _METRIC.get() else f"{score:g}"


def in_its_words(text: str) -> str:
    """A figure's words, in which "mean score" is that of the metric."""
    if not (metric := _METRIC.get()):
        return text
    return text.replace("mean score, 1 to 10", f"mean {metric}").replace("mean score", f"mean {metric}")


def mark_metric(frame: DataFrame, runs: Sequence[RunContents]) -> None:
    """Enter the metric into a frame of runs that were read for its scores, where all trials have a value."""
    names = {run.scored_by for run in runs}
    if len(names) == 1 and frame["value"].notna().equals(frame["scored"]):
        frame.attrs[SCORED_BY] = names.pop()
