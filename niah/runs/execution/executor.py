"""Where trials are prepared and asked: this process, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from niah.readers.fatal import StoppedReader
from niah.readers.reader import Request, Response, Traffic
from niah.runs.trial import Trial
from niah.strategies.facts import RetrievalFacts


@dataclass(frozen=True)
class PreparedTrial:
    """A trial that can be asked: its request, and what is known before any answer.

    Attributes:
        request: without its prompt where another process holds that.
        context_tokens: of what stands in the context's place; None where only a system knows.
        key: of the request in the response cache; None where the same request may get another answer.
        reader_settings: how the reader would be asked, as the response cache sees it.
        response: what stands for the reader's, which is not asked: the failure of a strategy.
    """

    request: Request
    context_tokens: int | None
    retrieval: RetrievalFacts | None
    key: str | None = None
    reader_settings: Mapping[str, str | int] = field(default_factory=dict)
    response: Response | None = None


class Executor(Protocol):
    """Opened with ``async with`` for one reader. In one lane, a trial is prepared, then read or dropped."""

    @property
    def lanes(self) -> int:
        """How many trials may be under way at once."""
        ...

    @property
    def traffic(self) -> Traffic:
        """What the reader is at."""
        ...

    @property
    def settings(self) -> dict[str, str | int]:
        """How the reader is asked; complete once opened."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def prepare_documents(self, trials: Sequence[Trial]) -> StoppedReader | None:
        """Have a model prepare the documents of the trials whose strategies ask one first.

        Returns why it was asked no further, if it was not. Raises NiahError, and BudgetSpent where the budget
        does not hold it.
        """
        ...

    async def prepare(self, lane: int, trial: Trial) -> PreparedTrial:
        """Build the context, apply the strategy, render the prompt. Raises NiahError.

        Of a system, the prompt is the context, and the system is asked in the reader's place.
        """
        ...

    async def read(self, lane: int, trial: Trial) -> tuple[Response, bool]:
        """Ask what was prepared. What an endpoint does wrong comes back as a Failure.

        Says too whether the same request would get the same response, now that it has been asked.
        """
        ...

    def drop(self, lane: int, trial: Trial) -> None:
        """Forget what was prepared: it need not be asked."""
        ...
