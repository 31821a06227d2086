"""What a retriever is: it scores chunks for a query, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Retriever(Protocol):
    """Scores the chunks of one context for one query.

    The chunks come in document order, all at once: some retrievers weigh a chunk by its neighbours.
    """

    @property
    def name(self) -> str:
        """As users call it ("minilm")."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better. Scores of different retrievers do not compare."""
        ...


@runtime_checkable
class SeededRetriever(Retriever, Protocol):
    """One that draws lots: the same for the same sample, others for another one."""

    def seeded(self, seed: str) -> Retriever:
        """The retriever for the sample of that seed."""
        ...


@runtime_checkable
class EmbeddingRetriever(Retriever, Protocol):
    """One that compares embeddings."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions): one row of length 1 for each."""
        ...


@dataclass(frozen=True)
class Offer:
    """What a retriever offers of a context's chunks.

    Attributes:
        scores: shape (chunks,): the higher, the better; those not offered are below the others.
        offered: how many are.
        foreign: how many more it gave that are none of the context's chunks.
    """

    scores: NDArray[np.float64]
    offered: int
    foreign: int = 0


@runtime_checkable
class OfferingRetriever(Retriever, Protocol):
    """One that may leave chunks out, and give what is none."""

    def offer(self, query: str, texts: Sequence[str]) -> Offer:
        """What it has for the query among ``texts``, in document order."""
        ...
