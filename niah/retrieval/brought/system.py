"""A system of the user's own: the whole application, from question and text to answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

from niah.retrieval.brought.loading import outside
from niah.retrieval.brought.outside import Outside, failed
from niah.retrieval.brought.system_reply import SystemReply, read_system_reply
from niah.retrieval.brought.version import code_of

_LIMIT_S = 600.0


@dataclass(frozen=True)
class BroughtSystem:
    """A function of question and document, or a service that gets both.

    Attributes:
        reference: as users call it.
        outside: what is asked.
    """

    reference: str
    outside: Outside

    def answer(self, question: str, document: str) -> tuple[SystemReply, float]:
        """What it says, and after how many seconds. Raises OutsideError."""
        begun = time.perf_counter()
        reply = self.outside.ask(question=question, document=document)
        seconds = time.perf_counter() - begun
        try:
            return read_system_reply(reply), seconds
        except Exception as error:  # what it returned may run code of its own when it is read
            says = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            raise failed(self.reference, says) from error


_LOADED_CODE: dict[str, str] = {}


def system_code(reference: str) -> str:
    """Digest of the code behind a system: as it was loaded, or as it stands; "" where nobody can see it."""
    return _LOADED_CODE[reference] if reference in _LOADED_CODE else code_of(reference)


@lru_cache
def get_system(reference: str) -> BroughtSystem:
    """The system of that reference, met at the first call. Raises StrategyError."""
    _LOADED_CODE[reference] = code_of(reference)
    return BroughtSystem(reference, outside(reference, _LIMIT_S))
