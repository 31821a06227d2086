"""The report of one run, or of several side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.api.run_files import check_has_trials
from niah.errors import UserError
from niah.files import check_folder

if TYPE_CHECKING:
    from niah.analysis.compare import Comparison
    from niah.judges.error_types import ErrorReading
    from niah.plots.figures import Drawn
    from niah.plots.report import ReportFiles
    from niah.plots.verdicts import Banner
    from niah.runs.file.read_model import RunContents


def report_runs(
    paths: Sequence[Path],
    folder: Path | None = None,
    reference: str | None = None,
    errors: ErrorReading = "niah",
    banner: Banner | None = None,
    against: Comparison | None = None,
    score: str | None = None,
    *,
    latex: bool = False,
) -> ReportFiles:
    """Write a page, every figure and every table of the runs.

    Args:
        paths: run files, at least one, each once.
        folder: where to write; ``plots/RUN`` without it, ``plots/RUN--SCORE`` with a ``score``.
        reference: a paper whose figures, tables and published numbers are written too.
        errors: whose error types answers are counted by.
        banner: what the page says first, of a night.
        against: the comparison of the run, which is the candidate, with an earlier one: the page then begins
            with what changed, by length and depth.
        score: the judge whose verdicts are the scores; the one whose score counts without it.
        latex: whether tables are written as LaTeX too.

    Raises UserError for a paper that is not known, a run named twice, and one without trials, and OSError for
    a folder in which nothing can be made.
    """
    if reference:
        from niah.reference.numbers import check_paper

        check_paper(reference)
    if not paths:
        raise UserError("no run is named.", "Name at least one.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UserError("the same run is named twice.", "Name each once.")
    folder = folder or Path("plots") / "--".join([*(path.stem for path in paths), *_of_judge(score)])
    check_folder(folder)
    runs = _with_trials(paths, errors, score)
    from niah.plots.report import write_report

    def first() -> Drawn | None:
        return changes_figure(against, runs[0]) if against and Path(against.baseline).is_file() else None

    return write_report(runs, folder, reference, banner, first, latex=latex)


def _of_judge(score: str | None) -> list[str]:
    """What the folder of another judge's report is told apart by: "token-f1", "openai-gpt-4o-mini"."""
    return [re.sub(r"[^\w.+-]+", "-", score).strip("-.")] if score else []


def _with_trials(paths: Sequence[Path], errors: ErrorReading, score: str | None) -> list[RunContents]:
    from niah.runs.file.read_model import read_run, read_scored_by

    runs = [
        read_scored_by(path, score, errors) if score is not None else read_run(path, errors) for path in paths
    ]
    for run in runs:
        check_has_trials(run, run.name)
    return runs


def changes_figure(comparison: Comparison, candidate: RunContents | None = None) -> Drawn | None:
    """What changed between the two run files, by length and depth; None where no question has a depth.

    Call it inside ``themed``.

    Args:
        comparison: of two run files.
        candidate: the later one, where it has been read.
    """
    from niah.analysis.frame import trial_frame
    from niah.plots.figures import draw_difference
    from niah.runs.file.read_model import read_run

    later = candidate or read_run(Path(comparison.candidate))
    earlier = read_run(Path(comparison.baseline))
    return draw_difference(trial_frame(earlier.records), trial_frame(later.records), comparison)


def models_figure(comparison: Comparison, baseline: Path, candidate: Path) -> Drawn | None:
    """What two models differ by, by length and depth; None where no question has a depth.

    Call it inside ``themed``.

    Args:
        comparison: of two models.
        baseline, candidate: the run files that they are in, which may be one.
    """
    from niah.analysis.frame import trial_frame
    from niah.plots.figures import draw_difference
    from niah.runs.file.read_model import read_run

    assert comparison.readers is not None
    earlier, later = (
        trial_frame([record for record in read_run(path).records if record.reader == reader])
        for path, reader in zip((baseline, candidate), comparison.readers, strict=True)
    )
    return draw_difference(earlier, later, comparison)
