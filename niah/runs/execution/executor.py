"""Where trials are prepared and asked: this process, or the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

from niah.readers.reader import Reading, Traffic
from niah.runs.trial import Trial
from niah.strategies.facts import RetrievalFacts


@dataclass(frozen=True)
class PreparedTrial:
    """A trial that is prepared: what is known of it before any answer.

    Attributes:
        key: of its request in the response cache; None where the same request may get another answer.
        reader_settings: how the reader would be asked, as the response cache sees it.
    """

    context_tokens: int
    retrieval: RetrievalFacts | None
    key: str | None
    reader_settings: dict[str, str | int]


@dataclass(frozen=True)
class Response:
    """What a reader said to a trial.

    Attributes:
        may_be_kept: whether the same request would get the same answer, now that it has been asked.
    """

    reading: Reading
    may_be_kept: bool


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

    async def prepare(self, lane: int, trial: Trial) -> PreparedTrial:
        """Build the context, apply the strategy, render the prompt. Raises NiahError."""
        ...

    async def read(self, lane: int, trial: Trial) -> Response:
        """Ask what was prepared. What an endpoint does wrong comes back as a Failure."""
        ...

    def drop(self, lane: int, trial: Trial) -> None:
        """Forget what was prepared: it need not be asked."""
        ...
