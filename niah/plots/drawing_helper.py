"""Draws figures for another process: ``python -m niah.plots.drawing_helper``, which ``drawing`` starts."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Iterator
from io import BytesIO

from niah.plots.drawing import Help, Job
from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.registry import rendered_figures


def help_out() -> None:
    """Read a job, then names of figures until there are no more; answer each with what was drawn."""
    back = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    _warm_up()
    job: Job = pickle.load(sys.stdin.buffer)
    gc.freeze()
    gc.disable()  # ``rendered_figures`` collects
    saved: list[SavedFigure] = []
    lines: list[str] = []

    def asked_for() -> Iterator[str]:
        while True:
            try:
                yield pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            pickle.dump(Help(saved, lines), back)
            back.flush()
            saved.clear()
            lines.clear()

    with themed():
        for rendered in rendered_figures(job.frame, job.numbers, asked_for(), lines.append):
            saved.append(save_figure(rendered, job.folder))


def _warm_up() -> None:
    """Draw a letter while the other process still reads the run: all that figures need is loaded then."""
    import pandas  # noqa: F401
    import scipy.optimize
    import scipy.special  # noqa: F401
    from matplotlib.figure import Figure

    with themed():
        figure = Figure()
        figure.text(0.5, 0.5, "n")
        for form in ("png", "svg"):
            figure.savefig(BytesIO(), format=form)


if __name__ == "__main__":
    help_out()
