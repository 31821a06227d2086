"""All figures of a report on disk; those of a large run are drawn by two processes at once."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING

from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.registry import FIGURES, rendered_figures
from niah.reference.numbers import ReferenceNumber, published

if TYPE_CHECKING:
    from pandas import DataFrame

# Starting another process and telling it all takes some two seconds.
_WORTH_HELP = 5_000
_HELPER = "niah.plots.drawing_helper"
_Drawn = list[tuple[str, SavedFigure]]


@dataclass(frozen=True)
class Job:
    """What whoever draws needs to know.

    Attributes:
        frame: of trials, see ``niah.analysis.frame.trial_frame``.
        folder: for the files.
        numbers: of papers, that stand beside the run's.
    """

    frame: DataFrame
    folder: Path
    numbers: tuple[ReferenceNumber, ...]


@dataclass(frozen=True)
class Help:
    """What the helper says of one name of ``FIGURES``: the files, and the lines for the user."""

    saved: list[SavedFigure]
    lines: list[str]


def draw_figures(
    frame: DataFrame,
    folder: Path,
    paper: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> list[SavedFigure]:
    """Draw every figure that the trials allow: NAME.svg, NAME.png and NAME.csv in ``folder``.

    Figures without data are left out. The same trials give the same bytes, in any order.

    Args:
        frame: of trials, see ``trial_frame``.
        folder: is made if need be.
        paper: whose published numbers stand beside the run's; every paper's without it.
        say: is called with a line for each figure of an installed package that cannot be drawn.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    if frame.empty:
        return []
    job = Job(frame, folder, tuple(published(paper)))
    for line in FIGURES.problems():
        say(line)
    left, drawn = deque(FIGURES), _Drawn()
    with _helped(job, left, drawn, say) as helper:
        drawn += _draw(job, left, say)
        if helper:
            helper.join()
            drawn += _draw(job, left, say)  # what a helper that failed has left
    places = {name: place for place, name in enumerate(FIGURES)}
    return [saved for _, saved in sorted(drawn, key=lambda one: places[one[0]])]


def _draw(job: Job, left: deque[str], say: Callable[[str], None]) -> _Drawn:
    """Figures from the left, until none are left."""
    name = ""

    def taken() -> Iterator[str]:
        nonlocal name
        while True:
            try:
                name = left.popleft()
            except IndexError:
                return
            yield name

    if not left:
        return []
    with themed():
        rendered = rendered_figures(job.frame, job.numbers, taken(), say)
        return [(name, save_figure(each, job.folder)) for each in rendered]


@contextmanager
def _helped(job: Job, left: deque[str], drawn: _Drawn, say: Callable[[str], None]) -> Iterator[Thread | None]:
    """A thread that gives figures from the right to another process, where that is worth its while."""
    if len(job.frame) < _WORTH_HELP or _processors() < 2:
        yield None
        return
    try:
        helper = subprocess.Popen(
            [sys.executable, "-m", _HELPER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
    except OSError:
        yield None
        return
    assert helper.stdin is not None
    assert helper.stdout is not None
    thread = Thread(target=_ask, args=(helper.stdin, helper.stdout, job, left, drawn, say), daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        helper.kill()
        thread.join()
        with suppress(BrokenPipeError):
            helper.stdin.close()
        helper.stdout.close()
        helper.wait()


def _ask(
    to: IO[bytes],
    back: IO[bytes],
    job: Job,
    left: deque[str],
    drawn: _Drawn,
    say: Callable[[str], None],
) -> None:
    """One figure after the other, until none are left or the helper fails, who then leaves his."""
    name = ""
    try:
        pickle.dump(job, to, protocol=pickle.HIGHEST_PROTOCOL)
        while left:
            name = left.pop()
            pickle.dump(name, to)
            to.flush()
            help_: Help = pickle.load(back)
            for line in help_.lines:
                say(line)
            drawn.extend((name, saved) for saved in help_.saved)
            name = ""
    except (OSError, EOFError, IndexError, pickle.PickleError):
        if name:
            left.append(name)


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
