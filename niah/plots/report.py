"""A whole report in one folder: the page, every figure, every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from niah.analysis.tables.registry import tables
from niah.analysis.tables.table import Table
from niah.plots.html.report import write_report
from niah.plots.kit.rendered_figure import Drawn
from niah.plots.registry import figures
from niah.plots.table_files import write_tables
from niah.runs.file.details import RunData
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class Report:
    """What a report consists of.

    Attributes:
        page: index.html.
        figures: each as SVG, PNG and CSV, in ``figures/``.
        tables: each as CSV and Markdown, in ``tables/``.
        records: those it shows, several runs' readers told apart.
    """

    page: Path
    figures: tuple[Drawn, ...]
    tables: tuple[Table, ...]
    records: tuple[TrialRecord, ...]


def report(runs: Sequence[RunData], folder: Path, reference: str | None = None) -> Report:
    """Write the report of one run, or of several side by side.

    Args:
        runs: at least one. A reader that is in several is named after its run too.
        folder: made if need be; older files of the same names are replaced.
        reference: a paper whose published numbers stand beside the run's; every paper's without it.
    """
    apart = told_apart(runs)
    records = [record for run in apart for record in run.records]
    cases = {case_id: case for run in apart for case_id, (case, _) in run.cases.items()}
    drawn = figures(records, folder / "figures", cases, reference)
    found = tables(records, cases.values(), reference)
    write_tables(found, folder / "tables")
    title = " · ".join(run.name for run in runs)
    page = write_report(folder, title, apart, drawn, found)
    return Report(page, tuple(drawn), tuple(found), tuple(records))


def told_apart(runs: Sequence[RunData]) -> list[RunData]:
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
