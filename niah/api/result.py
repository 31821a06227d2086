"""What Python gets of a run: ``Run``, as data frames, figures, tables and reports, and ``RunPlan``."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.analysis.causes import with_causes
from niah.analysis.frame import run_frame
from niah.analysis.stats import DIFFERENCES, Interval, mean_interval
from niah.analysis.tables import make_table, table_names
from niah.api.report import report, run_path
from niah.errors import UnknownName, UserError
from niah.reference.numbers import published
from niah.runs.cost.estimate import Plan
from niah.runs.file.read import RunContents, read_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from rich.console import Console

    from niah.plots.report import ReportFiles

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

    def _printed(self, **how: Any) -> Console:
        from rich.console import Console

        console = Console(file=io.StringIO(), record=True, width=100, force_jupyter=False, **how)
        self._print(console)
        return console

    def __repr__(self) -> str:
        return self._printed(force_terminal=False, color_system=None).export_text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self._printed(force_terminal=True).export_html(inline_styles=True, code_format=_PRE)


@dataclass(frozen=True, repr=False, eq=False)
class Run(Printed):
    """What a run file held when it was read, finished or not.

    The arguments reader, strategy, length, depth and needle_set of its methods, each one value or a list, say
    which trials count: all without them. UserError is raised where the run has none of that kind.
    """

    contents: RunContents  # samples and trials
    notes: tuple[str, ...] = ()  # what there was to say while it ran, one line each
    page: Path | None = None  # that ``niah run`` wrote of it

    @property
    def path(self) -> Path:
        """The run file."""
        return self.contents.path

    def frame(self, **facets: Any) -> DataFrame:
        """A row a trial, in the order planned: the columns of ``niah export``, and some more.

        ``length`` is ``context_length``, ``reason`` the judge's, or why a trial was not scored, ``foreign``
        how many retrieved chunks are none of the context's. Each metric that has judged has a column of its
        name, 0 to 1. What a trial has not got is NaN or None.
        """
        import pandas as pd

        trials = self.trials(**facets)
        told = zip(trials["reason"], trials["verdicts"], strict=True)
        reasons = [reason or (verdicts[0].reason if verdicts else "") for reason, verdicts in told]
        metrics = pd.DataFrame([each or {} for each in trials["metric_values"]], index=trials.index)
        added = {name: metrics[name] for name in sorted({*metrics} - {*trials})}
        return trials.assign(length=trials["context_length"], reason=reasons, **added)

    def mean(self, **facets: Any) -> Interval:
        """The mean score of the trials that were scored, with its 95 % interval for new seeds."""
        chosen = self.trials(**facets)
        scored = chosen[chosen["scored"]]
        if scored.empty:
            raise UserError(f"{self.path}: none of these {len(chosen)} trials was scored.", "Run them first.")
        return mean_interval(scored["score"].to_numpy(), scored["cluster"].to_numpy())

    def lead(self, strategy: str, over: str, **facets: Any) -> Interval:
        """How much higher one strategy scores on the same cases than another, with its 95 % interval."""
        if strategy == over:
            problem = f"the arguments strategy and over are both {strategy!r}, which does not lead itself."
            raise UserError(problem, "Name another strategy for over.")
        own, other = (self.trials(**facets, strategy=name) for name in (strategy, over))
        scores = other.loc[other["scored"], ["question", "score"]]
        both = own[own["scored"]].merge(scores, on="question", suffixes=("", "_over"))
        if both.empty:
            problem = f"{self.path}: no case was scored with both {strategy} and {over}."
            raise UserError(problem, "Name two strategies that were asked the same.")
        return mean_interval(both["score"] - both["score_over"], both["cluster"], DIFFERENCES)

    def heatmap(self, strategy: str | None = None, reader: str | None = None) -> Figure:
        """Mean score by context length and depth; without a strategy, a panel for each."""
        return self.figure("heatmaps", strategy=strategy, reader=reader)

    def figure(self, name: str, **facets: Any) -> Figure:
        """A figure of the report by name, such as "score-by-length"; a notebook shows it as a picture."""
        from niah.plots.figures import figure_of
        from niah.plots.theme import themed

        def png() -> bytes:
            data = io.BytesIO()
            with themed():
                figure.savefig(data, format="png", dpi=110)
            return data.getvalue()

        with themed():
            figure: Figure = figure_of(self.trials(**facets), self.path, name).drawing
        vars(figure)["_repr_png_"] = png
        return figure

    def table(self, name: str) -> DataFrame:
        """A table of the report by name, such as "win-rates"; title and note are in its ``attrs``."""
        import pandas as pd

        trials = with_causes(self._trials, self.contents.samples)
        table = make_table(name, trials, published(None))
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

    def trials(self, **facets: Any) -> DataFrame:
        """The frame of ``niah.analysis.frame`` that figures are drawn of. Raises UserError."""
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
        left = {name: frame[name].cat.remove_unused_categories() for name in ("reader", "strategy")}
        return frame.assign(**left)

    def _print(self, console: Console) -> None:
        from niah.plots.terminal import print_summary

        scored, trials = int(self._trials["scored"].sum()), len(self._trials)
        console.print(f"{self.path}: {scored:,} of {trials:,} trials scored", highlight=False, markup=False)
        print_summary(self._trials, console)
        for line in self.notes:
            console.print(line, style="dim", highlight=False, markup=False, soft_wrap=True)


def load_run(name: str | Path, score: str | None = None) -> Run:
    """The run of a run file: its path, or its name in ``runs/``. Raises UserError.

    ``score`` is the judge whose verdicts are the scores, where another's count.
    """
    path = run_path(name)
    return Run(read_run(path, score))


@dataclass(frozen=True, repr=False)
class RunPlan(Printed):
    """What a run will take: by model, judge and application."""

    plan: Plan
    judge: str  # its name

    @property
    def calls(self) -> int:
        """Requests, all together."""
        return self.plan.calls

    @property
    def usd(self) -> Decimal | None:
        """US dollars that are expected; None where one price is unknown."""
        return self.plan.usd

    def as_dict(self) -> dict[str, Any]:
        """What ``niah plan --json`` prints; None is unknown."""
        from niah.plots.terminal import plan_as_json

        document: dict[str, Any] = json.loads(plan_as_json(self.plan, self.judge))
        return document

    def _print(self, console: Console) -> None:
        from niah.plots.terminal import print_plan

        print_plan(self.plan, self.judge, console)
