"""What readers over the network have in common: a model, a name, a dialect, and attempts."""

from __future__ import annotations

from niah.readers.http.dialect import Negotiation
from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience
from niah.readers.http.retries.retrier import Retrier
from niah.readers.reader import Request, Response, Traffic

_SHORT_QUESTION = Request("Say OK.", max_tokens=16)
# Letters of a prompt that take about as long to read as one token takes to write.
_LETTERS_PER_TOKEN = 40


class RetryingReader:
    """What readers over the network have in common: a model, a name, a dialect, and a ``Retrier``.

    Args:
        model: as the endpoint or provider knows it.
        name: stable name of the reader; the model's where it is empty.
        concurrency: how many requests may be under way at once.
        patience: limits of retries and time.
    """

    def __init__(self, model: str, name: str, concurrency: int, patience: Patience | None) -> None:
        self._model = model
        self._name = name or model
        self._concurrency = concurrency
        self._negotiation = Negotiation()
        self._retrier = Retrier(
            patience or Patience(),
            concurrency,
            lambda: self._ask(_SHORT_QUESTION),
            self._name,
            self._lists_models,
        )

    @property
    def name(self) -> str:
        """Stable name, part of every trial's identity."""
        return self._name

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once."""
        return self._concurrency

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return self._retrier.traffic

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        size = len(request.text) + _LETTERS_PER_TOKEN * request.max_tokens
        return await self._retrier.read(lambda: self._ask(request), size)

    async def _lists_models(self) -> bool:
        """Whether the endpoint says which models it has; where nobody can ask it, it does not."""
        return False

    async def _ask(self, request: Request) -> Response | Fault:
        return await self._negotiation.ask(self._attempt, request)

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected."""
        raise NotImplementedError
