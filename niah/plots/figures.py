"""Every figure of a report: a row says what stands on its axes, colours and panels, and of which trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

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
from niah.strategies.strategy import budget_lines, spoken, strategy_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from pandas import DataFrame, Series

    from niah.analysis.compare import Comparison

_MOST_PANELS = 24
_FEW_SETS = 8
"""So many needle sets, times models, have panels of their own; more are taken together where asked alike."""
_EFFECTIVE = 0.85
"""The share of its short-context score that a model is said to hold (RULER, and niah's effective length)."""

Kind = Literal["heatmaps", "lines", "shares", "dots", "points"]


@dataclass(frozen=True)
class Measure:
    """A column whose means are drawn: its name on an axis, the ends of its scale; without, around 0."""

    name: str
    scale: tuple[float, float]
    around_zero: bool = False

    @property
    def axis(self) -> Axis:
        """Its axis."""
        return Axis(self.name, ends=None if self.around_zero else self.scale)


MEASURES: Mapping[str, Measure] = {
    "score": Measure("mean score", SCORES),
    "lead": Measure("score less full context's", DIFFERENCES, around_zero=True),
    "retrieval_completeness": Measure("share of needles retrieved", SHARES),
    "every_needle": Measure("cases with every needle retrieved", SHARES),
    "missing_share": Measure("missing elements of those asked for", SHARES),
    "extra_share": Measure("wrong elements of those asked for", SHARES),
}


@dataclass(frozen=True)
class Figure:
    """One row of the table of figures; the names of columns are those of ``prepared``.

    Attributes:
        title, caption: for people; the caption says how to read it.
        kind: of chart.
        y: the column whose mean is drawn; several have panels of their own. Of shares, the column they cut.
        x: the column across; of heatmaps ``down`` is the other one.
        series: the column that lines and colours stand for.
        panel: the columns that panels stand for.
        where: which rows are drawn.
        once: rows that are alike in these columns count once.
        needs: what a run must have for it.
        paper: whose figure it is; drawn on request.
    """

    title: str
    caption: str
    kind: Kind
    y: tuple[str, ...] = ("score",)
    x: str = "context_length"
    down: str = ""
    series: str = "strategy"
    panel: tuple[str, ...] = ("reader",)
    where: Callable[[DataFrame], Series[bool]] | None = None
    once: tuple[str, ...] = ()
    needs: str = "It needs several context lengths."
    paper: str = ""


def _retrieved(frame: DataFrame) -> Series[bool]:
    return frame["retrieves"] & (frame["n_needles"] > 0) & frame["retrieval_completeness"].notna()


def _whole(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    return frame["sends_context"] & of_plain_needles(frame, nested=nested)


def _led(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    return frame["retrieves"] & of_plain_needles(frame, nested=nested)


_U, _LC, _GIVEN = (
    "u-niah",
    "long-context-vs-rag",
    "It needs given questions, asked with full context and with retrieval.",
)
_SIDES = ("both", "only full context", "only retrieval", "neither")
_BETTER = ("full context", "neither", "retrieval")

FIGURES: Mapping[str, Figure] = {
    "heatmaps": Figure(
        "Score by context length and depth",
        "Each cell is the mean score at one length and depth of the first needle; hatched: no score.",
        "heatmaps",
        down="depth",
        panel=("reader", "strategy", "needle_sets"),
        where=lambda f: f["depth"].notna(),
        needs="It needs planted needles.",
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
        " dotted lines join one retriever's budgets. All strategies of a model stand on the same questions.",
        "points",
        x="prompt_tokens",
        needs="It needs two strategies.",
    ),
    "rag-minus-lc": Figure(
        "Retrieval less full context",
        "Mean difference in score over the same questions; above 0 retrieval is better.",
        "lines",
        y=("lead",),
        panel=("reader", "sets"),
        where=lambda f: f["retrieves"],
        needs="It needs questions scored with full context (lc) and with retrieval.",
    ),
    "error-types": Figure(
        "Error types",
        "Shares of the scored answers.",
        "shares",
        y=("error_type",),
        where=lambda f: f["error_type"].notna(),
        needs="It needs scored answers.",
    ),
    "retrieval-by-length": Figure(
        "Retrieval by context length",
        "What retrieval finds before any model answers; orders retrieve the same.",
        "lines",
        y=("retrieval_completeness", "every_needle"),
        series="retrieval",
        panel=("needles",),
        where=_retrieved,
        once=("case_id", "retrieval"),
        needs="It needs retrieval, and known needles or evidence.",
    ),
    "score-by-depth": Figure(
        "Score by depth",
        "A line a strategy, over all lengths: is the middle lost?",
        "lines",
        x="depth",
        panel=("reader", "needle_sets"),
        where=lambda f: f["depth"].notna(),
        needs="It needs planted needles at two depths.",
    ),
    "score-by-kind": Figure(
        "Score by kind of question",
        "Dots with 95 % intervals.",
        "dots",
        x="",
        down="asked_kind",
        where=lambda f: f["asked_kind"].notna(),
        needs="It needs given questions of several kinds, sources or sets.",
    ),
    "missing-and-extra": Figure(
        "Missing and wrong elements",
        "As shares of the elements that a complete answer names.",
        "lines",
        y=("missing_share", "extra_share"),
        where=lambda f: f["n_elements"] > 1,
        needs="It needs questions that ask for several elements.",
    ),
    "context-organisation": Figure(
        "How retrieved text is organised",
        "Mean score by how much is retrieved (down) and in which order (across).",
        "heatmaps",
        x="order",
        down="scope",
        panel=("reader", "retriever"),
        where=lambda f: f["scope"].notna(),
        needs="It needs one retriever with two orders or two scopes.",
    ),
    "distractors": Figure(
        "Score by number of distractors",
        "A line a strategy.",
        "lines",
        x="n_distractors",
        where=lambda f: f["n_distractors"].notna(),
        needs="It needs cases with different numbers of distractors.",
    ),
    "outcomes": Figure(
        "Outcomes",
        "Shares of all trials; only scored ones have a score.",
        "shares",
        y=("outcome",),
        where=lambda f: f.groupby("reader", observed=True)["scored"].transform(lambda s: not s.all()),
        needs="It needs trials without a score; here all have one.",
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
        needs="It needs a model, strategy, needle set and length of which the paper has a mean.",
    ),
    "u-niah-4": Figure(
        "u-niah, figure 4: full context by length",
        "A line a needle set.",
        "lines",
        series="needle_set",
        where=_whole,
        paper=_U,
    ),
    "u-niah-5": Figure(
        "u-niah, figure 5: full context by depth",
        "A line a context length.",
        "lines",
        x="depth",
        series="context_length",
        where=_whole,
        paper=_U,
    ),
    "u-niah-6": Figure(
        "u-niah, figure 6: full context",
        "A heatmap a needle set.",
        "heatmaps",
        down="depth",
        panel=("reader", "needle_set"),
        where=_whole,
        paper=_U,
    ),
    "u-niah-7": Figure(
        "u-niah, figure 7: retrieval less full context",
        "A line a needle set.",
        "lines",
        y=("lead",),
        series="needle_set",
        where=_led,
        paper=_U,
    ),
    "u-niah-8": Figure(
        "u-niah, figure 8: retrieval less full context",
        "A panel a needle set.",
        "lines",
        y=("lead",),
        panel=("reader", "needle_set"),
        where=_led,
        paper=_U,
    ),
    "u-niah-10": Figure(
        "u-niah, figure 10: errors under perfect retrieval",
        "Shares of the wrong answers.",
        "shares",
        y=("error_type",),
        series="reader",
        panel=("needle_set",),
        paper=_U,
        where=lambda f: (
            _retrieved(f)
            & (f["every_needle"] == 1)
            & (f["error_type"] != "correct")
            & f["error_type"].notna()
        ),
    ),
    "u-niah-11": Figure(
        "u-niah, figure 11: missing and wrong elements",
        "A panel a scope.",
        "lines",
        y=("missing_share", "extra_share"),
        series="reader",
        panel=("scope",),
        where=_led,
        paper=_U,
    ),
    "u-niah-13": Figure(
        "u-niah, figure 13: needles in needles, full context",
        "A panel a haystack.",
        "lines",
        series="reader",
        panel=("haystack",),
        where=lambda f: _whole(f, nested=True),
        paper=_U,
    ),
    "u-niah-14": Figure(
        "u-niah, figure 14: needles in needles, retrieval less full context",
        "A line a haystack.",
        "lines",
        y=("lead",),
        series="haystack",
        where=lambda f: _led(f, nested=True),
        paper=_U,
    ),
    **{
        f"lc-vs-rag-{number}": Figure(
            f"long-context-vs-rag, figure {number}: {says} by {of.replace('_', ' ')}",
            "Shares of the questions.",
            "shares",
            y=(column,),
            series=of,
            panel=("reader", "strategy"),
            where=lambda f: f["side"].notna(),
            needs=_GIVEN,
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
        numbers = folder / f"{self.name}.csv"
        with naming_what_is_full(str(numbers)):
            plain = self.numbers
            if "depth" in plain and (plain["depth"] % 1 == 0).all():
                plain = plain.astype({"depth": int})  # a depth of 50 is no 50.0
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
        paper: whose figures are drawn too, and whose numbers stand next to the run's.
        look: of all of them.
        say: is called with a line for each figure of an installed package that cannot be drawn.
    """
    trials = prepared(frame)
    of_paper = file_stem(Path(paper).stem) if paper else ""
    wanted = names or [
        *(name for name, each in FIGURES.items() if each.paper in ("", of_paper, "any" if paper else "")),
        *ADDED,
    ]
    for name in wanted:
        if name in FIGURES:
            yield from _draw(name, FIGURES[name], trials, paper, look)
            continue
        try:
            drawing = ADDED.find(name, "figure")(frame)
            if drawing is None:
                continue
            title = (ADDED[name].__doc__ or name).partition("\n")[0]
            yield Drawn(file_stem(name), title, f"Drawn by {ADDED.package(name)}.", frame.head(0), drawing)
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
    paper, needs = (FIGURES[name].paper, FIGURES[name].needs) if name in FIGURES else ("", "")
    drawn = list(draw_figures(frame, [name], paper or None, look, refuse))
    if not drawn:
        raise UserError(f"{run} has no trials for the figure {name}.", needs)
    return drawn


def write_figures(
    frame: DataFrame, run: Path, name: str, out: Path | None, kind: str, look: Look
) -> list[Path]:
    """Write the figure ``name`` of a run's trials to ``out``, or NAME.KIND here; raises as ``figure_of``."""
    with themed(look):
        drawn = figure_of(frame, run, name, look)
        paths = []
        for each in drawn:
            part = each.name.removeprefix(name)
            suffix = "" if look.style == "page" else f"--{look.style}"
            path = out.with_stem(out.stem + part) if out else Path(f"{name}{part}{suffix}.{kind}")
            write_drawing(each.drawing, path, kind, look)
            paths.append(path)
    return paths


def _draw(name: str, figure: Figure, trials: DataFrame, paper: str | None, look: Look) -> Iterator[Drawn]:
    """The figure, in parts where one would have too many panels: a part a model, then every 24 panels."""
    if name == "beside-papers":
        numbers = beside_papers(trials, published(None if paper == "any" else paper))
    else:
        rows = trials[figure.where(trials).fillna(False).astype(bool)] if figure.where else trials
        rows = rows.drop_duplicates(list(figure.once)) if figure.once else rows
        numbers = _NUMBERS[figure.kind](rows, figure)
    if not _says_something(numbers, figure):
        return
    numbers = numbers.assign(panel=_panel_names(numbers, figure))
    by_reader = (
        numbers["panel"].nunique() > _MOST_PANELS and "reader" in numbers and numbers["reader"].nunique() > 1
    )
    parts = (
        [(str(r), own) for r, own in numbers.groupby("reader", observed=True)]
        if by_reader
        else [("", numbers)]
    )
    for reader, own in parts:
        panels = own["panel"].unique()
        for start in range(0, len(panels), _MOST_PANELS):
            shown = own[own["panel"].isin(panels[start : start + _MOST_PANELS])]
            stem = file_stem(name, reader) if reader else name
            stem += f"-{start // _MOST_PANELS + 1}" if start else ""
            title = f"{figure.title}: {reader}" if reader else figure.title
            drawing = _chart(shown, figure, title, look)
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
    """What stands above each panel: the columns in which panels differ."""
    import pandas as pd

    columns = [*(["measure"] if len(figure.y) > 1 and "measure" in numbers else []), *figure.panel]
    told = [name for name in columns if numbers[name].nunique() > 1] or columns[-1:] * (
        figure.panel[0] != "reader"
    )
    if not told:
        return pd.Series("", index=numbers.index)

    def words(name: str, value: Any) -> str:
        if name == "strategy":
            return spoken(str(value))
        return f"{value:g} needle{'s' if value != 1 else ''}" if name == "needles" else str(value)

    parts = [numbers[name].astype(object).map(lambda value, name=name: words(name, value)) for name in told]
    between = "\n" if told[0] == "measure" else " · "
    return pd.Series([between.join(names) for names in zip(*parts, strict=True)], index=numbers.index)


def _means(rows: DataFrame, figure: Figure, keys: Sequence[str]) -> DataFrame:
    """The mean of each measure with its interval, a row for each group of rows that has any."""
    import pandas as pd

    made: list[dict[str, Any]] = []
    for measure in figure.y:
        known = rows[rows[measure].notna()]
        scale = MEASURES[measure].scale
        for names, own in known.groupby(list(keys), observed=True):
            found = mean_interval(own[measure].to_numpy(), own["cluster"].to_numpy(), scale)
            said = dict(zip(keys, names, strict=True))
            if len(figure.y) > 1:
                said = {"measure": MEASURES[measure].name, **said}
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
        takes = common.groupby("strategy", observed=True)[figure.x].mean()
        numbers.insert(2, figure.x, numbers["strategy"].map(takes).astype(float))
        # Ceiling and floor are never on the front: nobody can ship them.
        flags = common.groupby("strategy", observed=True)[["is_ceiling", "is_floor"]].first().any(axis=1)
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


def _chart(numbers: DataFrame, figure: Figure, title: str, look: Look) -> Drawing:
    measure = MEASURES.get(figure.y[0], MEASURES["score"])
    value = measure.axis if len(figure.y) == 1 else Axis("share", ends=SHARES)
    x = _axis(figure.x, numbers)
    if figure.kind == "heatmaps":
        shown = numbers.rename(columns={figure.x: "x", figure.down: "y"})
        return charts.heatmaps(shown, x, _axis(figure.down, numbers), value, title, look)
    series = [str(name) for name in numbers[figure.series].drop_duplicates()]
    is_strategy = figure.series in ("strategy", "retrieval")
    styles = strategy_styles(series) if figure.series == "strategy" else plain_styles(series)
    words = _series_words(figure.series, numbers)
    shown = numbers.assign(series=numbers[figure.series].astype(str))
    if figure.kind == "shares":
        kinds = {"error_type": ERROR_TYPE_NAMES, "side": _SIDES, "better": _BETTER}.get(
            figure.y[0], ("scored", *SHORT_OUTCOMES)
        )
        says: Any = {"error_type": ERROR_WORDS.get, "outcome": outcome_words}.get(figure.y[0], str)
        order = [kind for kind in kinds if kind in set(shown[figure.y[0]])]
        return charts.shares(shown.rename(columns={figure.y[0]: "kind"}), order, title, look, words, says)
    if figure.kind == "dots":
        return charts.dots(shown.rename(columns={figure.down: "y"}), measure.axis, styles, title, look, words)
    shown = shown.assign(x=numbers[figure.x].astype(float))
    if figure.kind == "points":
        lines = budget_lines([strategy_of(name) for name in series])
        return charts.points(shown, x, value, styles, title, look, words, lines)
    mark = (
        _effective_marks(numbers)
        if figure.y == ("score",) and figure.x == "context_length" and is_strategy
        else None
    )
    return charts.lines(shown, x, value, styles, title, look, words, mark)


def _axis(column: str, numbers: DataFrame) -> Axis:
    names = {
        "prompt_tokens": "mean prompt tokens of a question, all calls",
        "depth": "depth of the first needle",
    }
    if column not in numbers:
        return Axis("")
    if column == "context_length":
        lengths = sorted(set(numbers[column].tolist()))
        words = dict(zip(lengths, length_labels(lengths), strict=True))
        return Axis("context length (tokens)", words, log=True)
    if column == "depth":
        return Axis(names[column], {depth: depth_label(depth) for depth in sorted(set(numbers[column]))})
    return Axis(
        names.get(column, column.replace("_", " ").replace("n ", "number of ")), log=column == "prompt_tokens"
    )


def _series_words(column: str, numbers: DataFrame) -> Callable[[str], str]:
    if column == "context_length":
        lengths = sorted(set(numbers[column].tolist()))
        words = dict(zip(map(str, lengths), length_labels(lengths), strict=True))
        return words.__getitem__
    return spoken if column == "strategy" else str


def _effective_marks(numbers: DataFrame) -> dict[str, float]:
    """By panel, 85 % of full context's score at the shortest length."""
    whole = numbers[[strategy_of(str(name)).sends_context for name in numbers["strategy"]]]
    first = whole.sort_values("context_length").groupby("panel", sort=False)["mean"].first()
    return {str(panel): _EFFECTIVE * base for panel, base in first.items()}


def score_heatmaps(frame: DataFrame, title: str = "", look: Look = PAGE) -> Drawn | None:
    """The heatmaps of these trials as one figure; None where no question has a depth."""
    figure = FIGURES["heatmaps"]
    trials = prepared(frame)
    numbers = _cell_numbers(trials[trials["depth"].notna()], figure)
    if numbers.empty:
        return None
    numbers = numbers.assign(panel=_panel_names(numbers, figure))
    drawing = _chart(numbers, replace(figure, title=title or figure.title), title or figure.title, look)
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
    both = later[later["depth"].notna()].merge(earlier[[*keys, "score"]], on=keys, suffixes=("", "_earlier"))
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
    numbers = by.agg(
        mean=("difference", "mean"), n=("difference", "count"), framed=("framed", "any")
    ).reset_index()
    figure = replace(FIGURES["heatmaps"], panel=("reader", "strategy"))
    shown = numbers.assign(
        panel=_panel_names(numbers, figure), x=numbers["context_length"], y=numbers["depth"], text=""
    )
    end = max(2.0, float(np.ceil(numbers["mean"].abs().max())))
    names = comparison.readers or (comparison.baseline, comparison.candidate)
    title = f"{Path(names[1]).stem} less {Path(names[0]).stem}, by context length and depth"
    axes = (
        _axis("context_length", numbers),
        _axis("depth", numbers),
        Axis("difference in score", ends=(-end, end)),
    )
    drawing = charts.heatmaps(shown, *axes, title, PAGE, difference=True)
    caption = "Red is worse, blue is better. Frames: what the comparison names; a colour alone is no finding."
    return Drawn(
        "difference-heatmap", title, caption, numbers.rename(columns={"mean": "difference"}), drawing
    )
