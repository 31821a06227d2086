"""The progress line of a run."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from itertools import accumulate
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from niah.readers.reader import Traffic
from niah.runs.cost.prices import spending_label
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import spoken

_PLAIN_STEPS = 10
"""Lines that a run prints where no bar can be drawn."""
_PLAIN_S = 30.0
"""One more after so many seconds without any."""
_AND_SO_ON = " (numbers differ)"
_MOST_REASONS = 20
"""Reasons of trials not scored that are told one by one; an endpoint may have any number."""
_DIGITS = re.compile(r"\d+")
_WIDE = 120
"""Columns of a terminal that has room for what is being asked."""
_LEAST_BAR = 4
_ETA = len("ETA 1:23:45")
_GAPS = 3
_BETWEEN = ", "


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
        self._reused = self._alike = 0
        self._not_scored: Counter[tuple[str, str]] = Counter()
        """By outcome and reason, numbers in it left out."""
        self._words: dict[tuple[str, str], str] = {}
        """The reason as it was given; the first one, and that it is, where numbers differ."""
        self._tokens = 0
        self._usd = Decimal(0)
        self._cost_unknown = False
        self._traffic: Callable[[], Traffic] = Traffic
        self._started = self._said_at = time.monotonic()
        count = 2 * len(str(todo)) + 1
        room = self._console.width - (_LEAST_BAR + count + _ETA + _GAPS)
        self._bar = Progress(
            *([_asked()] if self._console.width >= _WIDE else []),
            BarColumn(bar_width=None, table_column=Column(ratio=1)),
            MofNCompleteColumn(table_column=_whole(count)),
            _EtaColumn(compact=True, table_column=_whole(_ETA)),
            _FactsColumn(self._facts, room),
            console=self._console,
            disable=not self._console.is_terminal or todo == 0,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("preparing", total=todo)
        if finished:
            self.say(f"{finished} of {planned} trials were finished before; {todo} to go")

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        for why, times in self._not_scored.most_common(_MOST_REASONS):
            if times > 1:
                self.say(f"{times} times {why[0]}: {self._words[why]}")

    def say(self, text: str) -> None:
        """A line of its own."""
        # No markup: an endpoint's words may hold brackets.
        self._console.print(text, style="dim", highlight=False, soft_wrap=True, markup=False)

    def asking(self, traffic: Callable[[], Traffic]) -> None:
        """Show what readers have under way, from now on."""
        self._traffic = traffic

    def started(self, trial: Trial) -> None:
        """Show what is being asked."""
        sample = trial.sample
        place = f"@ {sample.depth:g} %" if sample.depth is not None else f"of {sample.document_id}"
        self._bar.update(
            self._task,
            description=f"{sample.context_length} {place} {spoken(trial.strategy.name)} {trial.reader}",
        )

    def finished(self, trial: Trial, result: TrialResult) -> None:
        """Count it; say why one was not scored."""
        self._done += 1
        if result.from_cache:
            self._alike += not result.reused_from
            self._reused += bool(result.reused_from)
        else:
            self._tokens += (result.usage.prompt_tokens or 0) + (result.usage.completion_tokens or 0)
            self._usd += result.cost or 0
            self._cost_unknown |= result.cost is None
        if result.outcome != "scored":
            self._say_not_scored(trial, result)
        self._bar.update(self._task, advance=1)
        now = time.monotonic()
        step = self._done % max(1, self._todo // _PLAIN_STEPS) == 0
        if self._bar.disable and (step or now - self._said_at >= _PLAIN_S):
            self._said_at = now
            self.say(_BETWEEN.join([f"{self._done} of {self._todo} trials", *self._facts(), *self._eta()]))

    def _say_not_scored(self, trial: Trial, result: TrialResult) -> None:
        """Why a trial was not scored, once for all that are alike."""
        kind = result.outcome, _DIGITS.sub("#", result.reason)
        self._not_scored[kind] += 1
        said = self._words.setdefault(kind, result.reason)
        if result.reason != said and not said.endswith(_AND_SO_ON):
            self._words[kind] = said + _AND_SO_ON
        if self._not_scored[kind] == 1 and len(self._not_scored) <= _MOST_REASONS:
            self.say(
                f"{trial.sample.sample_id} · {spoken(trial.strategy.name)}: {result.outcome}: {result.reason}"
            )

    def _facts(self) -> list[str]:
        """What there is to tell beside the count, what matters most first; zeros are left out."""
        traffic = self._traffic()
        retries = traffic.retries
        at_least = "at least " if self._cost_unknown else ""
        return [
            *([traffic.preparing] if traffic.preparing else []),
            *([f"{at_least}{spending_label(self._usd, 'usd')}"] if self._usd else []),
            *([f"{traffic.running} running"] if traffic.running else []),
            *([f"{traffic.waiting} waiting"] if traffic.waiting else []),
            *([f"{self._not_scored.total()} not scored"] if self._not_scored else []),
            *([f"{short_count(self._tokens)} tok"] if self._tokens else []),
            *([f"{self._alike} alike"] if self._alike else []),
            *([f"{self._reused} reused"] if self._reused else []),
            *([f"{retries} {'retry' if retries == 1 else 'retries'}"] if retries else []),
        ]

    def _eta(self) -> list[str]:
        left = self._todo - self._done
        per_trial_s = (time.monotonic() - self._started) / self._done
        return [f"ETA {timedelta(seconds=round(left * per_trial_s))}"] if left else []


class _EtaColumn(TimeRemainingColumn):
    """The time left, named."""

    def render(self, task: Task) -> Text:
        return Text("ETA ", style="dim") + super().render(task)


class _FactsColumn(ProgressColumn):
    """Asked anew whenever the bar is drawn: a wait is seen while nothing finishes."""

    def __init__(self, facts: Callable[[], list[str]], width: int) -> None:
        super().__init__(table_column=Column(no_wrap=True, overflow="ellipsis"))
        self._facts = facts
        self._width = width

    def render(self, task: Task) -> Text:
        return Text(facts_that_fit(self._facts(), self._width), style="dim")


def facts_that_fit(facts: list[str], width: int) -> str:
    """As many of the facts, from the first on, as have room in so many columns, each of them whole."""
    ends = list(accumulate(len(fact) + len(_BETWEEN) for fact in facts))
    return _BETWEEN.join(facts[: bisect_right(ends, width + len(_BETWEEN))])


def short_count(number: int) -> str:
    """A count for a narrow place, to three digits: "950", "12.3k", "4.56M"."""
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= 0.9995 * size:
            return f"{number / size:.3g}{unit}"
    return str(number)


def _asked() -> TextColumn:
    """What is being asked, in the room that is left."""
    left = Column(ratio=2, no_wrap=True, overflow="ellipsis")
    return TextColumn("{task.description}", style="bold", markup=False, table_column=left)


def _whole(width: int) -> Column:
    """A column that is never cut on a narrow terminal."""
    return Column(no_wrap=True, min_width=width, justify="right")
