"""Rerankers read a question and a chunk together; here they score a retriever's best chunks anew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from niah.cache import Cache
from niah.errors import UserError
from niah.retrieval.dense import UNLIMITED, best_of_parts, load_model, model_windows
from niah.retrieval.names import RERANKED
from niah.retrieval.retriever import Ranking, Retriever, SeededRetriever, ranking_of
from niah.text.embedding import in_blocks

_STEP = 1e-6  # the others stand below them so close that no gap tells where they begin
_CERTAIN_DECIMALS = 5  # equal chunks in two places of a batch differ by about 1e-7
_SCORE = Struct("<d")
_BLOCK_TEXTS = 8  # texts to score in one call: what a crash can lose, and what Ctrl-C waits for
# A question that takes more of what the model reads is cut, as the library would cut the chunk.
_QUESTION_SHARE = 0.5


class Reranker(Protocol):
    """Reads question and chunk together. Used by one thread at a time."""

    @property
    def identity(self) -> str:
        """Of the model; equal only where all scores are equal."""

    @property
    def block_texts(self) -> int:
        """How many texts to score in one call."""

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better the text, or its best part, answers."""


class RerankedRetriever:
    """Ranks the best 100 chunks of a retriever by a reranker's scores; the others stay below as they were.
    What a reranker said of a question and a chunk is cached on disk, for all strategies and runs."""

    def __init__(self, name: str, first: Retriever, reranker: Reranker, disk: Cache) -> None:
        self.name, self._first, self._reranker, self._disk = name, first, reranker, disk
        self._lock = Lock()

    def seeded(self, seed: str) -> RerankedRetriever:
        """The same, over the chunks that a first retriever draws by ``seed``."""
        if not isinstance(self._first, SeededRetriever):
            return self
        return RerankedRetriever(self.name, self._first.seeded(seed), self._reranker, self._disk)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the reranker's scores, and below the least of them what it has not read."""
        return self.ranking(query, texts).scores

    def ranking(self, query: str, texts: Sequence[str]) -> Ranking:
        """What the first retriever offers, its best chunks ranked anew."""
        first = ranking_of(self._first, query, texts)
        if not first.returned:
            return first
        best_first = np.argsort(-first.scores, kind="stable")
        read = best_first[: min(RERANKED, first.returned)]
        unread = best_first[len(read) :]
        scores = np.empty(len(texts))
        scores[read] = self._relevance(query, [texts[i] for i in read])
        least = scores[read].min()
        scores[unread] = least - _STEP * max(1.0, abs(least)) * np.arange(1, len(unread) + 1)
        return replace(first, scores=scores)

    def _relevance(self, query: str, texts: Sequence[str]) -> list[float]:
        start = f"{self._reranker.identity}\0{len(query)}\0{query}"
        written = [f"{start}{text}".encode("utf-8", "surrogatepass") for text in texts]
        keys = [blake2b(each, digest_size=16).digest() for each in written]
        with self._lock:
            known = self._disk.get(dict.fromkeys(keys))
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            reranker, unread = self._reranker, list(missing.items())
            for block in in_blocks(self.name, unread, reranker.block_texts, lambda item: 1):
                scores = reranker.relevance(query, [text for _, text in block]).round(_CERTAIN_DECIMALS)
                packed = {
                    key: _SCORE.pack(score) for (key, _), score in zip(block, scores.tolist(), strict=True)
                }
                self._disk.put(packed)
                known |= packed
        return [_SCORE.unpack(known[key])[0] for key in keys]


class CrossEncoderReranker:
    """Scores with a cross-encoder, loaded at the first text; a chunk that it would cut is read in windows.
    Raises UserError where the model is of another kind."""

    block_texts = _BLOCK_TEXTS

    def __init__(self, path: Path, identity: str) -> None:
        # An embedder would be loaded too, with a head of random weights.
        config: Any = None
        with suppress(OSError, ValueError):  # what loads the model says it better
            config = json.loads((path / "config.json").read_bytes())
        classes = config.get("architectures") if isinstance(config, dict) else None
        # Of transformers' classes that give a pair one score.
        ranks = ("ForSequenceClassification", "ForCausalLM")
        named = classes if isinstance(classes, list) else []
        if named and not any(str(each).endswith(ranks) for each in named):
            problem = f"the model in {path} is no reranker: it is a {named[0]}."
            others = "cross-encoder/ms-marco-MiniLM-L6-v2 or BAAI/bge-reranker-v2-m3"
            raise UserError(problem, f"Choose a cross-encoder, such as {others}.")
        self.identity, self._path = identity, path

    @cached_property
    def _model(self) -> Any:
        return load_model(self._path, "CrossEncoder")

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),). Raises UserError where the folder holds no model that scores pairs."""
        tokenizer, limit = self._model.tokenizer, self._model.max_seq_length
        if limit is not None and limit < UNLIMITED:
            read = tokenizer(query, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
            offsets = read["offset_mapping"]
            room = int(_QUESTION_SHARE * limit)
            query = query if len(offsets) <= room else query[: offsets[room - 1][1]]
            limit -= tokenizer.num_special_tokens_to_add(pair=True) - tokenizer.num_special_tokens_to_add()
        pieces = [model_windows(tokenizer, limit, text, f"{query} ") for text in texts]
        pairs = [(query, window) for windows in pieces for window in windows]
        scores = np.asarray(self._model.predict(pairs, show_progress_bar=False), dtype=np.float64)
        if scores.ndim != 1 or not np.isfinite(scores).all():
            problem = f"the reranker in {self._path} gave other than one finite score for a pair."
            raise UserError(problem, "Choose a cross-encoder that was trained to rank.")
        return best_of_parts(scores, pieces)
