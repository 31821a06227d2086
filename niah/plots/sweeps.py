"""Retrieval without a model: completeness by length, and mixture-of-pageranks' figures 3, 6, 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.lengths import length_labels
from niah.analysis.tables import retrieval_means
from niah.plots import charts
from niah.plots.charts import Axis
from niah.plots.figures import Drawn
from niah.plots.theme import PAGE, plain_styles, strategy_styles, themed
from niah.retrieval.mixpr.router import Reach
from niah.retrieval.names import parse_name
from niah.runs.retrieval import RetrievalRecord
from niah.strategies.strategy import spoken, strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame

_ABOUT: Mapping[Reach, str] = {"local": "single facts", "global": "the whole text"}
_SHARE = Axis("share of needles retrieved", ends=(0.0, 1.0))
TIME_STRATEGIES = ("mixpr", "mixpr-0.27/top-100/document", "mixpr-naive/top-100/document", "rag-sparse")


@dataclass(frozen=True)
class Sweep:
    """Retrieval against one setting of MixPR.

    Attributes:
        name, title, caption: of the figure.
        setting: its name on the x axis.
        strategies: that are compared where nobody names others.
        value: what a strategy has of the setting; None for one without it.
        log: whether its values are factors apart.
    """

    name: str
    title: str
    caption: str
    setting: str
    strategies: tuple[str, ...]
    value: Callable[[str], float | None]
    log: bool = False


def _alpha(strategy: str) -> float | None:
    plan = strategy_of(strategy).retrieval
    return parse_name(plan.retriever).alpha if plan else None


def _chunks(strategy: str) -> float | None:
    plan = strategy_of(strategy).retrieval
    return float(plan.scope.size) if plan and plan.scope.kind == "top" else None


ALPHA = Sweep(
    "mixpr-alpha",
    "MixPR: alpha, by what is asked",
    "Alpha is how often the walk goes back to the question (mixture-of-pageranks, figure 3).",
    "alpha",
    tuple(f"mixpr-alpha-{alpha:g}/top-100/document" for alpha in (0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.99)),
    _alpha,
)
K = Sweep(
    "mixpr-k",
    "MixPR: how many sentences are retrieved",
    "More sentences hold more needles and more noise (mixture-of-pageranks, figure 10).",
    "sentences retrieved",
    tuple(f"mixpr/top-{k}/document" for k in (10, 20, 50, 100, 200, 500)),
    _chunks,
    log=True,
)


def draw_sweep(records: Sequence[RetrievalRecord], reaches: Mapping[str, Reach], sweep: Sweep) -> Drawn:
    """Mean completeness over a setting, a line a needle set; ``reaches``: what its question is about."""
    frame = _frame(records)
    frame["x"] = frame["strategy"].map(sweep.value)
    frame = frame[frame["x"].notna() & frame["completeness"].notna()]
    frame["questions"] = frame["needle_set"].fillna("").map(reaches).map(_ABOUT)
    names = dict(
        zip(
            sorted(set(frame["context_length"])),
            length_labels(sorted(set(frame["context_length"]))),
            strict=True,
        )
    )
    frame["panel"] = frame["questions"] + ", " + frame["context_length"].map(names)
    keys = ["questions", "context_length", "needle_set", "panel", "x"]
    means = frame.groupby(keys)["completeness"].agg(mean="mean", n="size").reset_index()
    shown = means.assign(series=means["needle_set"], low=float("nan"), high=float("nan"))
    x = Axis(
        sweep.setting,
        {} if sweep.log else {value: f"{value:g}" for value in sorted(set(means["x"]))},
        log=sweep.log,
    )
    drawing = charts.lines(
        shown, x, _SHARE, plain_styles(list(dict.fromkeys(means["needle_set"]))), sweep.title, PAGE
    )
    numbers = means.drop(columns="panel").rename(
        columns={"x": sweep.setting.replace(" ", "_"), "mean": "completeness"}
    )
    return Drawn(sweep.name, sweep.title, sweep.caption, numbers, drawing)


def draw_times(records: Sequence[RetrievalRecord]) -> Drawn:
    """Median seconds of chunking, scoring and filling, over context length."""
    frame = _frame(records)
    means = (
        frame.groupby(["strategy", "context_length"], sort=False)["seconds"]
        .agg(seconds="median", n="size")
        .reset_index()
    )
    shown = means.assign(panel="", series=means["strategy"], x=means["context_length"], mean=means["seconds"])
    shown = shown.assign(low=float("nan"), high=float("nan"))
    title = "Time to cut, score and retrieve"
    drawing = charts.lines(
        shown,
        _lengths(means),
        Axis("median seconds"),
        strategy_styles(list(frame["strategy"].unique())),
        title,
        PAGE,
        spoken,
    )
    drawing.axes[0].set_yscale("log")
    return Drawn(
        "retrieval-time", title, "Wall time on this machine (mixture-of-pageranks, figure 6).", means, drawing
    )


def draw_router(rates: Mapping[str, Mapping[str, tuple[int, int]]]) -> Drawn:
    """How often a router sends a question to the right expert; ``rates``: (right, asked) by router, kind."""
    import pandas as pd

    rows = [(router, kind, *found) for router, by_kind in rates.items() for kind, found in by_kind.items()]
    numbers = pd.DataFrame(rows, columns=["router", "kind", "right", "asked"])
    shown = numbers.assign(
        panel="", series=numbers["router"], y=numbers["kind"], mean=numbers["right"] / numbers["asked"]
    )
    shown = shown.assign(low=float("nan"), high=float("nan"))
    title = "MixPR's router: questions sent to the right expert"
    drawing = charts.dots(
        shown, Axis("share of questions", ends=(0.0, 1.0)), plain_styles(list(rates)), title, PAGE
    )
    caption = "The whole text is for alpha 0, single facts for 0.6 (mixture-of-pageranks, figure 11)."
    return Drawn("mixpr-router", title, caption, numbers, drawing)


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
