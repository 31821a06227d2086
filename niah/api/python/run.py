"""``niah.Run``: what a run file holds, as data frames, figures, tables and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.frame import run_frame
from niah.analysis.stats import Interval, mean_interval, paired_difference
from niah.analysis.table import TableData
from niah.analysis.tables import make_table, table_names
from niah.api.python.argument_kinds import FLAG, NUMBER, PATH, TEXT, WHOLE, ArgumentKind, takes
from niah.api.python.notebook_display import displayed, printed_html, printed_text
from niah.api.report import report_runs
from niah.api.run_files import run_path
from niah.errors import UnknownName, UserError
from niah.plots.terminal import print_summary
from niah.reference.numbers import published
from niah.runs.file.read_model import RunContents, read_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from rich.console import Console

    from niah.plots.report import ReportFiles


_TEXT, _NUMBER = TEXT.or_none, NUMBER.or_none


@dataclass(frozen=True, repr=False, eq=False)
class Run:
    """What a run file held when it was read, finished or not.

    A notebook shows it as the command line does: mean score, n, tokens and seconds by reader and strategy.

    Attributes:
        contents: samples and trials.
        notes: what there was to say while it ran, one line each.
    """

    contents: RunContents
    notes: tuple[str, ...] = ()

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
        """By name."""
        return tuple(self._trials["reader"].cat.categories)

    @property
    def strategies(self) -> tuple[str, ...]:
        """Those without retrieval first."""
        return tuple(self._trials["strategy"].cat.categories)

    def frame(self) -> DataFrame:
        """A row a trial, in the order planned: see ``niah.analysis.frame``, ``answer`` and ``reason``.

        ``length`` is ``context_length``, by the name that ``mean`` and ``niah.run`` have for it.
        ``reason`` is the judge's, or of a trial that was not scored why it was not.
        ``foreign`` is how many chunks a retriever or an application gave that are none of the context's.
        Each metric that has judged has a column of its name: the value, 0 to 1.
        What a trial has not got is NaN or None: of a trial that was not scored, the score too.
        """
        records = self.contents.records
        values = [each or {} for each in self._trials["metric_values"]]
        added: dict[str, list[Any]] = {
            "length": [record.context_length for record in records],
            "answer": [record.answer for record in records],
            "reason": [
                record.reason or (record.verdicts[0].reason if record.verdicts else "") for record in records
            ],
            "foreign": [record.foreign for record in records],
        }
        for metric in sorted({name for each in values for name in each} - {*self._trials.columns, *added}):
            added[metric] = [each.get(metric, np.nan) for each in values]
        return self._trials.assign(**added)

    @takes(reader=_TEXT, strategy=_TEXT, length=_NUMBER, depth=_NUMBER, needle_set=_TEXT)
    def mean(
        self,
        *,
        reader: str | None = None,
        strategy: str | None = None,
        length: int | None = None,
        depth: float | None = None,
        needle_set: str | None = None,
    ) -> Interval:
        """The mean score of the trials that were scored, with its 95 % interval for new seeds.

        Args:
            reader, strategy, length, depth, needle_set: of the trials; all without it.

        Raises UserError where no such trial was scored.
        """
        chosen = self._chosen(
            reader=reader, strategy=strategy, context_length=length, depth=depth, needle_set=needle_set
        )
        rows = chosen["scored"].to_numpy().nonzero()[0]
        if not len(rows):
            raise UserError(f"{self.path}: none of these {len(chosen)} trials was scored.", "Run them first.")
        return mean_interval(chosen["score"].to_numpy()[rows], chosen["cluster"].to_numpy()[rows])

    @takes(strategy=TEXT, over=TEXT, reader=_TEXT, length=_NUMBER, depth=_NUMBER, needle_set=_TEXT)
    def lead(
        self,
        strategy: str,
        over: str,
        *,
        reader: str | None = None,
        length: int | None = None,
        depth: float | None = None,
        needle_set: str | None = None,
    ) -> Interval:
        """How much higher one strategy scores than another, with its 95 % interval for new seeds.

            run.lead("dos", over="bm25/budget-500/document")

        Compared are trials of the same case, reader and repeat that were both scored.

        Args:
            strategy: whose lead it is; below 0 where the other scores higher.
            over: the other strategy.
            reader, length, depth, needle_set: of the trials; all without it.

        Raises UserError where there are no such trials.
        """
        facets = {"reader": reader, "context_length": length, "depth": depth, "needle_set": needle_set}
        chosen = self._chosen(**facets)
        for name in (strategy, over):
            self._chosen(strategy=name)  # says so where there is none of that name
        if strategy == over:
            problem = f"the arguments strategy and over are both {strategy!r}, which does not lead itself."
            raise UserError(problem, _others_to_name(self.strategies, strategy))
        own, other = _scored_rows(chosen, strategy), _scored_rows(chosen, over)
        both = np.array([(row, other[asked]) for asked, row in own.items() if asked in other], dtype=np.intp)
        if not len(both):
            problem = f"{self.path}: no case was scored with both {strategy} and {over}."
            raise UserError(problem, "Name two strategies that were asked the same.")
        rows, twins = both.T
        score = chosen["score"].to_numpy()
        return paired_difference(score[rows], score[twins], chosen["cluster"].to_numpy()[rows])

    @takes(reader=_TEXT, strategy=_TEXT, length=_NUMBER, depth=_NUMBER, needle_set=_TEXT)
    def outcomes(
        self,
        *,
        reader: str | None = None,
        strategy: str | None = None,
        length: int | None = None,
        depth: float | None = None,
        needle_set: str | None = None,
    ) -> Counter[str]:
        """How many trials came to each outcome; the arguments are those of ``mean``. Raises UserError."""
        chosen = self._chosen(
            reader=reader, strategy=strategy, context_length=length, depth=depth, needle_set=needle_set
        )
        return Counter(chosen["outcome"].tolist())

    @takes(strategy=_TEXT, reader=_TEXT)
    def heatmap(self, strategy: str | None = None, reader: str | None = None) -> Figure:
        """Mean score by context length and depth.

        Without a strategy, one panel for each; several readers stand side by side, colours alone.

        Raises UserError for names that the run has not got, and where there is no grid of lengths and depths.
        """
        from niah.plots.figures import score_heatmaps
        from niah.plots.theme import themed

        chosen = self._chosen(reader=reader, strategy=strategy)
        if chosen["depth"].isna().all():
            problem = f"{self.path} has questions over given documents, which stand at no depth."
            raise UserError(problem, 'Take another figure: run.figure("score-by-length").')
        if (chosen["outcome"] == "not_run").all():
            raise UserError(f"{self.path}: none of these trials has been run.", "Run them first.")
        with themed():
            drawn = score_heatmaps(chosen)
        assert drawn is not None
        return displayed(drawn.drawing)

    @takes(name=TEXT)
    def figure(self, name: str) -> Figure:
        """A figure of the report by name, such as "score-by-length"; ``figures`` are the names.

        Raises UnknownName, and UserError where the run has no trials for it, or the package that adds it
        fails.
        """
        from niah.plots.figures import figure_of
        from niah.plots.theme import themed

        with themed():
            return displayed(figure_of(self._trials, self.path, name)[0].drawing)

    @takes(name=TEXT, path=PATH, style=TEXT, width=_TEXT, title=FLAG, dpi=WHOLE.or_none)
    def save_figure(
        self,
        name: str,
        path: str | Path,
        *,
        style: str = "page",
        width: str | None = None,
        title: bool = True,
        dpi: int | None = None,
    ) -> Path:
        """Draw a figure into a file, as ``niah figure``; returns the file.

            run.save_figure("score-by-length", "figure-2.pdf", style="paper", title=False)

        Args:
            name: as for ``figure``.
            path: of the file; its ending says the format: .pdf, .svg or .png.
            style: page, paper, slide or dark.
            width: of the whole figure, with its unit ("3.3in", "84mm"); the style's without it.
            title: whether title and subtitle stand above it.
            dpi: dots an inch of a PNG.

        Raises UnknownName, and UserError where the run has no trials for it.
        """
        from niah.plots.figures import write_figures
        from niah.plots.theme import figure_target, look_of

        look = look_of(style, width, title, dpi)
        target, kind = figure_target(name, Path(path), None, style)
        return write_figures(self._trials, self.path, name, target, kind, look)[0]

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures that there are for runs; which of them have data, only drawing tells."""
        from niah.plots.figures import figure_names

        return tuple(figure_names())

    @takes(name=TEXT)
    def table(self, name: str) -> DataFrame:
        """A table of the report by name, such as "win-rates"; title and note are in its ``attrs``.

        Raises UnknownName, and UserError where it has nothing to say of this run, or the package that adds it
        fails.
        """
        import pandas as pd

        table = make_table(name, self._table_data)
        if not table.rows:
            problem = f"the table {name} has nothing to say of {self.path}."
            raise UserError(problem, "The docs' page Report says what it needs.")
        frame = pd.DataFrame(list(table.rows), columns=list(table.columns))
        frame.attrs = {"title": table.title, "note": table.note}
        return frame

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that there are for runs; one that has nothing to say raises."""
        return tuple(table_names())

    @takes(folder=PATH.or_none, reference=PATH.or_none)
    def report(self, folder: str | Path | None = None, reference: str | Path | None = None) -> ReportFiles:
        """Write a page, every figure and every table; into ``plots/RUN`` without a folder.

        Raises UserError for a paper that is not known, and a run without trials.
        """
        paper = None if reference is None else str(reference)
        return report_runs([self.path], Path(folder) if folder is not None else None, paper)

    @cached_property
    def _trials(self) -> DataFrame:
        return run_frame(self.contents)

    @cached_property
    def _table_data(self) -> TableData:
        contents = self.contents
        return TableData(self._trials, contents.samples, published(None), contents.preparations)

    def _chosen(self, **facets: str | float | None) -> DataFrame:
        """The trials that have these facets. Raises UserError where there are none."""
        frame = self._trials
        for facet, value in facets.items():
            if value is not None:
                own = frame[frame[facet] == value]
                if own.empty:
                    known = sorted(set(frame[facet].dropna().tolist()))
                    raise UnknownName(
                        f"{facet.replace('_', ' ')} in {self.path}", str(value), map(str, known)
                    )
                frame = own
        return frame

    def _print(self, console: Console) -> None:
        scored = sum(record.outcome == "scored" for record in self.contents.records)
        trials = len(self.contents.records)
        console.print(f"{self.path}: {scored:,} of {trials:,} trials scored", highlight=False, markup=False)
        print_summary(self._trials, console)
        for line in self.notes:
            console.print(line, style="dim", highlight=False, markup=False, soft_wrap=True)

    def __repr__(self) -> str:
        return printed_text(self._print)

    def _repr_html_(self) -> str:
        return printed_html(self._print)


RUN = ArgumentKind("a run, its file or its name", lambda value: isinstance(value, Run) or PATH.fits(value))
"""What stands for a run in an argument."""


def _others_to_name(strategies: Sequence[str], strategy: str) -> str:
    others = [name for name in strategies if name != strategy]
    return f"Name another for over: {', '.join(others)}." if others else "The run has no other strategy."


def _scored_rows(frame: DataFrame, strategy: str) -> dict[int, int]:
    """The rows of a strategy's scored trials, by what was asked."""
    rows = np.flatnonzero((frame["strategy"] == strategy).to_numpy() & frame["scored"].to_numpy())
    return dict(zip(frame["question"].to_numpy()[rows].tolist(), rows.tolist(), strict=True))


@takes(name=PATH)
def load_run(name: str | Path) -> Run:
    """The run of a run file: its path, or its name in ``runs/``.

        import niah
        niah.load_run("quick").frame()

    Args:
        name: the file's path, or its name in ``runs/`` without ending.

    Raises UserError where there is none, and RunFileError for one that cannot be read.
    """
    return Run(read_run(run_path(str(name))))
