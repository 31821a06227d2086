"""Every figure of a report: a row says what its axes, colours and panels are, and of which trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from niah.analysis.effective_length import SHARE
from niah.analysis.frame import ERROR_WORDS
from niah.analysis.lengths import length_labels
from niah.analysis.pairs import axis_names
from niah.analysis.papers import answer_sides, beside_papers, of_plain_needles
from niah.analysis.stats import DIFFERENCES, SCORES, SHARES, mean_interval
from niah.errors import UnknownName, UserError
from niah.files import naming_what_is_full
from niah.judges.error_types import ERROR_TYPE_NAMES
from niah.plots import charts
from niah.plots.charts import Axis
from niah.plots.labels import SHORT_OUTCOMES, depth_label, outcome_words
from niah.plots.theme import PAGE, Look, file_stem, plain_styles, strategy_styles, themed, write_drawing
from niah.plugins.registry import Registry, error_line
from niah.reference.numbers import published
from niah.strategies.strategy import spoken, strategy_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from pandas import DataFrame, Series

    from niah.analysis.compare import Comparison

_MOST_PANELS = 24
_FEW_SETS = 8
"""So many needle sets, times models, have panels of their own; more are taken together where asked alike."""

Kind = Literal["heatmaps", "lines", "shares", "dots", "points"]

MEASURES: Mapping[str, tuple[str, tuple[float, float]]] = {
    "score": ("mean score", SCORES),
    "lead": ("score less full context's", DIFFERENCES),
    "retrieval_completeness": ("share of needles retrieved", SHARES),
    "every_needle": ("cases with every needle retrieved", SHARES),
    "missing_share": ("missing elements of those asked for", SHARES),
    "extra_share": ("wrong elements of those asked for", SHARES),
}
"""By column whose means are drawn: its name on an axis, and its scale."""


@dataclass(frozen=True)
class Figure:
    """One row of the table of figures; the names of columns are those of ``prepared``.

    Attributes:
        title, caption: for people; the caption says how to read it.
        kind: of chart.
        where: which rows are drawn.
        y: the column whose mean is drawn; several have panels of their own. Of shares, the column they cut.
        x: the column across; of heatmaps ``down`` is the other one.
        series: the column that lines and colours are for.
        panel: the columns that panels are for.
        paper: whose figure it is; drawn on request.
    """

    title: str
    caption: str
    kind: Kind
    where: Callable[[DataFrame], Any] | None = None
    y: tuple[str, ...] = ("score",)
    x: str = "context_length"
    down: str = ""
    series: str = "strategy"
    panel: tuple[str, ...] = ("reader",)
    paper: str = ""


def _planted(frame: DataFrame) -> Series[bool]:
    return frame["depth"].notna()


def _retrieved(frame: DataFrame) -> Series[bool]:
    return frame["retrieves"] & (frame["n_needles"] > 0) & frame["retrieval_completeness"].notna()


def _retrieved_once(frame: DataFrame) -> Any:
    """Orders, readers and repeats retrieve the same."""
    return frame.index.isin(frame[_retrieved(frame)].drop_duplicates(["case_id", "retrieval"]).index)


def _whole(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    return frame["sends_context"] & of_plain_needles(frame, nested=nested)


def _led(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    return frame["retrieves"] & of_plain_needles(frame, nested=nested)


def _errs_with_all(frame: DataFrame) -> Series[bool]:
    wrong = frame["error_type"].notna() & (frame["error_type"] != "correct")
    return _retrieved(frame) & (frame["every_needle"] == 1) & wrong


def _of_readers_with_gaps(frame: DataFrame) -> Any:
    return frame.groupby("reader", observed=True)["scored"].transform(lambda scored: not scored.all())


_U, _LC = "u-niah", "long-context-vs-rag"
_SIDES = ("both", "only full context", "only retrieval", "neither")
_BETTER = ("full context", "neither", "retrieval")
_LEAD, _BY_SET, _A_SET = ("lead",), ("reader", "needle_set"), "A line a needle set."
_LED = "retrieval less full context"

_U_NIAH: Mapping[int, tuple[str, str, Kind, Callable[[DataFrame], Any], dict[str, Any]]] = {
    4: ("full context by length", _A_SET, "lines", _whole, {"series": "needle_set"}),
    5: (
        *("full context by depth", "A line a context length.", "lines", _whole),
        {"x": "depth", "series": "context_length"},
    ),
    6: (
        *("full context", "A heatmap a needle set.", "heatmaps", _whole),
        {"down": "depth", "panel": _BY_SET},
    ),
    7: (_LED, _A_SET, "lines", _led, {"y": _LEAD, "series": "needle_set"}),
    8: (_LED, "A panel a needle set.", "lines", _led, {"y": _LEAD, "panel": _BY_SET}),
    10: (
        *("errors under perfect retrieval", "Shares of the wrong answers.", "shares", _errs_with_all),
        {"y": ("error_type",), "series": "reader", "panel": ("needle_set",)},
    ),
    11: (
        *("missing and wrong elements", "A panel a scope.", "lines", _led),
        {"y": ("missing_share", "extra_share"), "series": "reader", "panel": ("scope",)},
    ),
    13: (
        *("needles in needles, full context", "A panel a haystack.", "lines"),
        lambda frame: _whole(frame, nested=True),
        {"series": "reader", "panel": ("haystack",)},
    ),
    14: (
        *(f"needles in needles, {_LED}", "A line a haystack.", "lines"),
        lambda frame: _led(frame, nested=True),
        {"y": _LEAD, "series": "haystack"},
    ),
}
"""u-niah's figures by number: title, caption, kind, rows, and the rest."""

FIGURES: Mapping[str, Figure] = {
    "heatmaps": Figure(
        "Score by context length and depth",
        "Each cell is the mean score at one length and depth of the first needle; hatched: no score.",
        *("heatmaps", _planted),
        down="depth",
        panel=("reader", "strategy", "needle_sets"),
    ),
    "score-by-length": Figure(
        "Score by context length",
        "A line a strategy; dotted: 85 % of what full context scores at the shortest length.",
        "lines",
        panel=("reader", "sets"),
    ),
    "score-by-tokens": Figure(
        "Score by prompt tokens",
        "Up and to the left is better. The stepped line joins what no strategy beats for fewer tokens;"
        " dotted lines join one retriever's budgets. All strategies of a model are on the same questions.",
        "points",
        x="prompt_tokens",
    ),
    "rag-minus-lc": Figure(
        "Retrieval less full context",
        "Mean difference in score over the same questions; above 0 retrieval is better.",
        *("lines", lambda frame: frame["retrieves"]),
        y=_LEAD,
        panel=("reader", "sets"),
    ),
    "error-types": Figure(
        *(
            "Error types",
            "Shares of the scored answers.",
            "shares",
            lambda frame: frame["error_type"].notna(),
        ),
        y=("error_type",),
    ),
    "retrieval-by-length": Figure(
        "Retrieval by context length",
        "What retrieval finds before any model answers; orders retrieve the same.",
        *("lines", _retrieved_once),
        y=("retrieval_completeness", "every_needle"),
        series="retrieval",
        panel=("needles",),
    ),
    "score-by-depth": Figure(
        *("Score by depth", "A line a strategy, over all lengths: is the middle lost?", "lines", _planted),
        x="depth",
        panel=("reader", "needle_sets"),
    ),
    "score-by-kind": Figure(
        *("Score by kind of question", "Dots with 95 % intervals.", "dots"),
        lambda frame: frame["asked_kind"].notna(),
        x="",
        down="asked_kind",
    ),
    "missing-and-extra": Figure(
        *("Missing and wrong elements", "As shares of the elements that a complete answer names.", "lines"),
        lambda frame: frame["n_elements"] > 1,
        y=("missing_share", "extra_share"),
    ),
    "context-organisation": Figure(
        "How retrieved text is organised",
        "Mean score by how much is retrieved (down) and in which order (across).",
        *("heatmaps", lambda frame: frame["scope"].notna()),
        x="order",
        down="scope",
        panel=("reader", "retriever"),
    ),
    "distractors": Figure(
        *("Score by number of distractors", "A line a strategy.", "lines"),
        lambda frame: frame["n_distractors"].notna(),
        x="n_distractors",
    ),
    "outcomes": Figure(
        *("Outcomes", "Shares of all trials; only scored ones have a score.", "shares"),
        _of_readers_with_gaps,
        y=("outcome",),
    ),
    "beside-papers": Figure(
        "Next to published numbers",
        "The paper's mean and this run's, for the same model, strategy and length.",
        "dots",
        x="",
        down="counterpart",
        series="source",
        panel=("paper",),
        paper="any",
    ),
    **{
        f"u-niah-{number}": Figure(f"u-niah, figure {number}: {title}", says, kind, rows, paper=_U, **more)
        for number, (title, says, kind, rows, more) in _U_NIAH.items()
    },
    **{
        f"lc-vs-rag-{number}": Figure(
            f"long-context-vs-rag, figure {number}: {says} by {of.replace('_', ' ')}",
            *("Shares of the questions.", "shares", lambda frame: frame["side"].notna()),
            y=(column,),
            series=of,
            panel=("reader", "strategy"),
            paper=_LC,
        )
        for number, column, says, of in (
            (3, "side", "which side is right", "knowledge_source"),
            (4, "side", "which side is right", "question_type"),
            (6, "better", "which side is better", "knowledge_source"),
            (7, "better", "which side is better", "question_type"),
        )
    },
}
"""In the order of a report."""


@dataclass(frozen=True)
class Drawn:
    """A figure in memory.

    Attributes:
        name: of its files, without ending.
        title, caption: for people.
        numbers: all that is drawn, a row each.
        drawing: matplotlib's figure.
    """

    name: str
    title: str
    caption: str
    numbers: DataFrame
    drawing: Drawing = field(repr=False)

    def save(self, folder: Path, look: Look = PAGE) -> list[Path]:
        """Write NAME.svg, .png and, of known numbers, .csv; the files. Call it inside ``themed``."""
        paths = [folder / f"{self.name}.{kind}" for kind in ("svg", "png")]
        for path in paths:
            write_drawing(self.drawing, path, path.suffix[1:], look)
        if self.numbers.empty:
            return paths
        numbers, plain = folder / f"{self.name}.csv", self.numbers
        if "depth" in plain and (plain["depth"] % 1 == 0).all():
            plain = plain.astype({"depth": int})  # a depth of 50 is no 50.0
        with naming_what_is_full(str(numbers)):
            numbers.write_text(plain.to_csv(index=False), encoding="utf-8")
        return [*paths, numbers]


def _package_figure(name: str, made: object) -> Callable[[DataFrame], Drawing | None]:
    if not callable(made):
        raise TypeError("it is no function of a DataFrame of trials that returns a matplotlib figure")
    return made


ADDED: Registry[Callable[[DataFrame], Drawing | None]] = Registry("figures", {}, _package_figure)
"""Figures of installed packages: functions of the trials' frame that return a matplotlib figure, or None."""


def figure_names() -> dict[str, str]:
    """What there is to draw, with its title."""
    return {name: each.title for name, each in FIGURES.items()} | {
        name: (make.__doc__ or "").partition("\n")[0] for name, make in ADDED.items()
    }


def prepared(frame: DataFrame) -> DataFrame:
    """The trials with the columns that only figures need; given documents in bands of length."""
    tokens = frame["prompt_tokens"] + frame["first_tokens"].fillna(0)
    facets = [name for name in ("kind", "source", "question_set") if frame[name].nunique() > 1]
    given, completeness = frame["origin"] == "given", frame["retrieval_completeness"]
    few = frame["set"].nunique() * frame["reader"].nunique() <= _FEW_SETS
    return frame.assign(
        sets=frame["set"] if few else frame["sets"],
        needle_sets=frame["sets"],
        context_length=frame["length"],
        lead=frame["score"] - frame["lc"],
        prompt_tokens=tokens.where(tokens > 0),
        every_needle=(completeness == 1).where(completeness.notna()).astype(float),
        missing_share=(frame["n_missing"] / frame["n_elements"]).clip(0, 1),
        extra_share=(frame["n_wrong"] / frame["n_elements"]).clip(0, 1),
        needles=frame["n_needles"],
        asked_kind=frame[facets[0]].astype(object).where(given, None) if facets and given.any() else None,
        **answer_sides(frame),
    )


def score_name(frame: DataFrame) -> str:
    """What an axis of scores is called: with the metric's name where one metric gave them all."""
    scored = frame[frame["scored"]]
    judges = {told[0].judge for told in scored["verdicts"] if told}
    by_metric = len(judges) == 1 and scored["value"].notna().all()
    return f"mean score by {judges.pop()}" if by_metric else "mean score"


def draw_figures(
    frame: DataFrame,
    names: Iterable[str] | None = None,
    paper: str | None = None,
    look: Look = PAGE,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Drawn]:
    """The figures that the trials have data for. Call it inside ``themed``.

    Args:
        frame: of trials, see ``niah.analysis.frame``.
        names: of ``FIGURES`` and ``ADDED``; all of a report without.
        paper: whose figures are drawn too, and whose numbers are set next to the run's.
        look: of all of them.
        say: is called with a line for each figure of an installed package that cannot be drawn.
    """
    trials, score = prepared(frame), score_name(frame)
    of_paper = file_stem(Path(paper).stem) if paper else ""
    fitting = ("", of_paper, "any" if paper else "")
    report = [*(name for name, each in FIGURES.items() if each.paper in fitting), *ADDED]
    for name in names or report:
        if name in FIGURES:
            yield from _draw(name, FIGURES[name], trials, score, paper, look)
            continue
        try:
            if drawing := ADDED.find(name, "figure")(frame):
                title = (ADDED[name].__doc__ or name).partition("\n")[0]
                says = f"Drawn by {ADDED.package(name)}."
                yield Drawn(file_stem(name), title, says, frame.head(0), drawing)
        except UserError:
            raise
        except Exception as error:
            say(f"the figure {name} of {ADDED.package(name)} cannot be drawn: {error_line(error)}.")


def figure_of(frame: DataFrame, run: Path, name: str, look: Look = PAGE) -> list[Drawn]:
    """The figure ``name`` of a run's trials, in parts where it has many panels. Call it inside ``themed``.

    Raises UnknownName, and UserError where the run has no trials for it, or a package's fails.
    """

    def refuse(line: str) -> NoReturn:
        raise UserError(line, "Mend that package.")

    if name not in figure_names():
        raise UnknownName("figure", name, figure_names())
    paper = FIGURES[name].paper if name in FIGURES else ""
    drawn = list(draw_figures(frame, [name], paper or None, look, refuse))
    if not drawn:
        raise UserError(
            f"{run} has no trials for the figure {name}.", "niah list figures says what it is of."
        )
    return drawn


def write_figures(
    frame: DataFrame, run: Path, name: str, out: Path | None, kind: str, look: Look
) -> list[Path]:
    """Write the figure ``name`` of a run's trials to ``out``, or NAME.KIND here; raises as ``figure_of``."""
    paths = []
    with themed(look):
        for each in figure_of(frame, run, name, look):
            part = each.name.removeprefix(name)
            suffix = "" if look.style == "page" else f"--{look.style}"
            paths.append(out.with_stem(out.stem + part) if out else Path(f"{name}{part}{suffix}.{kind}"))
            write_drawing(each.drawing, paths[-1], kind, look)
    return paths


def _draw(
    name: str, figure: Figure, trials: DataFrame, score: str, paper: str | None, look: Look
) -> Iterator[Drawn]:
    """The figure, in parts where one would have too many panels: a part a model, then every 24 panels."""
    if name == "beside-papers":
        numbers = beside_papers(trials, published(None if paper == "any" else paper))
    else:
        kept = figure.where(trials) if figure.where else trials["reader"].notna()
        numbers = _NUMBERS[figure.kind](trials[np.asarray(kept, dtype=bool)], figure)
    if not _says_something(numbers, figure):
        return
    numbers = numbers.assign(panel=_panel_names(numbers, figure))
    parts: list[tuple[Any, DataFrame]] = [("", numbers)]
    if numbers["panel"].nunique() > _MOST_PANELS and "reader" in numbers and numbers["reader"].nunique() > 1:
        parts = list(numbers.groupby("reader", observed=True))
    for reader, own in parts:
        panels = own["panel"].unique()
        title = f"{figure.title}: {reader}" if reader else figure.title
        for start in range(0, len(panels), _MOST_PANELS):
            shown = own[own["panel"].isin(panels[start : start + _MOST_PANELS])]
            stem = file_stem(name, reader) + (f"-{start // _MOST_PANELS + 1}" if start else "")
            drawing = _chart(shown, figure, title, score, look)
            plain = shown.drop(columns=["panel", "text"], errors="ignore")
            yield Drawn(stem, title, figure.caption, plain, drawing)


def _says_something(numbers: DataFrame, figure: Figure) -> bool:
    if numbers.empty:
        return False
    match figure.kind:
        case "lines":
            return numbers[figure.x].nunique() > 1 and bool(numbers["n"].sum())
        case "points":
            return numbers["strategy"].nunique() > 1
        case "dots":
            return len(numbers) > 1
        case "heatmaps" if figure.down != "depth":
            return len(numbers) > 1 and bool(numbers.duplicated([*figure.panel]).any())
    return True


def _panel_names(numbers: DataFrame, figure: Figure) -> Series[str]:
    """The name of each row's panel: the columns in which panels differ."""
    import pandas as pd

    def words(name: str, value: Any) -> str:
        if name == "strategy":
            return spoken(str(value))
        return f"{value:g} needle{'s' if value != 1 else ''}" if name == "needles" else str(value)

    columns = [*(["measure"] if len(figure.y) > 1 and "measure" in numbers else []), *figure.panel]
    told = [name for name in columns if numbers[name].nunique() > 1]
    told = told or (columns[-1:] if figure.panel[0] != "reader" else [])
    if not told:
        return pd.Series("", index=numbers.index)
    parts = [[words(name, value) for value in numbers[name]] for name in told]
    between = "\n" if told[0] == "measure" else " · "
    return pd.Series([between.join(names) for names in zip(*parts, strict=True)], index=numbers.index)


def _means(rows: DataFrame, figure: Figure, keys: Sequence[str]) -> DataFrame:
    """The mean of each measure with its interval, a row for each group of rows that has any."""
    import pandas as pd

    made: list[dict[str, Any]] = []
    for measure in figure.y:
        (name, scale), columns = MEASURES[measure], list(dict.fromkeys([*keys, measure, "cluster"]))
        groups: Any = rows.loc[rows[measure].notna(), columns].groupby(list(keys), observed=True)
        for names, own in groups:
            found = mean_interval(own[measure].to_numpy(), own["cluster"].to_numpy(), scale)
            said: dict[str, Any] = {"measure": name} if len(figure.y) > 1 else {}
            said |= dict(zip(keys, names, strict=True))
            made.append(said | {"mean": found.estimate, "low": found.low, "high": found.high, "n": found.n})
    numbers = pd.DataFrame(made)
    return numbers.astype({"low": float, "high": float}) if made else numbers


def _line_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    return _means(rows, figure, [*figure.panel, figure.series, figure.x])


def _dot_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    return _means(rows, figure, [*figure.panel, figure.down, figure.series])


def _cell_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    """Each cell that was asked: mean, n of trials, and why it has no score."""
    by = rows.groupby([*figure.panel, figure.x, figure.down], observed=True)
    cells = by.agg(mean=("score", "mean"), n=("score", "count"), trials=("score", "size"))
    outcome = by["outcome"].agg(lambda told: told.mode().iloc[0])
    cells["text"] = outcome.map(lambda each: SHORT_OUTCOMES.get(each, "")).astype(object)
    return cells.reset_index()


def _share_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    """How many rows of each series are of each kind, and their share of all."""
    (kind,) = figure.y
    keys = [*figure.panel, figure.series]
    rows = rows[rows[figure.series].notna()]
    counts = rows.groupby([*keys, kind], observed=True).size().rename("trials").reset_index()
    counts["n"] = counts.groupby(keys, observed=True)["trials"].transform("sum")
    return counts.assign(share=counts["trials"] / counts["n"])


def _point_numbers(rows: DataFrame, figure: Figure) -> DataFrame:
    """Mean score and mean tokens of each strategy, over the questions that all of a model's have both of."""
    import pandas as pd

    known = rows[rows["score"].notna() & rows[figure.x].notna()]
    parts: list[DataFrame] = []
    for _, own in known.groupby("reader", observed=True):
        answered = own.groupby("strategy", observed=True)["question"].nunique()
        own = own[own["strategy"].isin(answered[answered >= 0.2 * answered.max()].index)]
        times = own.groupby("question")["strategy"].nunique()
        common = own[own["question"].isin(times[times == own["strategy"].nunique()].index)]
        numbers = _means(common, figure, ["reader", "strategy"])
        if numbers.empty:
            continue
        by = common.groupby("strategy", observed=True)
        numbers.insert(2, figure.x, numbers["strategy"].map(by[figure.x].mean()).astype(float))
        # Ceiling and floor are never on the front: nobody can ship them.
        flags = by[["is_ceiling", "is_floor"]].first().any(axis=1)
        best, front = -np.inf, []
        rising: Any = numbers.sort_values([figure.x, "mean"], ascending=[True, False]).itertuples()
        for point in rising:
            if point.mean > best and not flags[point.strategy]:
                best = point.mean
                front.append(point.Index)
        parts.append(numbers.assign(on_front=numbers.index.isin(front)))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


_NUMBERS: Mapping[Kind, Callable[[DataFrame, Figure], DataFrame]] = {
    "heatmaps": _cell_numbers,
    "lines": _line_numbers,
    "shares": _share_numbers,
    "dots": _dot_numbers,
    "points": _point_numbers,
}


def _chart(numbers: DataFrame, figure: Figure, title: str, score: str, look: Look) -> Drawing:
    name, scale = MEASURES.get(figure.y[0], MEASURES["score"])
    name = score if figure.y == ("score",) else name
    value = Axis(name, ends=None if figure.y == _LEAD else scale)
    value = value if len(figure.y) == 1 else Axis("share", ends=SHARES)
    x = _axis(figure.x, numbers)
    if figure.kind == "heatmaps":
        shown = numbers.rename(columns={figure.x: "x", figure.down: "y"})
        return charts.heatmaps(shown, x, _axis(figure.down, numbers), value, title, look)
    series = [str(each) for each in numbers[figure.series].drop_duplicates()]
    styles = strategy_styles(series) if figure.series == "strategy" else plain_styles(series)
    words: Callable[[str], str] = spoken if figure.series == "strategy" else str
    if figure.series == "context_length":
        lengths = sorted(set(numbers[figure.series].tolist()))
        words = dict(zip(map(str, lengths), length_labels(lengths), strict=True)).__getitem__
    shown = numbers.assign(series=numbers[figure.series].astype(str))
    if figure.kind == "shares":
        kinds = {"error_type": ERROR_TYPE_NAMES, "side": _SIDES, "better": _BETTER}.get(
            figure.y[0], ("scored", *SHORT_OUTCOMES)
        )
        says: Any = {"error_type": ERROR_WORDS.get, "outcome": outcome_words}.get(figure.y[0], str)
        order = [kind for kind in kinds if kind in set(shown[figure.y[0]])]
        return charts.shares(shown.rename(columns={figure.y[0]: "kind"}), order, title, look, words, says)
    if figure.kind == "dots":
        return charts.dots(shown.rename(columns={figure.down: "y"}), value, styles, title, look, words)
    shown = shown.assign(x=numbers[figure.x].astype(float))
    if figure.kind == "points":
        lines = {name: strategy_of(name).family for name in series}
        return charts.points(shown, x, value, styles, title, look, words, lines)
    marked = figure.y == ("score",) and (figure.x, figure.series) == ("context_length", "strategy")
    mark = _effective_marks(numbers) if marked else None
    return charts.lines(shown, x, value, styles, title, look, words, mark)


def _axis(column: str, numbers: DataFrame) -> Axis:
    if column not in numbers:
        return Axis("")
    known = sorted(set(numbers[column].tolist()))
    match column:
        case "context_length":
            ticks = dict(zip(known, length_labels(known), strict=True))
            return Axis("context length (tokens)", ticks, log=True)
        case "depth":
            return Axis("depth of the first needle", {depth: depth_label(depth) for depth in known})
        case "prompt_tokens":
            return Axis("mean prompt tokens of a question, all calls", log=True)
    return Axis(column.replace("_", " ").replace("n ", "number of "))


def _effective_marks(numbers: DataFrame) -> dict[str, float]:
    """By panel, 85 % of full context's score at the shortest length."""
    whole = numbers[[strategy_of(str(name)).sends_context for name in numbers["strategy"]]]
    first = whole.sort_values("context_length").groupby("panel", sort=False)["mean"].first()
    return {str(panel): SHARE * base for panel, base in first.items()}


def score_heatmaps(frame: DataFrame, title: str = "", look: Look = PAGE) -> Drawn | None:
    """The heatmaps of these trials as one figure; None where no question has a depth."""
    figure = FIGURES["heatmaps"]
    trials = prepared(frame)
    numbers = _cell_numbers(trials[_planted(trials)], figure)
    if numbers.empty:
        return None
    numbers = numbers.assign(panel=_panel_names(numbers, figure))
    drawing = _chart(numbers, figure, title or figure.title, score_name(frame), look)
    return Drawn("heatmaps", figure.title, figure.caption, numbers.drop(columns=["panel", "text"]), drawing)


def draw_difference(earlier: DataFrame, later: DataFrame, comparison: Comparison) -> Drawn | None:
    """What two runs, or two models, differ by, by length and depth; None where no question has a depth.

    Frames mark the lengths and depths that the comparison names. Call it inside ``themed``.

    Args:
        earlier, later: trials of both sides; of two models those of either one.
        comparison: of the two.
    """
    keys = ["case_id", "needle_set", "haystack", "strategy", "repeat"]
    keys += [] if comparison.readers else ["reader"]
    both = later[_planted(later)].merge(earlier[[*keys, "score"]], on=keys, suffixes=("", "_earlier"))
    both["difference"] = both["score"] - both["score_earlier"]
    if not both["difference"].notna().any():
        return None
    both["framed"] = False
    verdict = comparison.verdict
    for row in (*verdict.regressions, *filter(None, verdict.cells)):
        if row.measure == "score" and not set(row.parts) <= {"reader", "strategy"}:
            inside = np.ones(len(both), dtype=bool)
            for axis, part in row.parts.items():
                inside &= np.array([name == part for name in axis_names(both, axis)])
            both["framed"] |= inside
    by = both.groupby(["reader", "strategy", "context_length", "depth"], observed=True)
    measures = {"mean": ("difference", "mean"), "n": ("difference", "count"), "framed": ("framed", "any")}
    numbers = by.agg(**measures).reset_index()
    figure = replace(FIGURES["heatmaps"], panel=("reader", "strategy"))
    shown = numbers.assign(x=numbers["context_length"], y=numbers["depth"], text="")
    shown["panel"] = _panel_names(numbers, figure)
    end = max(2.0, float(np.ceil(numbers["mean"].abs().max())))
    names = comparison.readers or (comparison.baseline, comparison.candidate)
    title = f"{Path(names[1]).stem} less {Path(names[0]).stem}, by context length and depth"
    axes = _axis("context_length", numbers), _axis("depth", numbers)
    value = Axis("difference in score", ends=(-end, end))
    drawing = charts.heatmaps(shown, *axes, value, title, PAGE, difference=True)
    caption = "Red is worse, blue is better. Frames: what the comparison names; a colour alone is no finding."
    plain = numbers.rename(columns={"mean": "difference"})
    return Drawn("difference-heatmap", title, caption, plain, drawing)
