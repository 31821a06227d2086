"""From a reference to what can be asked."""

from __future__ import annotations

from niah.retrieval.brought.function import UserFunction, load_function
from niah.retrieval.brought.outside import Outside
from niah.retrieval.brought.reference import PYTHON, kind_of
from niah.retrieval.brought.service import UserService


def outside(reference: str) -> Outside:
    """What the reference names: imported, or found to be listening. Raises StrategyError."""
    if kind_of(reference) == "function":
        return UserFunction(reference, load_function(reference.removeprefix(PYTHON)))
    service = UserService(reference)
    service.check()
    return service
