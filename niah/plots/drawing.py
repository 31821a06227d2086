"""All figures of a report on disk; those of a large run are drawn by two processes at once."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from niah.plots.helper.helper_process import Helper
from niah.plots.helper.score_frame import frame_digest
from niah.plots.kit.saved_figure import SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.plots.registry import FIGURES, OF_SCORES, rendered_figures
from niah.reference.numbers import ReferenceNumber, published

if TYPE_CHECKING:
    from pandas import DataFrame

_One = tuple[str, SavedFigure]


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


@dataclass
class Drawing:
    """Figures under way: a helper draws from the left, where the long ones are, ``finish`` from the right.

    Attributes:
        job: what there is to draw.
        say: is called with the lines for the user.
        left: names of figures that nobody has begun, in the order of a report.
        drawn: those that are done, by name.
        asks: the thread that asks the helper; None without one.
        helped: what the helper has drawn; None when that is all.
    """

    job: Job
    say: Callable[[str], None]
    left: deque[str]
    drawn: list[_One] = field(default_factory=list)
    asks: Thread | None = None
    helped: SimpleQueue[_One | None] = field(default_factory=SimpleQueue)

    def each(self) -> Iterator[SavedFigure]:
        """Draw what is left; every figure once, those that the helper draws as soon as they are done."""
        yield from self._taken(self._draw())
        if self.asks:
            yield from self._taken(iter(self.helped.get, None))
            self.asks = None
            yield from self._taken(self._draw())  # what a helper that failed has left

    def _taken(self, done: Iterable[_One | None]) -> Iterator[SavedFigure]:
        for one in filter(None, done):
            self.drawn.append(one)
            yield one[1]

    def finish(self) -> list[SavedFigure]:
        """All figures, in the order of a report."""
        for _ in self.each():
            pass
        places = {name: place for place, name in enumerate(FIGURES)}
        return [saved for _, saved in sorted(self.drawn, key=lambda one: places[one[0]])]

    def _draw(self) -> list[_One]:
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
        begun = deque(OF_SCORES if helper.ahead else ())
        try:
            if begun:
                self._take_those_ahead(helper, begun)
            pickle.dump(self.job, helper.to, protocol=pickle.HIGHEST_PROTOCOL)
            while self.left:
                begun.append(self.left.popleft())
                pickle.dump(begun[0], helper.to)
                helper.to.flush()
                self._take(begun, pickle.load(helper.back))
        except (OSError, EOFError, IndexError, ValueError, pickle.PickleError):
            pass
        self.left.extendleft(reversed(begun))
        self.helped.put(None)

    def _take_those_ahead(self, helper: Helper, begun: deque[str]) -> None:
        """The figures that the helper has drawn of what it read itself, where this process read the same."""
        read = pickle.load(helper.back)
        is_same = read == frame_digest(self.job.frame)
        for help_ in [pickle.load(helper.back) for _ in begun] if read else ():
            if is_same:
                self._take(begun, help_)
        self.left.extendleft(reversed(begun))
        begun.clear()

    def _take(self, begun: deque[str], help_: Help) -> None:
        """What was drawn of the first name that was ``begun``."""
        name = begun.popleft()
        for line in help_.lines:
            self.say(line)
        for saved in help_.saved:
            self.helped.put((name, saved))


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
        helper: draws at once, or has begun; see ``drawing_helper``.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    if frame.empty:
        return Drawing(Job(frame, folder, ()), say, deque())
    begun = OF_SCORES if helper and helper.ahead else ()
    left = deque(name for name in FIGURES if name not in begun)
    drawing = Drawing(Job(frame, folder, tuple(published(paper))), say, left)
    for line in FIGURES.problems():
        say(line)
    if helper:
        drawing.asks = Thread(target=drawing.ask, args=(helper,), daemon=True)
        drawing.asks.start()
    return drawing
