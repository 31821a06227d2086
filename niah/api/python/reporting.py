"""``niah.report``: the report of one run, or of several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from niah.api.python.argument_kinds import PATH, takes
from niah.api.python.run import RUN, Run
from niah.api.report import report_runs
from niah.api.run_files import run_path
from niah.plots.report import ReportFiles


@takes(runs=RUN.or_several, folder=PATH.or_none, reference=PATH.or_none)
def report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    folder: str | Path | None = None,
    reference: str | Path | None = None,
) -> ReportFiles:
    """Write a page to click through, every figure and every table, as ``niah report``.

        import niah
        niah.report("quick", "plots/quick").page

    Args:
        runs: a ``Run``, a run file or its name in ``runs/``, or several, which stand side by side.
        folder: where to write; ``plots/RUN`` without it.
        reference: a paper whose figures, tables and published numbers are written too.

    Raises UserError for a paper that is not known, a run named twice, and one without trials.
    """
    named = [runs] if isinstance(runs, Run | str | Path) else list(runs)
    paths = [run.path if isinstance(run, Run) else run_path(str(run)) for run in named]
    paper = None if reference is None else str(reference)
    return report_runs(paths, Path(folder) if folder is not None else None, paper)
