"""Attempts that play back results, and a retrier for them, in a time of their own."""

from __future__ import annotations

from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience
from niah.readers.http.retries.retrier import Retrier
from niah.readers.reader import Answer, Failure, Response, Usage
from tests.readers.http.virtual_time import VirtualTime

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, longest_wait_s=1.0, gone_s=0.3, limited_s=1.0)
clock = VirtualTime()


class Script:
    """An attempt that plays back results and notes when it was called."""

    def __init__(self, *results: Response | Fault) -> None:
        self.results = list(results)
        self.called: list[float] = []

    async def __call__(self) -> Response | Fault:
        self.called.append(clock.time())
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def retrier(patience: Patience = QUICK, concurrency: int = 8, short: Script | None = None) -> Retrier:
    """Of an endpoint that answers short questions, unless ``short`` says otherwise."""
    return Retrier(patience, concurrency, short or Script(GOOD))


def read(script: Script, patience: Patience = QUICK) -> Response:
    return clock.run(retrier(patience).read(script))


def summary(response: Response) -> tuple[str, str]:
    assert isinstance(response, Failure)
    return response.outcome, response.reason
