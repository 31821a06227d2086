"""Retrievers of other packages: what they give is checked, and what goes wrong in them is one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.errors import NiahError, OutsideError
from niah.plugins.registry import error_line

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
        """Shape (len(texts),): the higher, the better. Raises OutsideError."""
        return checked_scores("retriever", self.name, self.retriever, query, texts)


def checked_scores(
    kind: str, name: str, scorer: Any, query: str, texts: Sequence[str]
) -> NDArray[np.float64]:
    """Shape (len(texts),): what a package's ``score`` gives of each text. Raises OutsideError.

    Args:
        kind: what it is ("retriever").
        name: as users call it.
        scorer: what its entry point made.
        query, texts: what it is asked.
    """
    try:
        scores = np.asarray(scorer.score(query, texts), dtype=np.float64)
    except NiahError:
        raise
    except Exception as error:
        raise _failed(kind, name, error_line(error)) from error
    if scores.shape != (len(texts),):
        raise _failed(kind, name, f"it gave scores of shape {scores.shape} for {len(texts)} chunks")
    if not np.isfinite(scores).all():
        raise _failed(kind, name, "it gave a score that is not a finite number")
    return scores


def _failed(kind: str, name: str, problem: str) -> OutsideError:
    return OutsideError(f"the {kind} {name} failed: {problem}.", "Mend the package that has it.")
