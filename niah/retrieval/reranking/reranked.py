"""A retriever whose best chunks a reranker scores anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.reranking.reranker import RERANKED, Reranker
from niah.retrieval.retriever import Offer, OfferingRetriever, Retriever, SeededRetriever
from niah.text.embedding.vector_cache import DiskVectors
from niah.text.embedding.watch import embedding_watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.embedding.vector_cache import Vectors

# The others stand below them so close that no gap tells where they begin.
_STEP = 1e-6

# Equal chunks in two places of a batch differ by about 1e-7.
_CERTAIN_DECIMALS = 5
_LARGEST = 60_000.0


class RerankedRetriever:
    """Ranks the best 100 chunks of a retriever by a reranker's scores; the others stay below as they were.

    What a reranker said of a question and a chunk is kept on disk, for all strategies and runs.

    Args:
        name: as users call it ("bm25+OWNER/NAME").
        first: gives the candidates.
        reranker: the model.
        disk: where scores outlive the process.
    """

    def __init__(self, name: str, first: Retriever, reranker: Reranker, disk: DiskVectors) -> None:
        self.name = name
        self._first = first
        self._reranker = reranker
        self._disk = disk
        self._lock = Lock()

    def seeded(self, seed: str) -> RerankedRetriever:
        """The same, over the chunks that a first retriever draws by ``seed``."""
        if not isinstance(self._first, SeededRetriever):
            return self
        return RerankedRetriever(self.name, self._first.seeded(seed), self._reranker, self._disk)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the reranker's scores, and below the least of them what it has not read."""
        return self.offer(query, texts).scores

    def offer(self, query: str, texts: Sequence[str]) -> Offer:
        """What the first retriever offers, its best chunks ranked anew."""
        if not texts:
            return Offer(np.zeros(0), 0)
        first = self._first_offer(query, texts)
        if not first.offered:
            return first
        ranking = np.argsort(-first.scores, kind="stable")
        read = ranking[: min(RERANKED, first.offered)]
        unread = ranking[len(read) :]
        scores = np.empty(len(texts))
        scores[read] = self._relevance(query, [texts[i] for i in read])
        least = scores[read].min()
        scores[unread] = least - _STEP * max(1.0, abs(least)) * np.arange(1, len(unread) + 1)
        return replace(first, scores=scores)

    def _first_offer(self, query: str, texts: Sequence[str]) -> Offer:
        if isinstance(self._first, OfferingRetriever):
            return self._first.offer(query, texts)
        return Offer(self._first.score(query, texts), len(texts))

    def _relevance(self, query: str, texts: Sequence[str]) -> list[float]:
        hasher = blake2b(f"{self._reranker.identity}\0{len(query)}\0".encode(), digest_size=16)
        hasher.update(query.encode("utf-8", "surrogatepass"))
        keys = [_key(hasher, text) for text in texts]
        with self._lock:
            known = self._disk.get(dict.fromkeys(keys))
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            known |= self._scored(query, missing)
        return [_unpacked(known[key]) for key in keys]

    def _scored(self, query: str, missing: dict[bytes, str]) -> dict[bytes, Vectors]:
        made: dict[bytes, Vectors] = {}
        watch = embedding_watch()
        left = list(missing)
        if watch and left:
            watch.begin(self.name, len(left), sum(map(len, missing.values())))
        try:
            while left:
                keys, left = left[: self._reranker.block_texts], left[self._reranker.block_texts :]
                block = [missing[key] for key in keys]
                scores = self._reranker.relevance(query, block).tolist()
                packed = {key: _packed(score) for key, score in zip(keys, scores, strict=True)}
                self._disk.put(packed)
                made |= packed
                if watch:
                    watch.embedded(len(block), sum(map(len, block)))
        finally:
            if watch:
                watch.end()
        return made


def _key(hasher: blake2b, text: str) -> bytes:
    hasher = hasher.copy()
    hasher.update(text.encode("utf-8", "surrogatepass"))
    return hasher.digest()


def _packed(score: float) -> Vectors:
    """A score as two numbers of 16 bits, which is how the disk keeps them: 22 bits of it."""
    certain = float(np.clip(round(score, _CERTAIN_DECIMALS), -_LARGEST, _LARGEST))
    high = np.float16(certain)
    return np.array([[high, np.float16(certain - float(high))]], dtype=np.float32)


def _unpacked(kept: Vectors) -> float:
    return round(float(kept[0, 0]) + float(kept[0, 1]), _CERTAIN_DECIMALS)
