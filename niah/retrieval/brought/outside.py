"""Asks what a user brings. Whatever goes wrong there is one line, and said of one question."""

from __future__ import annotations

from typing import Any, Protocol

from niah.errors import OutsideError
from niah.readers.http.outcomes import one_line

LIMIT_S = 60.0
"""How long one question may take, all attempts together."""


class Outside(Protocol):
    """A function or a service."""

    def ask(self, **fields: Any) -> object:
        """What it returns for named fields. Raises OutsideError."""
        ...


def failed(reference: str, problem: str, remedy: str = "", *, meets_all: bool = False) -> OutsideError:
    """What is said of one that failed."""
    message = f"{reference} failed: {one_line(problem).rstrip('.')}."
    return OutsideError(message, remedy or "Mend it, and run again.", meets_all=meets_all)
