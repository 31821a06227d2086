"""The progress line of a run."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, RenderableColumn, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from niah.plots.labels import amount_label
from niah.readers.reader import Traffic, Usage
from niah.runs.cost.prices import spending_label
from niah.runs.execution import ask
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import display_name

_PLAIN_STEPS, _PLAIN_S = 10, 30.0  # lines where no bar can be drawn; seconds after which one more comes
_MOST_REASONS = 20  # reasons of trials not scored that are told one by one; an endpoint may have any number


class RunProgress(ask.Progress):
    """A bar with the time left on a terminal, a line now and then elsewhere; both on stderr.

    Of ``planned`` trials earlier invocations have ``finished`` some, and this one will run ``todo``.
    """

    def __init__(self, planned: int, finished: int, todo: int, *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, quiet=quiet)
        self._todo, self._done = todo, 0
        self._counts: Counter[str] = Counter()
        self._reasons: set[tuple[str, str]] = set()  # outcomes with their reasons, without numbers
        self._usd = Decimal(0)
        self._traffic: Callable[[], Traffic] = Traffic
        self._started = self._said_at = time.monotonic()
        self._bar = Progress(
            BarColumn(bar_width=None, table_column=Column(ratio=1, min_width=4)),
            MofNCompleteColumn(table_column=Column(no_wrap=True, min_width=2 * len(str(todo)) + 1)),
            TimeRemainingColumn(compact=True, table_column=Column(no_wrap=True, min_width=7)),
            RenderableColumn(self, table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=self._console,
            disable=not self._console.is_terminal or todo == 0,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("preparing", total=todo)
        if finished:
            self.say(f"{finished} of {planned} trials are finished; {todo} to go")

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __rich__(self) -> Text:
        """Made anew whenever the bar is drawn: a wait is seen while nothing finishes."""
        return Text(", ".join(self._facts()), style="dim")

    def say(self, text: str) -> None:
        """A line of its own."""
        # No markup: an endpoint's words may hold brackets.
        self._console.print(text, style="dim", highlight=False, soft_wrap=True, markup=False)

    def asking(self, traffic: Callable[[], Traffic]) -> None:
        """Show what readers have under way, from now on."""
        self._traffic = traffic

    def paid(self, usage: Usage, usd: Decimal | None) -> None:
        """Count what a call took."""
        self._counts["tok"] += (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)
        self._counts["unpriced"] += usd is None
        self._usd += usd or 0

    def finished(self, trial: Trial, result: TrialResult) -> None:
        """Count it; say why one was not scored, once for all reasons that differ in numbers alone."""
        self._done += 1
        if result.from_cache:
            self._counts["reused" if result.reused_from else "alike"] += 1
        else:
            self.paid(result.usage, result.cost)
        if result.outcome != "scored":
            self._counts["not scored"] += 1
            why = result.outcome, re.sub(r"\d+", "#", result.reason)
            if why not in self._reasons and len(self._reasons) < _MOST_REASONS:
                self._reasons.add(why)
                name = f"{trial.sample.sample_id} · {display_name(trial.strategy.name)}"
                self.say(f"{name}: {result.outcome}: {result.reason}")
        self._bar.update(self._task, advance=1)
        now = time.monotonic()
        step = self._done % max(1, self._todo // _PLAIN_STEPS) == 0
        if self._bar.disable and (step or now - self._said_at >= _PLAIN_S):
            self._said_at, left = now, self._todo - self._done
            seconds = round(left * (now - self._started) / self._done)
            eta = [f"ETA {timedelta(seconds=seconds)}"] if left else []
            self.say(", ".join([f"{self._done} of {self._todo} trials", *self._facts(), *eta]))

    def _facts(self) -> list[str]:
        """What there is to tell next to the count, what matters most first; zeros are left out."""
        traffic, counts = self._traffic(), self._counts
        usd = f"{'at least ' if counts['unpriced'] else ''}{spending_label(self._usd, 'usd')}"
        facts = {
            traffic.preparing: bool(traffic.preparing),
            usd: self._usd,
            f"{traffic.running} running": traffic.running,
            f"{traffic.waiting} waiting": traffic.waiting,
            f"{counts['not scored']} not scored": counts["not scored"],
            f"{amount_label(counts['tok'])} tok": counts["tok"],
            f"{counts['alike']} copied": counts["alike"],
            f"{counts['reused']} reused": counts["reused"],
            f"{traffic.retries} {'retry' if traffic.retries == 1 else 'retries'}": traffic.retries,
        }
        return [fact for fact, is_known in facts.items() if is_known]
