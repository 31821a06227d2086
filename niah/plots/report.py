"""A whole report in one folder: the page, every figure, every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from niah.analysis.frame import trial_frame
from niah.analysis.tables.left_out_table import left_out_table
from niah.analysis.tables.registry import report_tables
from niah.analysis.tables.table import Table
from niah.plots.html.report import write_report_page
from niah.plots.kit.saved_figure import SavedFigure
from niah.plots.registry import draw_figures
from niah.plots.table_files import write_tables
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class ReportFiles:
    """What a report consists of.

    Attributes:
        page: index.html.
        figures: each as SVG, PNG and CSV, in ``figures/``.
        tables: each as CSV and Markdown, in ``tables/``.
        records: those it shows, several runs' readers told apart.
    """

    page: Path
    figures: tuple[SavedFigure, ...]
    tables: tuple[Table, ...]
    records: tuple[TrialRecord, ...]


def write_report(runs: Sequence[RunContents], folder: Path, reference: str | None = None) -> ReportFiles:
    """Write the report of one run, or of several side by side.

    Args:
        runs: at least one. A reader that is in several is named after its run too.
        folder: made if need be; older files of the same names are replaced.
        reference: a paper whose published numbers stand beside the run's; every paper's without it.
    """
    apart = with_distinct_readers(runs)
    records = [record for run in apart for record in run.records]
    samples = {sample_id: sample for run in apart for sample_id, sample in run.samples.items()}
    frame = trial_frame(records, samples)
    drawn = draw_figures(frame, folder / "figures", reference)
    found = report_tables(frame, samples, reference)
    found += [table for run in apart if (table := left_out_table(run.left_out)).rows]
    write_tables(found, folder / "tables")
    title = " · ".join(run.name for run in runs)
    page = write_report_page(folder, title, apart, drawn, found)
    return ReportFiles(page, tuple(drawn), tuple(found), tuple(records))


def with_distinct_readers(runs: Sequence[RunContents]) -> list[RunContents]:
    """The runs, readers that are in several of them called "READER (RUN)"."""
    known = Counter(reader for run in runs for reader in {record.reader for record in run.records})
    return [
        replace(
            run,
            records=[
                replace(record, reader=f"{record.reader} ({run.name})")
                if known[record.reader] > 1
                else record
                for record in run.records
            ],
        )
        for run in runs
    ]
