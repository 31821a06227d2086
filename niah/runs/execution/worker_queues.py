"""Which trial goes to which slot of a reader, so that what the slot has in its cache is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from niah.runs.prefix_order import groups
from niah.runs.trial import Trial


class WorkerQueues:
    """Hands trials out to lanes that run side by side, each with a prompt cache of its own.

    A lane stays with one group of trials, whose prompts begin alike, and then takes the next that nobody has
    begun. Where none is left, it takes over the later half of what the most laden lane has before it: two
    stretches of the order instead of one, at the price of a single prompt that finds no cache. No lane stands
    idle while a trial waits. What is handed out depends on the calls alone.

    Args:
        trials: in the order of ``in_prefix_order``; one lane alone gets them in just this order.
        lanes: how many; they are numbered from 0.
    """

    def __init__(self, trials: Sequence[Trial], lanes: int) -> None:
        self._untouched = deque(groups(trials))
        self._waiting: list[deque[Trial]] = [deque() for _ in range(lanes)]

    def take(self, lane: int) -> Trial | None:
        """The lane's next trial; None where nothing waits. O(1), but for a take-over."""
        waiting = self._waiting[lane]
        if not waiting:
            waiting.extend(self._untouched.popleft() if self._untouched else self._later_half())
        return waiting.popleft() if waiting else None

    def _later_half(self) -> list[Trial]:
        """Of the longest lane, the first of them where several are: the later half, rounded up."""
        longest = max(self._waiting, key=len)
        return [longest.pop() for _ in range((len(longest) + 1) // 2)][::-1]
