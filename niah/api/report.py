"""The report of one run, or of several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from niah.errors import UserError
from niah.judges.error_types import ErrorReading
from niah.plots.headlines.night_words import Banner
from niah.plots.report import ReportFiles, write_pdf, write_report
from niah.reference.numbers import check_paper
from niah.runs.file.read_model import read_run

ReportForm = Literal["html", "pdf"]


def report_runs(
    paths: Sequence[Path],
    folder: Path | None = None,
    reference: str | None = None,
    errors: ErrorReading = "niah",
    banner: Banner | None = None,
    form: ReportForm = "html",
) -> ReportFiles:
    """Write a page, every figure and every table of the runs; or a PDF of all that.

    Args:
        paths: run files, at least one, each once.
        folder: where to write; ``plots/RUN`` without it.
        reference: a paper whose published numbers stand beside the runs'; every paper's without it.
        errors: whose error types answers are counted by.
        banner: what the page says first, of a night.
        form: a page to click through, or one PDF.

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
    return write_report(runs, folder, reference, banner)
