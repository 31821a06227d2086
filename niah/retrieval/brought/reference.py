"""How a user names what they bring: a Python function, or the address of a service. Pure."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from niah.errors import StrategyError

PYTHON = "py:"
ADDRESSES = ("http://", "https://")
"""What a service's address begins with."""
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def is_brought(text: str) -> bool:
    """Whether a name is meant to be a function's or an address."""
    return text.startswith((PYTHON, *ADDRESSES))


def kind_of(reference: str) -> Literal["function", "service"]:
    """What a reference names."""
    return "function" if reference.startswith(PYTHON) else "service"


def as_reference(text: str) -> str:
    """The canonical text of a reference that a run config holds, where ``py:`` may be left out.

    Raises StrategyError.
    """
    return checked(text if is_brought(text) else f"{PYTHON}{text}")


def checked(reference: str) -> str:
    """The reference. Raises StrategyError for what can be neither."""
    if kind_of(reference) == "function":
        module, _, function = reference.removeprefix(PYTHON).rpartition(":")
        if not (_MODULE.fullmatch(module) or module.endswith(".py")) or not _FUNCTION.fullmatch(function):
            problem = f"{reference!r} names no Python function."
            raise StrategyError(problem, "Write py:MODULE:FUNCTION, or py:./FILE.py:FUNCTION.")
        return reference
    try:
        parts = urlsplit(reference)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        raise StrategyError(f"{reference!r} is no address.", "Write http://127.0.0.1:9000/retrieve.")
    if parts.username or parts.password or parts.query or parts.fragment:
        problem = "the address of a service stands in run files, and holds no user, password or query."
        raise StrategyError(problem, "Leave them out; a Python function may add what is secret.")
    return reference
