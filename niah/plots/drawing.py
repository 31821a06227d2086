"""The figures of a run's trials, and of what two runs differ by: rows of ``FIGURES``, drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Drawing
from pandas import DataFrame, Series

from niah.analysis.compare import Comparison
from niah.analysis.context_rot import compared, in_places
from niah.analysis.frame import ERROR_WORDS
from niah.analysis.lengths import length_labels
from niah.analysis.pairs import aligned, ends_of, inside, mean_of, pair, values_of
from niah.analysis.papers import answer_sides, of_plain_needles
from niah.analysis.stats import DIFFERENCES, SCORES, SHARES, means_by
from niah.errors import UnknownName, UserError
from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.charts import Axis, Chart, draw
from niah.plots.figures import ADDED, FIGURES, Figure, figure_names
from niah.plots.labels import depth_label, why_unscored
from niah.plots.theme import PAGE, Look, file_stem, plain_styles, strategy_styles
from niah.registry import described, naming_package
from niah.strategies.strategy import display_name

_MOST_PANELS, _FEW_PANELS = 24, 8

MEASURES: Mapping[str, Axis] = {
    "score": Axis("mean score", ends=SCORES),
    "lead": Axis("score minus full context's"),
    "retrieval_completeness": Axis("share of needles retrieved", ends=SHARES),
    "every_needle": Axis("cases with every needle retrieved", ends=SHARES),
    "missing_share": Axis("missing elements of those asked for", ends=SHARES),
    "extra_share": Axis("wrong elements of those asked for", ends=SHARES),
    "in_place": Axis("share of words in their place", ends=SHARES),
}
"""By column whose means are drawn, its axis."""

_PARTS: Mapping[str, Mapping[str, str]] = {
    "error_type": {**ERROR_WORDS, "no_type": "wrong, no type"},  # metrics know no types
    "side": {name: name for name in ("both", "only full context", "only retrieval", "neither")},
    "better": {name: name for name in ("full context", "retrieval", "neither")},
}
"""By column that bars are cut by, the names of their parts in order."""


@dataclass(frozen=True)
class Drawn:
    """A figure in memory."""

    name: str  # of its files, without ending
    title: str
    caption: str
    numbers: DataFrame  # all that is drawn, a row each
    drawing: Drawing = field(repr=False)


def prepared(frame: DataFrame) -> DataFrame:
    """The trials with the columns that only figures need; given documents in bands of length."""
    tokens = frame["prompt_tokens"] + frame["first_tokens"]
    facets = ("kind", "needle_set", "source", "question_set")
    asked = [name for name in facets if frame[name].nunique() > 1]
    completeness = frame["retrieval_completeness"]
    plain, nested = of_plain_needles(frame), of_plain_needles(frame, nested=True)
    retrieved = frame["retrieves"] & (frame["n_needles"] > 0) & completeness.notna()
    once = frame[retrieved].drop_duplicates(["case_id", "retrieval"])  # orders, models and repeats are alike
    untyped = np.where(frame["score"] == HIGHEST, "correct", "no_type")
    errors = frame["error_type"].astype(object).mask(frame["scored"] & frame["error_type"].isna(), untyped)
    return frame.assign(
        context_length=frame["length"],
        lead=frame["score"] - frame["lc"],
        prompt_tokens=tokens.where(tokens > 0),
        every_needle=(completeness == 1).where(completeness.notna()).astype(float),
        missing_share=(frame["n_missing"] / frame["n_elements"]).clip(0, 1),
        extra_share=(frame["n_wrong"] / frame["n_elements"]).clip(0, 1),
        needles=frame["n_needles"],
        asked_kind=frame[asked[0]].astype(object) if asked else None,
        planted=frame["depth"].notna(),
        similarity=compared(frame, "wording")["condition"],
        once=frame.index.isin(once.index),
        several_elements=frame["n_elements"] > 1,
        several_distractors=frame.groupby("set", observed=True)["n_distractors"].transform("nunique") > 1,
        whole=frame["sends_context"] & plain,
        whole_nested=frame["sends_context"] & nested,
        led=frame["retrieves"] & plain,
        led_nested=frame["retrieves"] & nested,
        error_type=pd.Categorical(errors, [*_PARTS["error_type"]]),
        errs_with_all=retrieved & (completeness == 1) & errors.notna() & (errors != "correct"),
        **answer_sides(frame),
    )


def draw_figures(
    frame: DataFrame,
    names: Iterable[str] | None = None,
    paper: str | None = None,
    look: Look = PAGE,
    say: Callable[[str], None] | None = None,
) -> Iterator[Drawn]:
    """The figures that the trials have data for: ``names``, or all of a report. Call it inside ``themed``.

    ``say`` gets a line for each figure of a package that cannot be made; without it UserError is raised.
    """
    trials = prepared(frame)
    fitting = ("", file_stem(Path(paper).stem) if paper else "")
    report = [*ADDED, *(name for name, each in FIGURES.items() if each.paper in fitting)]
    for name in report if names is None else names:
        if name in FIGURES:
            if drawn := _draw(name, trials, look):
                yield drawn
            continue
        package = ADDED.package(name)
        try:
            make = ADDED.find(name, "figure")
            with naming_package(f"figure {name} of {package}"):
                drawing = make(frame.copy())
                if not isinstance(drawing, Drawing | None):
                    raise TypeError(f"it returned {type(drawing).__name__}, not a matplotlib Figure")
        except UserError as error:
            if say is None:
                raise
            say(error.message)
            continue
        if drawing:
            title, caption = described(make) or name, f"Drawn by {package}."
            yield Drawn(file_stem(name), title, caption, frame.head(0), drawing)


def figure_of(frame: DataFrame, run: Path, name: str, look: Look = PAGE) -> Drawn:
    """The figure ``name`` of a run's trials. Call it inside ``themed``. Raises UserError."""
    if name not in figure_names():
        raise UnknownName("figure", name, figure_names())
    if drawn := next(draw_figures(frame, [name], look=look), None):
        return drawn
    says = "niah list figures says what it is of."
    raise UserError(f"{run} has no trials for the figure {name}.", says)


def _draw(name: str, trials: DataFrame, look: Look) -> Drawn | None:
    """The figure of its first 24 panels; None without data."""
    figure = FIGURES[name]
    few = trials["set"].nunique() * trials["reader"].nunique() <= _FEW_PANELS
    if few and name in ("score-by-length", "rag-minus-lc"):
        trials = trials.assign(sets=trials["set"])  # a mean over sets hides which of them falls
    numbers = _numbers(in_places(trials) if figure.down == "position" else trials, figure)
    if not _says_something(numbers, figure):
        return None
    numbers = numbers.assign(panel=_panel_names(numbers, figure))
    panels, caption = numbers["panel"].unique(), figure.caption
    if figure.kind == "points":
        counts = dict.fromkeys(f"{n:,}" for n in (numbers["n"].min(), numbers["n"].max()))
        asked = trials.groupby("reader", observed=True)["question"].nunique().max()
        caption += f" Over the {' to '.join(counts)} of {asked:,} questions that all strategies answered."
    if figure.x == "asked_kind" and trials["kind"].nunique() > 1:
        caption = ""
    if len(panels) > _MOST_PANELS:
        caption += f" {_MOST_PANELS} of {len(panels)} panels; the CSV file has all."
    shown = numbers[numbers["panel"].isin(panels[:_MOST_PANELS])]
    plain = numbers.drop(columns=["panel", "text"], errors="ignore")
    return Drawn(name, figure.title, caption, plain, draw(*_chart(shown, figure, trials), look))


def _says_something(numbers: DataFrame, figure: Figure) -> bool:
    if numbers.empty or figure.kind == "shares":
        return not numbers.empty
    if figure.kind == "heatmaps":
        return figure.down == "depth" or bool(numbers.duplicated([*figure.panel]).any())
    across = figure.x if figure.kind == "lines" else "strategy"
    return numbers[across].nunique() > 1 and bool(numbers["n"].sum())


def _panel_names(numbers: DataFrame, figure: Figure) -> Series[str]:
    """The name of each row's panel: the columns in which panels differ."""
    columns = [*(["measure"] if "measure" in numbers else []), *figure.panel]
    named = [name for name in columns if numbers[name].nunique() > 1]
    named = named or ([] if figure.panel[0] == "reader" else columns[-1:])
    words: dict[str, Any] = {"strategy": display_name, "needles": lambda n: f"{n:g} needle{'s' * (n != 1)}"}
    shown = [numbers[name].astype(object).map(words.get(name, str)) for name in named]
    names = [" · ".join(each) for each in zip(*shown, strict=True)] if shown else ""
    return pd.Series(names, index=numbers.index, dtype=object)


def _numbers(trials: DataFrame, figure: Figure) -> DataFrame:
    """What a figure draws: a row a cell, a point of a line, a part of a bar."""
    rows = trials
    if figure.where:
        kept = trials[figure.where]
        rows = trials[kept if kept.dtype == bool else kept.notna()]
    if figure.kind == "heatmaps":
        keys, of = [*figure.panel, figure.x, figure.down], figure.y[0]
        by = rows.groupby(keys, observed=True)
        cells = by.agg(mean=(of, "mean"), n=(of, "count"), trials=(of, "size"))
        empty = rows[~rows["scored"]].groupby(keys, observed=True)["outcome"].agg(why_unscored)
        return cells.assign(text=empty.astype(object)).reset_index()
    if figure.kind == "shares":
        keys = [*figure.panel, figure.series]
        counts = rows.groupby([*keys, *figure.y], observed=True).size().rename("trials").reset_index()
        counts["n"] = counts.groupby(keys, observed=True)["trials"].transform("sum")
        return counts.assign(share=counts["trials"] / counts["n"])
    if figure.kind == "points":
        return _point_numbers(rows, figure)
    return _means(rows, figure, list(dict.fromkeys([*figure.panel, figure.series, figure.x])))


def _means(rows: DataFrame, figure: Figure, keys: Sequence[str]) -> DataFrame:
    """The mean of each measure with its interval, a row for each group of rows that has any."""
    parts = []
    for measure in figure.y:
        known = rows[rows[measure].notna()]
        scale = MEASURES[measure].ends or DIFFERENCES
        means = means_by(known, keys, measure, scale).drop(columns="clusters")
        if measure == "score":
            means["floor"] = known.groupby(list(keys), observed=True)["floor"].mean()
        means = means.reset_index()
        if len(figure.y) > 1:
            means.insert(0, "measure", MEASURES[measure].name)
        parts.append(means.astype({"low": float, "high": float}))
    return pd.concat(parts, ignore_index=True)


def _point_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    """Mean score and mean tokens of each strategy, over the questions that all of a model's have both of."""
    known = rows[rows["score"].notna() & rows[figure.x].notna()]
    parts: list[DataFrame] = []
    for _, own in known.groupby("reader", observed=True):
        answered = own.groupby("strategy", observed=True)["question"].nunique()
        own = own[own["strategy"].isin(answered[answered >= 0.2 * answered.max()].index)]
        times = own.groupby("question")["strategy"].transform("nunique")
        own = own[times == own["strategy"].nunique()]
        numbers = _means(own, figure, ["reader", "strategy"])
        if numbers.empty:
            continue
        by = own.groupby("strategy", observed=True)
        numbers.insert(2, figure.x, numbers["strategy"].map(by[figure.x].mean()).astype(float))
        # Ceiling and floor are never on the front: no one can ship them.
        is_bound = by[["is_oracle", "is_closed_book"]].first().any(axis=1)
        by_design = numbers["strategy"].map(is_bound).astype(bool)
        rising = numbers[~by_design].sort_values([figure.x, "mean"], ascending=[True, False])["mean"]
        front = rising[rising > rising.cummax().shift(fill_value=-np.inf)].index
        parts.append(numbers.assign(on_front=numbers.index.isin(front)))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _chart(numbers: DataFrame, figure: Figure, trials: DataFrame) -> tuple[DataFrame, Chart]:
    """The numbers under the names that charts have for columns, and how they are drawn."""
    measure = figure.y[0]
    value = Axis("share", ends=SHARES) if len(figure.y) > 1 else MEASURES.get(measure, Axis())
    x, y = _axis(figure.x, numbers), value
    shown = numbers.rename(columns={figure.x: "x", figure.down: "y"})
    if "floor" in shown and shown["floor"].max() == LOWEST:  # nothing to guess
        shown = shown.drop(columns="floor")
    if figure.kind == "heatmaps":
        y = _axis(figure.down, numbers)
        return shown, Chart(figure.kind, figure.title, x, y, colours=value)
    shown["series"] = numbers[figure.series].astype(str)
    series = shown["series"].unique().tolist()
    strategies = trials.drop_duplicates("strategy").set_index("strategy", drop=False)
    more: dict[str, Any] = {"styles": plain_styles(series)}
    if figure.series == "strategy":
        more = {"styles": strategy_styles(strategies), "names": display_name}
    elif figure.series == "retrieval":  # as the first strategy of it, whatever its order
        own = strategies.drop_duplicates("retrieval").set_index("retrieval")["strategy"]
        found = strategy_styles(strategies)
        more["styles"] = {name: {**found[own[name]], "linestyle": "-"} for name in series}
    elif figure.series == "context_length":
        more["names"] = lambda length: length_labels([int(length)])[0]
    if figure.kind == "shares":
        shown, x, y = shown.rename(columns={measure: "kind"}), Axis(), Axis()
        more["kinds"] = _PARTS[measure]
    elif figure.kind == "points":
        shown["family"] = strategies.loc[shown["series"], "family"].astype(str).to_numpy()
    return shown, Chart(figure.kind, figure.title, x, y, **more)


_AXES: Mapping[str, tuple[str, bool, Callable[[list[Any]], Iterable[str]] | None]] = {
    "context_length": ("context length (tokens)", True, length_labels),
    "depth": ("depth of the first needle", False, partial(map, depth_label)),
    "position": ("place in the answer", False, partial(map, depth_label)),
    "strategy": ("", False, partial(map, display_name)),
    "asked_kind": ("", False, None),
    "similarity": ("cosine of question and needle", False, None),
    "prompt_tokens": ("mean prompt tokens of a question, all calls", True, None),
}
"""By column what an axis is called, whether it is logarithmic, and how its values are written."""


def _axis(column: str, numbers: DataFrame) -> Axis:
    plain = column.replace("_", " ").replace("n ", "number of "), False, None
    name, is_log, labels = _AXES.get(column, plain)
    if labels is None or column not in numbers:
        return Axis(name, log=is_log)
    known = sorted(set(numbers[column].tolist()))
    return Axis(name, dict(zip(known, labels(known), strict=True)), log=is_log)


def draw_difference(earlier: Sequence[DataFrame], later: DataFrame, comparison: Comparison) -> Drawn | None:
    """What a run differs by from the mean of earlier ones, by length and depth; None without depths.

    Frames mark the lengths and depths that the comparison names. Call it inside ``themed``.
    """
    baseline, both, *_ = pair(earlier[0], later)
    before = mean_of(baseline, [values_of(baseline), *(aligned(night, both) for night in earlier[1:])])
    ends, difference = ends_of(before)["end"] != "", both["score"].to_numpy() - before["score"].to_numpy()
    both = both.assign(at_end=ends.to_numpy(), difference=difference)[both["depth"].notna()]
    if not both["difference"].notna().any():
        return None
    both["framed"] = False
    verdict = comparison.verdict
    for row in (*verdict.regressions, *filter(None, verdict.cells)):
        if row.measure == "score" and not set(row.parts) <= {"reader", "strategy"}:
            both["framed"] |= inside(both, row.parts)
    by = both.groupby(["reader", "strategy", "context_length", "depth"], observed=True)
    numbers = by["difference"].agg(["mean", "count"]).rename(columns={"count": "n"})
    numbers = numbers.join(by[["framed", "at_end"]].any()).reset_index()
    of_nights = f"the mean of the last {len(earlier)} accepted nights"
    reference = of_nights if comparison.reference else Path(comparison.baseline).stem
    title = f"{Path(comparison.candidate).stem} minus {reference}, by context length and depth"
    figure = replace(FIGURES["heatmaps"], title=title, panel=("reader", "strategy"))
    shown, chart = _chart(numbers.assign(text="", panel=_panel_names(numbers, figure)), figure, later)
    end = max(2.0, float(np.ceil(numbers["mean"].abs().max())))
    drawing = draw(shown, replace(chart, colours=Axis("difference in score", ends=(-end, end))))
    caption = "Red is worse, blue is better; a colour alone is no finding."
    caption += " Frames: what the comparison names." if both["framed"].any() else ""
    if both["at_end"].any():
        caption += " Dots: the earlier score is a guesser's or the ceiling's, within noise."
    numbers = numbers.rename(columns={"mean": "difference"})
    return Drawn("difference-heatmap", title, caption, numbers, drawing)
