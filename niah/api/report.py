"""``niah.report``: page, figures and tables of one run, or of several side by side; run files by name."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.errors import UserError
from niah.files import check_folder, find, telling_of_files

if TYPE_CHECKING:
    from niah.analysis.compare import Comparison
    from niah.plots.figures import Drawn
    from niah.plots.report import ReportFiles
    from niah.runs.file.read import RunContents


def run_path(run: Any) -> Path:
    """The file of a ``Run``, or of a path, or of a bare name in ``runs/``. Raises UserError."""
    path = find("run file", str(getattr(run, "path", run)), [Path("runs")], (".sqlite",))
    if not os.access(path, os.R_OK):
        raise UserError(f"{path} may not be read.", "Change its permissions.")
    return path


def check_has_trials(run: RunContents) -> None:
    """Raise UserError where none of the run's trials counts."""
    if run.trials.empty:
        known = run.closed_book is not None and len(run.closed_book.dropped)
        why = ": its models know every question without a context." if known else "."
        remedy = "Take filter: closed-book out of the run config." if known else "Run it first."
        raise UserError(f"{run.path} holds no trials{why}", remedy)


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
    from niah.analysis.frame import trial_frame
    from niah.plots.figures import draw_difference
    from niah.plots.report import write_report
    from niah.runs.file.read import read_run

    paths = [run_path(run) for run in (runs if isinstance(runs, list | tuple) else [runs])]
    if reference:
        from niah.analysis.reference import published

        published(reference)
    if not paths or len({path.resolve() for path in paths}) < len(paths):
        raise UserError("the same run is named twice." if paths else "no run is named.", "Name each once.")
    judge = [re.sub(r"[^\w.+-]+", "-", score).strip("-.")] if score else []
    folder = Path(folder) if folder else Path("plots") / "--".join([*(path.stem for path in paths), *judge])
    check_folder(folder)
    contents = [read_run(path, score) for path in paths]
    for run in contents:
        check_has_trials(run)

    def first() -> Drawn | None:
        if against is None or not Path(against.baseline).is_file():
            return None
        sides = (Path(against.baseline), Path(against.candidate))
        earlier, later = (trial_frame(read_run(path).trials) for path in sides)
        return draw_difference(earlier, later, against)

    return write_report(contents, folder, reference, first=first, **more)
