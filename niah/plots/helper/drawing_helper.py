"""Draws figures for another process: what ``helper_process`` starts."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO

from niah.errors import UserError
from niah.plots.drawing import Help, Job
from niah.plots.helper.helper_process import Ahead
from niah.plots.helper.score_frame import frame_digest, score_frame
from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.registry import OF_SCORES, rendered_figures


def help_out() -> None:
    """Draw what can be drawn ahead; then read a job, and names of figures until there are no more.

    Each name is answered with what was drawn.
    """
    back = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    _warm_up()
    gc.freeze()
    gc.disable()  # ``rendered_figures`` collects
    ahead: Ahead | None = pickle.load(sys.stdin.buffer)
    if ahead:
        _draw_ahead(ahead, back)
    job: Job = pickle.load(sys.stdin.buffer)
    gc.freeze()
    _draw(job, _asked_for(), back)


def _draw_ahead(ahead: Ahead, back: BinaryIO) -> None:
    """Say what was read, and draw the figures of scores; "" where nothing can be."""
    try:
        frame = score_frame(ahead.paths)
    except UserError:  # the other process says so
        frame = None
    if frame is None or frame.empty:
        _answer("", back)
        return
    gc.freeze()
    _answer(frame_digest(frame), back)
    _draw(Job(frame, ahead.folder, ()), OF_SCORES, back)


def _asked_for() -> Iterator[str]:
    while True:
        try:
            yield pickle.load(sys.stdin.buffer)
        except EOFError:
            return


def _draw(job: Job, names: Iterable[str], back: BinaryIO) -> None:
    saved: list[SavedFigure] = []
    lines: list[str] = []

    def answered() -> Iterator[str]:
        for name in names:
            yield name
            _answer(Help(saved, lines), back)
            saved.clear()
            lines.clear()

    with themed():
        for rendered in rendered_figures(job.frame, job.numbers, answered(), lines.append):
            saved.append(save_figure(rendered, job.folder))


def _answer(what: Help | str, back: BinaryIO) -> None:
    pickle.dump(what, back)
    back.flush()


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
