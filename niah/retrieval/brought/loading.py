"""From a reference to what can be asked."""

from __future__ import annotations

from niah.retrieval.brought.function import UserFunction, load_function
from niah.retrieval.brought.outside import LIMIT_S, Outside
from niah.retrieval.brought.reference import PYTHON, kind_of
from niah.retrieval.brought.service import UserService


def check_importable(reference: str) -> None:
    """Import a function; a service, which may not be up yet, is not asked. Raises StrategyError."""
    if kind_of(reference) == "function":
        load_function(reference.removeprefix(PYTHON))


def outside(reference: str, limit_s: float = LIMIT_S) -> Outside:
    """What the reference names: imported, or found to be listening. Raises StrategyError.

    Args:
        reference: checked.
        limit_s: how long one question may take.
    """
    if kind_of(reference) == "function":
        return UserFunction(reference, load_function(reference.removeprefix(PYTHON)), limit_s)
    service = UserService(reference, limit_s)
    service.check()
    return service
