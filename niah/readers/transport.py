"""How patiently endpoints are asked: what a user may set of it. It changes no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.errors import UserError

if TYPE_CHECKING:
    from niah.readers.http.retries.patience import Patience

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|min)?", re.ASCII)
_UNIT_S = {None: 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_LONGEST_S = 7 * 24 * 3600


def parse_duration(text: str) -> float:
    """The seconds of "30s", "10m", "1.5h" or "45". Raises UserError."""
    found = _DURATION.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _UNIT_S[found[2]] if found else 0.0
    if not 0 < seconds <= _LONGEST_S:
        raise UserError(f"{text!r} is no duration.", "Write 30s, 10m or 2h, up to 168h.")
    return seconds


@dataclass(frozen=True)
class Transport:
    """What somebody set; None leaves it as it is.

    Attributes:
        wait_s: how long an endpoint is waited for that answers nothing, or asks for patience.
        timeout_s: limit of one request.
        attempts: requests at most, of one reading.
    """

    wait_s: float | None = None
    timeout_s: float | None = None
    attempts: int | None = None

    def over(self, other: Transport) -> Transport:
        """This one, and of the other what this one leaves."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return Transport(**{**vars(other), **own})

    @property
    def patience(self) -> Patience:
        """That of a reader over HTTP."""
        from niah.readers.http.retries.patience import Patience

        usual = Patience()
        attempts, timeout_s = self.attempts or usual.attempts, self.timeout_s or usual.timeout_s
        wait_s = self.wait_s
        return Patience(
            attempts=attempts,
            timeout_s=timeout_s,
            longest_wait_s=max(usual.longest_wait_s, wait_s or 0.0),
            total_s=max(usual.total_s, attempts * timeout_s + (wait_s or 0.0)),
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
