"""How often and how long endpoints are asked. It changes no answer, and is imported at every start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from niah.errors import UserError


@dataclass(frozen=True)
class Patience:
    """How often and how long an endpoint is asked. It changes no answer."""

    attempts: int = 4  # of one reading; those that met a limit do not count
    timeout_s: float = 600.0  # of one attempt, from sending to the last byte
    first_wait_s: float = 2.0  # before the second attempt; it doubles from there, plus up to a half at random
    longest_wait_s: float = 120.0  # where an endpoint asks for more, the reading fails at once
    gone_s: float = 15.0  # for an endpoint that answers nothing; 0 leaves it to the attempts
    limited_s: float = 120.0  # waits of one reading for an endpoint that limits it


ONCE = Patience(attempts=1, timeout_s=inf, gone_s=0)


@dataclass(frozen=True)
class Transport:
    """What a user set of patience; None leaves it as it is."""

    wait_s: float | None = None
    timeout_s: float | None = None
    attempts: int | None = None

    @property
    def patience(self) -> Patience:
        """That of a reader."""
        usual, wait_s = Patience(), self.wait_s or 0.0
        return Patience(
            attempts=self.attempts or usual.attempts,
            timeout_s=self.timeout_s or usual.timeout_s,
            longest_wait_s=max(usual.longest_wait_s, wait_s),
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
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|h|min)?", text.strip().lower())
    seconds = float(found[1]) * {"m": 60, "min": 60, "h": 3600}.get(found[2], 1) if found else 0.0
    if not 0 < seconds <= 7 * 24 * 3600:
        raise UserError(f"{text!r} is no duration.", "Write 30s, 10m or 2h, up to 168h.")
    return seconds
