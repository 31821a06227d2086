"""Retrieval without a model: completeness by context length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.lengths import length_labels
from niah.analysis.tables import retrieval_means
from niah.plots import charts
from niah.plots.charts import Axis
from niah.plots.figures import Drawn
from niah.plots.theme import PAGE, strategy_styles, themed
from niah.runs.retrieval import RetrievalRecord
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from pandas import DataFrame

_SHARE = Axis("share of needles retrieved", ends=(0.0, 1.0))


def save_retrieval(records: Sequence[RetrievalRecord], folder: Path) -> list[Path]:
    """Draw retrieval.png, .svg and .csv into ``folder``; no files where no case has needles."""
    import pandas as pd

    frame = _frame(records)
    frame = frame[frame["needles"] > 0]
    if frame.empty:
        return []
    parts = [retrieval_means(own, "context_length").assign(needles=n) for n, own in frame.groupby("needles")]
    means = pd.concat(parts, ignore_index=True)
    panels = means["needles"].map(lambda n: f"{n} needle{'s' if n > 1 else ''}")
    shown = means.assign(
        panel=panels,
        series=means["strategy"].astype(str),
        x=means["context_length"],
        mean=means["completeness"],
    )
    shown = shown.assign(low=float("nan"), high=float("nan"))
    styles = strategy_styles(list(frame["strategy"].unique()))
    title = "Retrieval completeness by context length"
    with themed():
        drawing = charts.lines(shown, _lengths(means), _SHARE, styles, title, PAGE, spoken)
        return Drawn("retrieval", title, "No model was asked.", means, drawing).save(folder)


def _frame(records: Sequence[RetrievalRecord]) -> DataFrame:
    import pandas as pd

    return pd.DataFrame([asdict(record) for record in records])


def _lengths(means: DataFrame) -> Axis:
    lengths = sorted(set(means["context_length"].tolist()))
    return Axis("context length (tokens)", dict(zip(lengths, length_labels(lengths), strict=True)), log=True)
