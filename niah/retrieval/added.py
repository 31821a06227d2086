"""Retrievers of other packages: what they give is checked, and what goes wrong in them is one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.errors import NiahError, StrategyError

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class AddedRetriever:
    """Another package's retriever.

    Attributes:
        name: as users call it.
        retriever: what its entry point made.
    """

    name: str
    retriever: Any

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better. Raises StrategyError."""
        try:
            scores = np.asarray(self.retriever.score(query, texts), dtype=np.float64)
        except NiahError:
            raise
        except Exception as error:
            raise self._failed(f"{type(error).__name__}: {error}") from error
        if scores.shape != (len(texts),):
            raise self._failed(f"it gave scores of shape {scores.shape} for {len(texts)} chunks")
        if not np.isfinite(scores).all():
            raise self._failed("it gave a score that is not a finite number")
        return scores

    def _failed(self, problem: str) -> StrategyError:
        line = " ".join(problem.split()).rstrip(".")
        return StrategyError(f"the retriever {self.name} failed: {line}.", "Mend the package that has it.")
