"""All figures of a report on disk; those of a large run are drawn by two processes at once."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING

from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.registry import FIGURES, rendered_figures
from niah.reference.numbers import ReferenceNumber, published
from niah.text.scanning.threads import processors

if TYPE_CHECKING:
    from pandas import DataFrame

# Bytes of run files: what takes longer to draw than another process takes to start. Some 5,000 trials.
_WORTH_HELP = 6_000_000
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


@dataclass(frozen=True)
class Helper:
    """Another process that draws figures."""

    to: IO[bytes]
    back: IO[bytes]


@contextmanager
def drawing_helper(size: int) -> Iterator[Helper | None]:
    """Another process that gets ready to draw while this one reads; None where it is not worth its while.

    Args:
        size: of the run files, in bytes.
    """
    if size < _WORTH_HELP or processors() < 2:
        yield None
        return
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", _HELPER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
    except OSError:
        yield None
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Helper(process.stdin, process.stdout)
    finally:
        process.kill()
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.stdout.close()
        process.wait()


@dataclass
class Drawing:
    """Figures under way: a helper draws from the left, where the long ones are, ``finish`` from the right.

    Attributes:
        job: what there is to draw.
        say: is called with the lines for the user.
        left: names of figures that nobody has begun, in the order of a report.
        drawn: those that are done, by name.
        asks: the thread that asks the helper; None without one.
    """

    job: Job
    say: Callable[[str], None]
    left: deque[str]
    drawn: _Drawn = field(default_factory=list)
    asks: Thread | None = None

    def finish(self) -> list[SavedFigure]:
        """Draw what is left; all figures, in the order of a report."""
        self.drawn += self._draw()
        if self.asks:
            self.asks.join()
            self.drawn += self._draw()  # what a helper that failed has left
        places = {name: place for place, name in enumerate(FIGURES)}
        return [saved for _, saved in sorted(self.drawn, key=lambda one: places[one[0]])]

    def _draw(self) -> _Drawn:
        name = ""

        def taken() -> Iterator[str]:
            nonlocal name
            while True:
                try:
                    name = self.left.pop()
                except IndexError:
                    return
                yield name

        if not self.left:
            return []
        with themed():
            rendered = rendered_figures(self.job.frame, self.job.numbers, taken(), self.say)
            return [(name, save_figure(each, self.job.folder)) for each in rendered]

    def ask(self, helper: Helper) -> None:
        """One figure after the other, until none are left or the helper fails, who then leaves his."""
        name = ""
        try:
            pickle.dump(self.job, helper.to, protocol=pickle.HIGHEST_PROTOCOL)
            while self.left:
                name = self.left.popleft()
                pickle.dump(name, helper.to)
                helper.to.flush()
                help_: Help = pickle.load(helper.back)
                for line in help_.lines:
                    self.say(line)
                self.drawn.extend((name, saved) for saved in help_.saved)
                name = ""
        except (OSError, EOFError, IndexError, ValueError, pickle.PickleError):
            if name:
                self.left.appendleft(name)


def start_drawing(
    frame: DataFrame,
    folder: Path,
    paper: str | None = None,
    say: Callable[[str], None] = lambda line: None,
    helper: Helper | None = None,
) -> Drawing:
    """Begin to draw every figure that the trials allow: NAME.svg, NAME.png and NAME.csv in ``folder``.

    Figures without data are left out. The same trials give the same bytes, in any order. Without a helper
    nothing is drawn until ``finish`` is called; with one, call that before its end.

    Args:
        frame: of trials, see ``trial_frame``.
        folder: is made if need be.
        paper: whose published numbers stand beside the run's; every paper's without it.
        say: is called with a line for each figure of an installed package that cannot be drawn.
        helper: draws at once; see ``drawing_helper``.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    if frame.empty:
        return Drawing(Job(frame, folder, ()), say, deque())
    drawing = Drawing(Job(frame, folder, tuple(published(paper))), say, deque(FIGURES))
    for line in FIGURES.problems():
        say(line)
    if helper:
        drawing.asks = Thread(target=drawing.ask, args=(helper,), daemon=True)
        drawing.asks.start()
    return drawing
