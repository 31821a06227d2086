"""A whole report in one folder: the page, every figure, every table."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.causes.causes import Cause, causes
from niah.analysis.frame import trial_frame
from niah.analysis.tables.closed_book_filter import closed_book_filter
from niah.analysis.tables.left_out_table import left_out_tables
from niah.analysis.tables.registry import report_tables
from niah.analysis.tables.table import Table
from niah.cases.left_out import avoided_by
from niah.cases.sample import Sample
from niah.plots.distinct_readers import with_distinct_readers
from niah.plots.drawing import start_drawing
from niah.plots.helper.helper_process import Helper
from niah.plots.html.report import page_figure, page_parts, run_frames, write_report_page
from niah.plots.kit.saved_figure import RenderedFigure, SavedFigure, save_figure
from niah.plots.kit.score_scale import mark_metric
from niah.plots.kit.theme import themed
from niah.plots.table_files import write_tables
from niah.plots.verdicts import Banner
from niah.runs.file.read_model import RunContents

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class ReportFiles:
    """What a report consists of.

    Attributes:
        page: index.html, or report.pdf.
        figures: each as SVG, PNG and CSV, in ``figures/``; none beside a PDF, which has them.
        tables: each as CSV, Markdown and LaTeX, in ``tables/``.
        frame: of the trials it shows, several runs' readers told apart; see ``trial_frame``.
        problems: figures and tables of installed packages that failed, a line each.
    """

    page: Path
    figures: tuple[SavedFigure, ...]
    tables: tuple[Table, ...]
    frame: DataFrame
    problems: tuple[str, ...] = ()


def write_report(
    runs: Sequence[RunContents],
    folder: Path,
    reference: str | None = None,
    banner: Banner | None = None,
    first: Callable[[], RenderedFigure | None] = lambda: None,
    helper: Helper | None = None,
) -> ReportFiles:
    """Write the report of one run, or of several side by side.

    Args:
        runs: at least one. A reader that is in several is named after its run too.
        folder: made if need be; older files of the same names are replaced.
        reference: a paper whose published numbers stand beside the run's; every paper's without it.
        banner: what the page says first, of a night.
        first: draws a figure that stands before the others, or none; called inside ``themed``.
        helper: draws figures while this process makes tables and page.
    """
    apart = with_distinct_readers(runs)
    problems: list[str] = []
    with _exempt_from_collection():
        frame, samples = _data(apart)
        drawing = start_drawing(frame, folder / "figures", reference, problems.append, helper)
        with themed():
            opening = [save_figure(one, folder / "figures") for one in (first(),) if one]
        why = causes(frame, samples)
        found = _tables(apart, frame, samples, reference, problems.append, why)
        write_tables(found, folder / "tables")
        parts = page_parts(apart, frame, why, found)
        gc.freeze()  # these texts too: figures alone are garbage
        shown = {one.name: page_figure(one) for one in chain(opening, drawing.each())}
        drawn = opening + drawing.finish()
        page = write_report_page(folder, _title(apart), parts, [shown[one.name] for one in drawn], banner)
    return ReportFiles(page, tuple(drawn), tuple(found), frame, tuple(problems))


def write_pdf(runs: Sequence[RunContents], folder: Path, reference: str | None = None) -> ReportFiles:
    """Write the report as one PDF with its figures and tables in it; tables as CSV, Markdown, LaTeX too.

    Args:
        runs, folder, reference: as for ``write_report``.
    """
    from niah.plots.paper.report_pdf import write_report_pdf

    apart = with_distinct_readers(runs)
    problems: list[str] = []
    path = folder / "report.pdf"
    with _exempt_from_collection():
        frame, samples = _data(apart)
        found = _tables(apart, frame, samples, reference, problems.append)
        write_tables(found, folder / "tables")
        gc.freeze()  # as above
        write_report_pdf(
            path, apart, list(run_frames(apart, frame)), frame, found, reference, problems.append
        )
    return ReportFiles(path, (), tuple(found), frame, tuple(problems))


def write_live_page(
    runs: Sequence[RunContents], folder: Path, version: str, banner: Banner | None = None
) -> Path:
    """Write the page alone, with its tables and without figures: of runs under way, again and again.

    Args:
        runs: as for ``write_report``.
        folder: made if need be.
        version: of what the runs hold.
        banner: what the page says first.
    """
    apart = with_distinct_readers(runs)
    with _exempt_from_collection():
        frame, samples = _data(apart)
        why = causes(frame, samples)
        parts = page_parts(apart, frame, why, _tables(apart, frame, samples, why=why))
        return write_report_page(folder, _title(apart), parts, [], banner, version)


def _title(runs: Sequence[RunContents]) -> str:
    return " · ".join(run.name for run in runs)


def _data(runs: Sequence[RunContents]) -> tuple[DataFrame, Mapping[str, Sample]]:
    """All trials as columns, and all samples."""
    samples = {sample_id: sample for run in runs for sample_id, sample in run.samples.items()}
    traits = {name: each for run in runs for name, each in run.traits.items()}
    frame = trial_frame([record for run in runs for record in run.records], samples, traits)
    mark_metric(frame, runs)
    return frame, samples


def _tables(
    runs: Sequence[RunContents],
    frame: DataFrame,
    samples: Mapping[str, Sample],
    reference: str | None = None,
    say: Callable[[str], None] = lambda line: None,
    why: Mapping[str, Cause] | None = None,
) -> list[Table]:
    prepared = [call for run in runs for call in run.preparations]
    found = report_tables(frame, samples, reference, say, prepared, why)
    for run in runs:
        found += left_out_tables(run.left_out, avoided_by(run.samples.values()))
        if run.closed_book:
            found.append(closed_book_filter(run.closed_book))
    return found


@contextmanager
def _exempt_from_collection() -> Iterator[None]:
    """All that is in memory stays there meanwhile, and garbage is looked for when figures have become it.

    ``rendered_figures`` does that. To look among a million objects of trials whenever Python sees fit would
    take a tenth of a report's time.
    """
    if gc.get_freeze_count():  # whoever did that thaws it
        yield
        return
    was_enabled = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
