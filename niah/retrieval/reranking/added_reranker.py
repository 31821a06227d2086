"""Rerankers of other packages: what they give is checked, and what goes wrong in them is one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from niah.retrieval.added import checked_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AddedReranker:
    """Another package's reranker.

    Args:
        name: as users call it.
        reranker: what its entry point made.
        package: who adds it, with its version.
    """

    def __init__(self, name: str, reranker: Any, package: str) -> None:
        self._name = name
        self._reranker = reranker
        self._package = package

    @property
    def identity(self) -> str:
        """Of package, version and, where it says so itself, model."""
        return f"{self._package} {self._name} {getattr(self._reranker, 'identity', '')}"

    @property
    def block_texts(self) -> int:
        """Its own, or few: nobody knows how long it takes."""
        return int(getattr(self._reranker, "block_texts", 16))

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),). Raises OutsideError."""
        return checked_scores("reranker", self._name, self._reranker, query, texts)
