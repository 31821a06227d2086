"""Finding out, by asking, what an endpoint takes; learnt once and kept for as long as the reader lives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from niah.readers.http.dialect import rejected_parameter
from niah.readers.http.outcomes import Fault
from niah.readers.reader import Reading, Request

Attempt = Callable[[Request, frozenset[str]], Awaitable[Reading | Fault]]


class Negotiation:
    """What one endpoint has rejected so far."""

    def __init__(self) -> None:
        self._rejected: frozenset[str] = frozenset()

    @property
    def settings(self) -> dict[str, str | int]:
        """``not_sent`` names what the endpoint turned out to reject; empty while it has rejected nothing."""
        return {"not_sent": ", ".join(sorted(self._rejected))} if self._rejected else {}

    async def ask(self, attempt: Attempt, request: Request) -> Reading | Fault:
        """One attempt, repeated at once while the endpoint rejects one more dispensable thing."""
        while True:
            sent = self._rejected  # others that ask at the same time may learn something meanwhile
            result = await attempt(request, sent)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                return result
            self._rejected |= {parameter}
