"""How often and how long endpoints are asked. It changes no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from niah.errors import UserError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|min)?", re.ASCII)
_UNIT_S = {None: 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_LONGEST_S = 7 * 24 * 3600


@dataclass(frozen=True)
class Patience:
    """How often and how long an endpoint is asked.

    Attributes:
        attempts: requests at most per reading; those that met a limit do not count.
        timeout_s: limit of one attempt, from sending to the last byte.
        first_wait_s: wait before the second attempt; it doubles from there, plus up to a half at random.
        longest_wait_s: no wait is longer. Where an endpoint asks for more, the reading fails at once.
        total_s: limit of the attempts and waits of one reading.
        gone_s: how long an endpoint is waited for that answers nothing; 0 leaves it to the attempts.
        limited_s: how long a reading waits for an endpoint that limits it.
    """

    attempts: int = 4
    timeout_s: float = 600.0
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    total_s: float = 3600.0
    gone_s: float = 15.0
    limited_s: float = 120.0


@dataclass(frozen=True)
class Transport:
    """What a user set of patience; None leaves it as it is."""

    wait_s: float | None = None
    timeout_s: float | None = None
    attempts: int | None = None

    def over(self, other: Transport) -> Transport:
        """This one, and of the other what this one leaves."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return Transport(**{**vars(other), **own})

    @property
    def patience(self) -> Patience:
        """That of a reader."""
        usual, wait_s = Patience(), self.wait_s or 0.0
        attempts, timeout_s = self.attempts or usual.attempts, self.timeout_s or usual.timeout_s
        return Patience(
            attempts=attempts,
            timeout_s=timeout_s,
            longest_wait_s=max(usual.longest_wait_s, wait_s),
            total_s=max(usual.total_s, attempts * timeout_s + wait_s),
            gone_s=wait_s or usual.gone_s,
            limited_s=wait_s or usual.limited_s,
        )


asked_with: ContextVar[Transport] = ContextVar("asked_with", default=Transport())  # noqa: B039
"""How patiently embedders, rerankers and services are asked."""


@contextmanager
def asking_with(transport: Transport) -> Iterator[None]:
    """Embedders, rerankers and services are asked that patiently meanwhile."""
    token = asked_with.set(transport)
    try:
        yield
    finally:
        asked_with.reset(token)


def parse_duration(text: str) -> float:
    """The seconds of "30s", "10m", "1.5h" or "45". Raises UserError."""
    found = _DURATION.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _UNIT_S[found[2]] if found else 0.0
    if not 0 < seconds <= _LONGEST_S:
        raise UserError(f"{text!r} is no duration.", "Write 30s, 10m or 2h, up to 168h.")
    return seconds
