"""The report of one run, or of several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.pairs import pair
from niah.errors import UserError
from niah.judges.error_types import ErrorReading
from niah.plots.figures.heatmaps.difference_heatmap import draw_difference
from niah.plots.headlines.night_words import Banner
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.report import ReportFiles, write_pdf, write_report
from niah.reference.numbers import check_paper
from niah.runs.file.read_model import RunContents, read_run

ReportForm = Literal["html", "pdf"]


def report_runs(
    paths: Sequence[Path],
    folder: Path | None = None,
    reference: str | None = None,
    errors: ErrorReading = "niah",
    banner: Banner | None = None,
    form: ReportForm = "html",
    against: Comparison | None = None,
) -> ReportFiles:
    """Write a page, every figure and every table of the runs; or a PDF of all that.

    Args:
        paths: run files, at least one, each once.
        folder: where to write; ``plots/RUN`` without it.
        reference: a paper whose published numbers stand beside the runs'; every paper's without it.
        errors: whose error types answers are counted by.
        banner: what the page says first, of a night.
        form: a page to click through, or one PDF.
        against: the comparison of the run, which is the candidate, with an earlier one: the page then begins
            with what changed, by length and depth.

    Raises UserError for a paper that is not known, a run named twice, and one without trials.
    """
    if reference:
        check_paper(reference)
    if not paths:
        raise UserError("no run is named.", "Name at least one.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UserError("the same run is named twice.", "Name each once.")
    runs = [read_run(path, errors) for path in paths]
    for run in runs:
        if not run.records:
            raise UserError(f"{run.name} holds no trials.", "Run it first.")
    folder = folder or Path("plots") / "--".join(path.stem for path in paths)
    if form == "pdf":
        return write_pdf(runs, folder, reference)
    return write_report(
        runs, folder, reference, banner, lambda: changes_figure(against, runs[0]) if against else None
    )


def changes_figure(comparison: Comparison, candidate: RunContents | None = None) -> RenderedFigure | None:
    """What changed between the two run files, by length and depth; None where no question has a depth.

    Call it inside ``themed``.

    Args:
        comparison: of two run files.
        candidate: the later one, where it has been read.
    """
    later = candidate or read_run(Path(comparison.candidate))
    earlier = read_run(Path(comparison.baseline))
    return draw_difference(pair(earlier.records, later.records), comparison)
