"""When a strategy of the user's own need not be asked any more: all of its trials would fail."""

from __future__ import annotations

from collections import defaultdict

from niah.errors import OutsideError
from niah.readers.fault_streak import FaultStreak, StoppedReader
from niah.readers.reader import Failure, Lasting, Response

# Of the address or the key, as of a reader's endpoint.
_FEW = 3
# By their words: the next question may still be another.
_MANY = 10


def failure_of(error: OutsideError) -> Failure:
    """The outcome of a trial whose retriever or application failed."""
    lasting = Lasting(_FEW if error.meets_all else _MANY, error.remedy)
    return Failure("reader_error", error.message, lasting=lasting)


class StrategyFaults:
    """Counts failures of each strategy that come one after another, over all readers."""

    def __init__(self) -> None:
        self._streaks: defaultdict[str, FaultStreak] = defaultdict(FaultStreak)

    def note(self, strategy: str, response: Response | None) -> bool:
        """Take in what came of a trial; whether it tells nothing more, the strategy having been stopped.

        Args:
            strategy: its name.
            response: of an application, or a failure; None where a retriever did its work.
        """
        if strategy not in self._streaks and not isinstance(response, Failure):
            return False
        streak = self._streaks[strategy]
        if response is None:
            streak.clear()
            return False
        return streak.note(response)

    def why_stopped(self, strategy: str) -> StoppedReader | None:
        """Why it is asked no further; None as long as it is."""
        return self._streaks[strategy].stopped if strategy in self._streaks else None

    @property
    def stopped(self) -> dict[str, StoppedReader]:
        """Why strategies are asked no further, by name."""
        return {name: each.stopped for name, each in self._streaks.items() if each.stopped}
