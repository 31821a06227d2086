"""What Python gets of a run: ``Run``, its frames, figures, tables, ``niah.report``; and ``RunPlan``."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.analysis.reference import published
from niah.analysis.stats import DIFFERENCES, Interval, mean_interval
from niah.analysis.tables import make_table, table_names
from niah.errors import UnknownName, UserError
from niah.files import atomic_write, check_folder, telling_of_files
from niah.runs import run_path
from niah.runs.cost.estimate import Plan
from niah.runs.export import Format, eval_results, every_eval_ever
from niah.runs.file.read import RunContents, check_has_trials, read_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from rich.console import Console

    from niah.analysis.compare import Comparison
    from niah.plots.report import ReportFiles

_FACETS = {"length": "context_length"} | {key: key for key in ("reader", "strategy", "depth", "needle_set")}


class Printed:
    """What notebooks and consoles show as the command prints it."""

    def _print(self, console: Console) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        self._print(Console(file=text, width=100, color_system=None, force_jupyter=False))
        return text.getvalue().rstrip("\n")


@dataclass(frozen=True, repr=False, eq=False)
class Run(Printed):
    """What a run file held when it was read, finished or not. The arguments reader, strategy, length, depth
    and needle_set of its methods, each one value or a list, say which trials count: all without them.
    UserError is raised where the run has none of that kind."""

    contents: RunContents  # samples and trials
    notes: tuple[str, ...] = ()  # what there was to say while it ran, one line each
    page: Path | None = None  # that ``niah run`` wrote of it
    score: str | None = None  # the judge whose scores were asked for, where another's count

    @property
    def path(self) -> Path:
        """The run file."""
        return self.contents.path

    def frame(self, **facets: Any) -> DataFrame:
        """A row a trial, in the order planned: the columns of ``niah export``, and some more.

        ``reason`` is the judge's, or why a trial was not scored. Each metric that has judged has a column of
        its name, 0 to 1. What a trial has not got is NaN or None.
        """
        import pandas as pd

        trials = self.trials(**facets)
        pairs = zip(trials["reason"], trials["verdicts"], strict=True)
        reasons = [reason or (verdicts[0].reason if verdicts else "") for reason, verdicts in pairs]
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
        own, other = (self.trials(**facets, strategy=name) for name in (strategy, over))
        scores = other.loc[other["scored"], ["question", "score"]]
        both = own[own["scored"]].merge(scores, on="question", suffixes=("", "_over"))
        if both.empty or strategy == over:
            problem = f"{self.path}: no case was scored with both {strategy} and {over}, of two strategies."
            raise UserError(problem, "Name two that were asked the same.")
        return mean_interval(both["score"] - both["score_over"], both["cluster"], DIFFERENCES)

    def heatmap(self, strategy: str | None = None, reader: str | None = None) -> Figure:
        """Mean score by context length and depth; without a strategy, a panel for each."""
        return self.figure("heatmaps", strategy=strategy, reader=reader)

    def figure(self, name: str, **facets: Any) -> Figure:
        """A figure of the report by name, such as "score-by-length"; a notebook shows it as a picture."""
        from niah.plots.drawing import figure_of
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

        from niah.analysis.causes import with_causes

        table = make_table(name, with_causes(self._trials, self.contents.samples), published(None))
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
        from niah.analysis.frame import run_frame

        return run_frame(self.contents)

    def trials(self, **facets: Any) -> DataFrame:
        """The frame of ``niah.analysis.frame`` that figures are drawn of. Raises UserError."""
        frame = self._trials
        for facet, value in facets.items():
            if facet not in _FACETS:
                raise UnknownName("argument", facet, _FACETS)
            column, wanted = frame[_FACETS[facet]], value if isinstance(value, list | tuple) else [value]
            for each in wanted:
                if value is not None and not (column == each).any():
                    known = sorted(set(column.dropna().tolist()))
                    raise UnknownName(f"{facet.replace('_', ' ')} in {self.path}", str(each), map(str, known))
            if value not in (None, [], ()):
                frame = frame[column.isin(wanted)]
        left = {name: frame[name].cat.remove_unused_categories() for name in ("reader", "strategy")}
        return frame.assign(**left)

    def _print(self, console: Console) -> None:
        from niah.analysis.summary import summary
        from niah.plots.terminal import print_summary

        scored, trials = int(self._trials["scored"].sum()), len(self._trials)
        console.print(f"{self.path}: {scored:,} of {trials:,} trials scored", markup=False, soft_wrap=True)
        print_summary(summary(self._trials), console)
        for line in self.notes:
            console.print(line, markup=False, soft_wrap=True)


def load_run(run: Run | str | Path, score: str | None = None) -> Run:
    """The run of a run file: its path, or its name in ``runs/``. Raises UserError. ``score`` is the judge
    whose verdicts are the scores, where another's count."""
    if isinstance(run, Run) and not score:
        return run
    return Run(read_run(run_path(run), score), score=score)


@telling_of_files()
def report(
    runs: Any,
    folder: str | Path | None = None,
    reference: str | None = None,
    *,
    score: str | None = None,
    against: Comparison | None = None,
    **more: Any,
) -> ReportFiles:
    """Write a page to click through, every figure and every table, as ``niah report``.

    ``runs`` is a ``Run``, a run file or its name in ``runs/``, or several, which are shown side by side;
    without a folder they go to ``plots/RUN``. ``reference`` is a paper whose figures, tables and published
    numbers are written too, ``score`` the judge whose verdicts are the scores, ``against`` of a night the
    comparison whose changes come first; ``more`` is what ``write_report`` takes. Raises UserError.
    """
    from niah.plots.drawing import draw_difference
    from niah.plots.report import write_report

    if reference:
        published(reference)
    listed = runs if isinstance(runs, list | tuple) else [runs]
    opened = [load_run(run, score) for run in listed]
    if not opened or len({run.path.resolve() for run in opened}) < len(opened):
        raise UserError("the same run is named twice." if opened else "no run is named.", "Name each once.")
    judges = dict.fromkeys(re.sub(r"[^\w.+-]+", "-", run.score).strip("-.") for run in opened if run.score)
    stem = "--".join([*(run.path.stem for run in opened), *judges])
    folder = Path(folder) if folder else Path("plots") / stem
    check_folder(folder)
    contents = {run.path: run.contents for run in opened}
    for run in contents.values():
        check_has_trials(run)

    if against:
        from niah.analysis.frame import trial_frame

        sides = map(Path, (against.candidate, against.baseline, *against.reference))
        later, *earlier = (trial_frame((contents.get(side) or read_run(side)).trials) for side in sides)
        more["first"] = lambda: draw_difference(earlier, later, against)
    return write_report(list(contents.values()), folder, reference, **more)


def export_means(path: Path, form: Format | None, dataset: str | None, out: Path | None) -> Iterator[Path]:
    """Write a run's means in a form of leaderboards below a folder; the files. Raises UserError."""
    if not (form == "eval-results") == bool(dataset) == bool(re.match(r"\w[\w.-]*/[\w.-]+$", dataset or "")):
        raise UserError("--to eval-results and --dataset go together.", "Write --dataset OWNER/NAME.")
    if out is None or out.is_file():
        raise UserError(f"--to {form} writes into a folder.", "Name one with --out.")
    from niah.analysis.frame import run_frame
    from niah.analysis.summary import mean_values

    run, by = read_run(path), ["reader", "strategy", "set"]
    check_has_trials(run, scored=True)
    frame = run_frame(run)
    if dataset:
        compared = frame[~frame["is_oracle"] & ~frame["is_closed_book"]]  # a ceiling is no result of a model
        files = eval_results(run, mean_values(compared, by), dataset)
    else:
        files = every_eval_ever(run, frame, mean_values(frame, [*by, "length"]))
    for place, content in files:
        with atomic_write(out / place) as file:
            file.write(content)
        yield out / place


@dataclass(frozen=True, repr=False)
class RunPlan(Printed, Plan):
    """What a run will take: ``calls``, ``usd`` (None where one price is unknown), and ``parts`` by model."""

    def as_dict(self) -> dict[str, Any]:
        """What ``niah plan --json`` prints; None is unknown."""
        from niah.plots.terminal import plan_as_json

        return dict(json.loads(plan_as_json(self)))

    def _print(self, console: Console) -> None:
        from niah.plots.terminal import print_plan

        print_plan(self, console)
