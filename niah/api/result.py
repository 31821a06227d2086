"""What Python gets of a run: ``Run``, as data frames, figures, tables and reports, and ``RunPlan``."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.analysis.causes import with_causes
from niah.analysis.frame import run_frame
from niah.analysis.stats import DIFFERENCES, Interval, mean_interval
from niah.analysis.table import TableData
from niah.analysis.tables import make_table, table_names
from niah.api.report import report, run_path
from niah.errors import UnknownName, UserError
from niah.reference.numbers import published
from niah.runs.cost.estimate import Plan
from niah.runs.file.read import RunContents, read_run, read_scored_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from rich.console import Console

    from niah.judges.error_types import ErrorReading
    from niah.plots.report import ReportFiles

_WIDTH = 100
_DPI = 110
_PRE = (
    '<pre style="white-space:pre;overflow-x:auto;line-height:normal;'
    "font-family:Menlo,'DejaVu Sans Mono',Consolas,'Courier New',monospace\">{code}</pre>"
)
_FACETS = {name: name for name in ("reader", "strategy", "depth", "needle_set")} | {
    "length": "context_length"
}


class Printed:
    """What notebooks and consoles show as the command prints it."""

    def _print(self, console: Console) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        text = io.StringIO()
        self._print(_console(text, force_terminal=False, color_system=None))
        return text.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        console = _console(io.StringIO(), record=True, force_terminal=True)
        self._print(console)
        return console.export_html(inline_styles=True, code_format=_PRE)


def _console(file: io.StringIO, **how: Any) -> Console:
    from rich.console import Console

    return Console(file=file, width=_WIDTH, force_jupyter=False, **how)


@dataclass(frozen=True, repr=False, eq=False)
class Run(Printed):
    """What a run file held when it was read, finished or not.

    The arguments reader, strategy, length, depth and needle_set of its methods, each one value or a list, say
    which trials count: all without them. UserError is raised where the run has none of that kind.

    Attributes:
        contents: samples and trials.
        notes: what there was to say while it ran, one line each.
        page: that ``niah run`` wrote of it; None where it wrote none.
    """

    contents: RunContents
    notes: tuple[str, ...] = ()
    page: Path | None = None

    @property
    def path(self) -> Path:
        """The run file."""
        return self.contents.path

    @property
    def name(self) -> str:
        """The file's name without ending."""
        return self.contents.name

    @property
    def is_whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return self.contents.whole

    @property
    def readers(self) -> tuple[str, ...]:
        """The models by name."""
        return tuple(self._trials["reader"].cat.categories)

    @property
    def strategies(self) -> tuple[str, ...]:
        """Those without retrieval first."""
        return tuple(self._trials["strategy"].cat.categories)

    def frame(self) -> DataFrame:
        """A row a trial, in the order planned: the columns of ``niah export``, and some more.

        ``length`` is ``context_length``, ``reason`` the judge's, or why a trial was not scored, ``foreign``
        how many retrieved chunks are none of the context's. Each metric that has judged has a column of its
        name, 0 to 1. What a trial has not got is NaN or None.
        """
        import pandas as pd

        trials = self._trials
        told = zip(trials["reason"], trials["verdicts"], strict=True)
        reasons = [reason or (verdicts[0].reason if verdicts else "") for reason, verdicts in told]
        metrics = pd.DataFrame([each or {} for each in trials["metric_values"]], index=trials.index)
        added = {name: metrics[name] for name in sorted({*metrics} - {*trials})}
        return trials.assign(length=trials["context_length"], reason=reasons, **added)

    def mean(self, **facets: Any) -> Interval:
        """The mean score of the trials that were scored, with its 95 % interval for new seeds.

        run.mean(strategy="lc", length=16_384)
        """
        chosen = self._chosen(**facets)
        scored = chosen[chosen["scored"]]
        if scored.empty:
            raise UserError(f"{self.path}: none of these {len(chosen)} trials was scored.", "Run them first.")
        return mean_interval(scored["score"].to_numpy(), scored["cluster"].to_numpy())

    def lead(self, strategy: str, over: str, **facets: Any) -> Interval:
        """How much higher one strategy scores than another, with its 95 % interval for new seeds.

            run.lead("dos", over="bm25/budget-500/document")

        Compared are trials of the same case, reader and repeat that were both scored.
        """
        if strategy == over:
            problem = f"the arguments strategy and over are both {strategy!r}, which does not lead itself."
            raise UserError(problem, "Name another strategy for over.")
        sides = []
        for name in (strategy, over):
            own = self._chosen(**facets, strategy=name)
            sides.append(own[own["scored"]].set_index("question"))
        both = sides[0].join(sides[1]["score"].rename("score_over"), how="inner")
        if both.empty:
            problem = f"{self.path}: no case was scored with both {strategy} and {over}."
            raise UserError(problem, "Name two strategies that were asked the same.")
        return mean_interval(both["score"] - both["score_over"], both["cluster"], DIFFERENCES)

    def outcomes(self, **facets: Any) -> Counter[str]:
        """How many trials came to each outcome."""
        return Counter(self._chosen(**facets)["outcome"].tolist())

    def heatmap(self, strategy: str | None = None, reader: str | None = None) -> Figure:
        """Mean score by context length and depth; without a strategy, a panel for each."""
        from niah.plots.figures import draw_figures
        from niah.plots.theme import themed

        with themed():
            drawn = next(draw_figures(self._chosen(reader=reader, strategy=strategy), ["heatmaps"]), None)
        if drawn is None:
            remedy = 'Take another figure: run.figure("score-by-length").'
            raise UserError(f"{self.path}: no question of these trials has a depth.", remedy)
        return _displayed(drawn.drawing)

    def figure(self, name: str) -> Figure:
        """A figure of the report by name, such as "score-by-length"; ``figures`` are the names."""
        from niah.plots.figures import figure_of
        from niah.plots.theme import themed

        with themed():
            return _displayed(figure_of(self._trials, self.path, name).drawing)

    def save_figure(
        self,
        name: str,
        path: str | Path | None,
        *,
        style: str = "page",
        width: str | None = None,
        title: bool = True,
        dpi: int | None = None,
        kind: str | None = None,
        **facets: Any,
    ) -> Path:
        """Draw a figure into a file, as ``niah report --figure``; returns its path.

            run.save_figure("score-by-length", "figure-2.pdf", style="paper", title=False)

        The ending of ``path`` says the format, .pdf, .svg or .png; None is NAME with the ending of ``kind``.
        ``style`` is page, paper, slide or dark; ``width`` has its unit ("3.3in", "84mm"); ``title`` says
        whether there is one; ``dpi`` is of a PNG; ``facets`` are reader, strategy ...: only these trials.
        """
        from niah.plots.figures import figure_of
        from niah.plots.theme import figure_target, look_of, themed, write_drawing

        look = look_of(style, width, title, dpi)
        target, form = figure_target(name, Path(path) if path else None, kind, style)
        frame = self._chosen(**facets)
        left = {name: frame[name].cat.remove_unused_categories() for name in ("reader", "strategy")}
        with themed(look):
            drawing = figure_of(frame.assign(**left), self.path, name, look).drawing
            write_drawing(drawing, target, form, look)
        return target

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures that runs may have; only drawing tells which of them have data."""
        from niah.plots.figures import figure_names

        return tuple(figure_names())

    def table(self, name: str) -> DataFrame:
        """A table of the report by name, such as "win-rates"; title and note are in its ``attrs``."""
        import pandas as pd

        contents = self.contents
        trials = with_causes(self._trials, contents.samples)
        data = TableData(trials, published(None))
        table = make_table(name, data)
        if not table.rows:
            problem = f"the table {name} has nothing to say of {self.path}."
            raise UserError(problem, "The docs' page Report says what it needs.")
        frame = pd.DataFrame(list(table.rows), columns=list(table.columns))
        frame.attrs = {"title": table.title, "note": table.note}
        return frame

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that runs may have; one that has nothing to say raises."""
        return tuple(table_names())

    def report(self, folder: str | Path | None = None, reference: str | None = None) -> ReportFiles:
        """Write a page, every figure and every table; into ``plots/RUN`` without a folder."""
        return report(self, folder, reference)

    @cached_property
    def _trials(self) -> DataFrame:
        return run_frame(self.contents)

    def _chosen(self, **facets: Any) -> DataFrame:
        """The trials that have these facets. Raises UserError where there are none."""
        frame = self._trials
        for facet, value in facets.items():
            if facet not in _FACETS:
                raise UnknownName("argument", facet, _FACETS)
            wanted = list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
            column = frame[_FACETS[facet]]
            for each in wanted:
                if not (column == each).any():
                    known = sorted(set(column.dropna().tolist()))
                    raise UnknownName(f"{facet.replace('_', ' ')} in {self.path}", str(each), map(str, known))
            if wanted:
                frame = frame[column.isin(wanted)]
        return frame

    def _print(self, console: Console) -> None:
        from niah.plots.terminal import print_summary

        scored, trials = int(self._trials["scored"].sum()), len(self._trials)
        console.print(f"{self.path}: {scored:,} of {trials:,} trials scored", highlight=False, markup=False)
        print_summary(self._trials, console)
        for line in self.notes:
            console.print(line, style="dim", highlight=False, markup=False, soft_wrap=True)


def _displayed(figure: Figure) -> Figure:
    """The figure, which a notebook shows as a picture, whatever matplotlib's settings."""
    from niah.plots.theme import themed

    def png() -> bytes:
        data = io.BytesIO()
        with themed():
            figure.savefig(data, format="png", dpi=_DPI)
        return data.getvalue()

    vars(figure)["_repr_png_"] = png
    return figure


def load_run(name: str | Path, score: str | None = None, errors: ErrorReading = "niah") -> Run:
    """The run of a run file: its path, or its name in ``runs/``.

        import niah
        niah.load_run("quick").frame()

    ``score`` is the judge whose verdicts are the scores, where another's count; ``errors`` says whose error
    types answers are counted by. Raises UserError where there is no such file, judge or readable run.
    """
    path = run_path(name)
    return Run(read_scored_by(path, score, errors) if score else read_run(path, errors))


@dataclass(frozen=True, repr=False)
class RunPlan(Printed):
    """What a run will take: by reader, judge and embedder; ``judge`` is the judge's name."""

    plan: Plan
    judge: str

    @property
    def calls(self) -> int:
        """Requests, all together."""
        return self.plan.calls

    @property
    def usd(self) -> Decimal | None:
        """US dollars that are expected; None where one price is unknown."""
        return self.plan.usd

    @property
    def refusal(self) -> str:
        """Why ``niah.run`` would not start with its budget; "" where it would."""
        return self.plan.refusal

    def as_dict(self) -> dict[str, Any]:
        """What ``niah plan --json`` prints; None is unknown."""
        from niah.plots.terminal import plan_as_json

        document: dict[str, Any] = json.loads(plan_as_json(self.plan, self.judge))
        return document

    def _print(self, console: Console) -> None:
        from niah.plots.terminal import print_plan

        print_plan(self.plan, self.judge, console)
