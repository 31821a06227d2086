"""A retriever of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.retrieval.brought.offer import read_offer
from niah.retrieval.brought.outside import Outside, failed
from niah.retrieval.retriever import Offer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class BroughtRetriever:
    """A function of question and chunks, or a service that gets both.

    Attributes:
        name: its reference.
        outside: what is asked.
    """

    name: str
    outside: Outside

    def offer(self, query: str, texts: Sequence[str]) -> Offer:
        """What it returns of the chunks. Raises OutsideError."""
        reply = self.outside.ask(question=query, chunks=list(texts))
        try:
            return read_offer(reply, texts)
        except Exception as error:  # what it returned may run code of its own when it is read
            says = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            raise failed(self.name, says) from error

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 0 for what it does not offer, where it gives an order. Raises OutsideError."""
        return self.offer(query, texts).scores
