"""What a retriever is: it scores chunks for a query, nothing else. And the baselines, which read nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Retriever(Protocol):
    """Scores the chunks of one context, all at once and in document order, for one query."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better. Scores of different retrievers do not compare."""


@runtime_checkable
class SeededRetriever(Retriever, Protocol):
    """A retriever that draws at random: the same for the same sample, others for another one."""

    def seeded(self, seed: str) -> Retriever:
        """The retriever for the sample of that seed."""


@runtime_checkable
class EmbeddingRetriever(Retriever, Protocol):
    """A retriever that compares embeddings."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions): one row of length 1 for each."""


@dataclass(frozen=True)
class Ranking:
    """What a retriever returned of a context's chunks."""

    scores: NDArray[np.float64]  # shape (chunks,): the higher, the better; those not returned are below
    returned: int  # how many were returned
    foreign: int = 0  # how many more that are none of the context's chunks


@runtime_checkable
class RankingRetriever(Retriever, Protocol):
    """A retriever that may leave chunks out, and return what is none."""

    def ranking(self, query: str, texts: Sequence[str]) -> Ranking:
        """What it returns for the query of ``texts``, in document order."""


def ranking_of(retriever: Retriever, query: str, texts: Sequence[str]) -> Ranking:
    """What a retriever returns of the texts: all of them, where it may leave none out."""
    if isinstance(retriever, RankingRetriever):
        return retriever.ranking(query, texts)
    return Ranking(retriever.score(query, texts), len(texts))


def random_numbers(seed: str, count: int) -> NDArray[np.float64]:
    """Shape (count,): numbers from 0 to 1 that look random; the same for a seed everywhere and always."""
    import numpy as np

    draw = random.Random(seed).random
    return np.array([draw() for _ in range(count)])


@dataclass(frozen=True)
class RandomRetriever:
    """Random scores; equal for equal seeds and numbers of chunks, whatever the chunks say."""

    seed: str = ""

    def seeded(self, seed: str) -> RandomRetriever:
        """The one that draws by ``seed``."""
        return RandomRetriever(seed)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 to 1."""
        return random_numbers(f"{self.seed}|random", len(texts))


class FirstRetriever:
    """Ranks chunks by their place: the text's beginning."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 1 for the first, falling to just above 0."""
        import numpy as np

        return 1 - np.arange(len(texts)) / max(1, len(texts))


class LastRetriever(FirstRetriever):
    """Ranks chunks from the last one backwards: the text's end."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 1 for the last."""
        return super().score(query, texts)[::-1]
