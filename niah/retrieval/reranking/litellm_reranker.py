"""Rerankers of any provider, through litellm: Cohere, Voyage, Jina, a vLLM server of one's own, ..."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.readers.http.retries.patience import Patience
from niah.retrieval.provider_model import ProviderModel, batches

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXTS_AT_ONCE = 100
_REMEDY = "Is it a reranker?"


class LiteLLMReranker:
    """Scores with a reranker of any provider that litellm knows.

    Args:
        model: litellm's name, ``provider/model``; see ``ProviderModel``.
        patience: limits of retries and time of one request.
    """

    block_texts = _TEXTS_AT_ONCE

    def __init__(self, model: str, patience: Patience | None = None) -> None:
        self._model = ProviderModel(model, "rerank", patience)

    @property
    def identity(self) -> str:
        """See ``ProviderModel``."""
        return f"{self._model.identity} reranker"

    def check(self) -> None:
        """Raise ReaderConfigError where litellm does not know the provider, or a key is not set."""
        self._model.check()

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),).

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses the texts, or gives no scores in spite of retries, or wrong ones.
        """
        pieces = [self._model.parts(text, beside=query) for text in texts]
        every = [part for parts in pieces for part in parts]
        read = partial(self._scores, query)
        blocks = [self._model.in_batches(batch, read) for batch in batches(every, _TEXTS_AT_ONCE)]
        firsts = np.cumsum([0, *(len(parts) for parts in pieces[:-1])])
        best: NDArray[np.float64] = np.maximum.reduceat(np.concatenate(blocks), firsts)
        return best

    def _scores(self, query: str, batch: Sequence[str]) -> NDArray[np.float64]:
        """Shape (texts,), with retries."""
        reply = self._model.ask(
            lambda litellm, limits: litellm.rerank(
                model=self._model.name,
                query=query,
                documents=list(batch),
                top_n=len(batch),
                return_documents=False,
                **limits,
            )
        )
        return self._in_order(reply.results or [], len(batch))

    def _in_order(self, results: Sequence[Any], expected: int) -> NDArray[np.float64]:
        """A reply's scores in the order of the texts."""
        try:
            found = {int(each["index"]): float(each["relevance_score"]) for each in results}
        except (ValueError, TypeError, KeyError):
            raise self._model.wrong("results that have no index and score", _REMEDY) from None
        if sorted(found) != list(range(expected)) or len(results) != expected:
            raise self._model.wrong(f"other results than one for each of {expected} texts", _REMEDY)
        scores = np.array([found[i] for i in range(expected)])
        if not np.isfinite(scores).all():
            raise self._model.wrong("a score that is not finite", _REMEDY)
        return scores
