"""When a reader need not be asked any more: failures that every other trial would meet as well."""

from __future__ import annotations

import re
from dataclasses import dataclass

from niah.readers.reader import Answer, Lasting, Response

_DIGITS = re.compile(r"\d+")
_OF_THE_ENDPOINT = 3
"""So few in a row are proof only where the words do not matter: of a key, say, and not of a request."""


@dataclass(frozen=True)
class StoppedReader:
    """Why a reader was asked no further.

    Attributes:
        failures: that came in a row, the last of them for ``reason``.
        remedy: what to do, one line.
        is_mistake: whether the model's name or the address is wrong.
    """

    failures: int
    reason: str
    remedy: str
    is_mistake: bool = False


class FaultStreak:
    """Counts lasting failures of one reader that come one after another.

    Any other response ends the row: the endpoint can answer. Answers from the response cache say nothing.

    Attributes:
        stopped: why the reader need not be asked any more; None as long as it need.
    """

    def __init__(self) -> None:
        self.stopped: StoppedReader | None = None
        self._kind: object = None
        self._count = 0

    def note(self, response: Response) -> bool:
        """Take a response in; whether it tells nothing more, the reader having been stopped for the same."""
        if isinstance(response, Answer) and response.cached:
            return False
        lasting = None if isinstance(response, Answer) else response.lasting
        if isinstance(response, Answer) or lasting is None:
            self.clear()
            return False
        if self.stopped:
            return True
        kind = _kind(lasting, response.reason)
        self._count = self._count + 1 if kind == self._kind else 1
        self._kind = kind
        if self._count >= lasting.in_a_row:
            self.stopped = StoppedReader(self._count, response.reason, lasting.remedy, lasting.is_mistake)
        return False

    def clear(self) -> None:
        """Something else came of a trial: the row ends."""
        self._kind, self._count = None, 0


def _kind(lasting: Lasting, reason: str) -> object:
    """What two failures have alike that are one fault."""
    if lasting.in_a_row <= _OF_THE_ENDPOINT:
        return lasting.remedy
    return lasting.remedy, _DIGITS.sub("#", reason)
