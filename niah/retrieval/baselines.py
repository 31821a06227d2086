"""Baselines that read nothing: chunks by lot, the first ones, the last ones.

What a retriever finds beyond them it found by reading. ``first`` and ``last`` are also what is left of a text
that is cut at one end.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def lots(seed: str, count: int) -> NDArray[np.float64]:
    """Shape (count,): numbers from 0 to 1 that look random; the same for a seed everywhere and always."""
    draw = random.Random(seed).random
    return np.array([draw() for _ in range(count)])


@dataclass(frozen=True)
class RandomRetriever:
    """Ranks chunks by lot. Equal seeds and numbers of chunks give equal scores, whatever the chunks say."""

    seed: str = ""
    name = "random"

    def seeded(self, seed: str) -> RandomRetriever:
        """The one that draws by ``seed``."""
        return RandomRetriever(seed)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 to 1."""
        return lots(f"{self.seed}|{self.name}", len(texts))


class FirstRetriever:
    """Ranks chunks as they stand: the text's beginning."""

    name = "first"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 1 for the first, falling to just above 0."""
        return 1 - np.arange(len(texts)) / max(1, len(texts))


class LastRetriever:
    """Ranks chunks from the last one backwards: the text's end."""

    name = "last"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 1 for the last."""
        return FirstRetriever().score(query, texts)[::-1]
