"""Cross-encoders of sentence-transformers, on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.errors import StrategyError
from niah.text.embedding.sentence_encoder import load_model, model_windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Ctrl-C is to be answered within a second.
_BLOCK_S = 0.5
_FIRST_TEXTS, _MOST_TEXTS = 4, 64

# Tokenizers that read any length say so with a number like 1e30.
_UNLIMITED = 10**8

# Of transformers' classes that give a pair one score.
_HEADS = ("ForSequenceClassification", "ForCausalLM")

# A question that takes more of what the model reads is cut, as the library would cut the chunk.
_QUESTION_SHARE = 0.5


@dataclass(frozen=True)
class _PairReader:
    """What ``model_windows`` asks of a model, for texts that are read beside a question."""

    tokenizer: Any
    max_seq_length: int | None


class CrossEncoderReranker:
    """Scores with a cross-encoder, which is loaded at the first text.

    A model reads only so many tokens of question and chunk together (most 512), and would cut the rest
    unseen. A longer chunk is read in windows, and its score is that of the best.

    Args:
        path: the model's folder.
        identity: of its files.

    Raises:
        StrategyError: the folder's model is of another kind.
    """

    def __init__(self, path: Path, identity: str) -> None:
        _check_reranks(path)
        self.identity = f"{identity} cross-encoder"
        self._path = path
        self._model: Any = None
        self.block_texts = _FIRST_TEXTS

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),). Raises StrategyError where the folder holds no model that scores pairs."""
        if self._model is None:
            self._model = load_model(self._path, "CrossEncoder")
        started = time.monotonic()
        reader, asked = self._reader_for(query)
        pieces = [model_windows(reader, text, f"{asked} ") for text in texts]
        pairs = [(asked, window) for windows in pieces for window in windows]
        scores = np.asarray(self._model.predict(pairs, show_progress_bar=False), dtype=np.float64)
        if not np.isfinite(scores).all():
            raise StrategyError(f"the reranker in {self._path} gave a score that is no finite number.")
        taken = max(time.monotonic() - started, 1e-6)
        self.block_texts = min(max(int(_BLOCK_S * len(texts) / taken), 1), _MOST_TEXTS)
        firsts = np.cumsum([0, *(len(windows) for windows in pieces[:-1])])
        best: NDArray[np.float64] = np.maximum.reduceat(scores, firsts)
        return best

    def _reader_for(self, query: str) -> tuple[_PairReader, str]:
        """The model as it reads texts beside the question, and the question, cut where it fills the model."""
        tokenizer, limit = self._model.tokenizer, self._model.max_seq_length
        if limit is None or limit >= _UNLIMITED:
            return _PairReader(tokenizer, None), query
        more = tokenizer.num_special_tokens_to_add(pair=True) - tokenizer.num_special_tokens_to_add()
        reader = _PairReader(tokenizer, int(limit) - more)
        offsets = tokenizer(
            query, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )["offset_mapping"]
        room = max(1, int(_QUESTION_SHARE * limit))
        return reader, query if len(offsets) <= room else query[: offsets[room - 1][1]]


def _check_reranks(path: Path) -> None:
    """An embedder would be loaded too, with a head of random weights. Raises StrategyError."""
    try:
        config = json.loads((path / "config.json").read_bytes())
    except (OSError, ValueError):
        return  # what loads the model says it better
    classes = config.get("architectures") if isinstance(config, dict) else None
    if classes and not any(str(each).endswith(_HEADS) for each in classes):
        raise StrategyError(
            f"the model in {path} is no reranker: it is a {classes[0]}.",
            "Choose a cross-encoder, such as cross-encoder/ms-marco-MiniLM-L6-v2 or BAAI/bge-reranker-v2-m3.",
        )
    labels = config.get("id2label") if isinstance(config, dict) else None
    if isinstance(labels, dict) and len(labels) > 1 and str(classes).find("ForSequence") > 0:
        raise StrategyError(
            f"the model in {path} gives {len(labels)} scores for a pair, and a reranker gives one.",
            "Choose a cross-encoder that was trained to rank.",
        )
