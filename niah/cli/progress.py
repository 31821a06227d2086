"""The progress line of a run."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column

from niah.runs.result import Result
from niah.runs.trial import Trial

_PLAIN_STEPS = 10
"""Lines that a run prints where no bar can be drawn."""


class RunProgress:
    """A bar with ETA on a terminal, a line now and then elsewhere; both on stderr.

    Args:
        planned: trials of the run.
        finished: of them, those finished by earlier invocations.
        todo: those that this invocation will run.
    """

    def __init__(self, planned: int, finished: int, todo: int) -> None:
        self._console = Console(stderr=True)
        self._todo = todo
        self._done = 0
        self._not_scored = 0
        self._bar = Progress(
            TextColumn(
                "[bold]{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")
            ),
            BarColumn(bar_width=12),
            MofNCompleteColumn(table_column=_whole(7)),
            TimeElapsedColumn(table_column=_whole(7)),
            TextColumn("ETA", table_column=_whole(3)),
            TimeRemainingColumn(compact=True, table_column=_whole(5)),
            TextColumn("[red]{task.fields[trouble]}", table_column=Column(no_wrap=True)),
            console=self._console,
            disable=not self._console.is_terminal or todo == 0,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("preparing", total=todo, trouble="")
        if finished:
            self.say(f"{finished} of {planned} trials were finished before; {todo} to go")

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        """A line of its own."""
        self._console.print(text, style="dim", highlight=False, soft_wrap=True)

    def started(self, trial: Trial) -> None:
        """Show what is being asked."""
        case = trial.case
        self._bar.update(
            self._task,
            description=f"{case.context_length} @ {case.depth:g} % {trial.strategy.name} {trial.reader}",
        )

    def finished(self, trial: Trial, result: Result) -> None:
        """Count it; say why one was not scored."""
        self._done += 1
        if result.outcome != "scored":
            self._not_scored += 1
            self.say(f"{trial.case.case_id} · {trial.strategy.name}: {result.outcome}: {result.reason}")
        trouble = f"{self._not_scored} not scored" if self._not_scored else ""
        self._bar.update(self._task, advance=1, trouble=trouble)
        if self._bar.disable and self._done % max(1, self._todo // _PLAIN_STEPS) == 0:
            self.say(f"{self._done} of {self._todo} trials {trouble}".rstrip())


def _whole(width: int) -> Column:
    """A column that is never cut on a narrow terminal."""
    return Column(no_wrap=True, min_width=width, justify="right")
