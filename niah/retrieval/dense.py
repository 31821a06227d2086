"""Retrieval by embeddings, alone (similarity of a chunk's best part to the query's) or with words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from niah.errors import UserError
from niah.retrieval.retriever import Retriever
from niah.text.embedding import Conventions, Embedder, LocalEncoder, TextSide, TokensRead, text_windows
from niah.text.sentences import paragraph_spans, sentence_spans, short_sentences

Vectors = NDArray[np.float32]
DENSE_WEIGHT, SPARSE_WEIGHT = 0.85, 0.15  # found by the paper's authors through a grid search
UNLIMITED = 10**8  # tokenizers that read any length say so with a number like 1e30
_AT_ONCE = 1024  # texts that the static retriever takes apart at a time
# Embeddings of one wording in two places of a batch differ by about 1e-7; equal wordings shall tie.
_CERTAIN_DECIMALS = 6


class DenseRetriever:
    """Ranks chunks by an embedder's similarity; ``in_sentences`` costs a context that differs in its needles
    those alone, since sentences are the same at every depth and length."""

    def __init__(self, embedder: Embedder, *, in_sentences: bool = False) -> None:
        self._embedder, self._in_sentences = embedder, in_sentences

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the cosine, or dot product, of the best pair of a part of the chunk and one of
        the query. Parts are sentences, or the windows in which the model reads a chunk."""
        if not texts:
            return np.zeros(0)
        parts = whole_sentences(texts) if self._in_sentences else [[text] for text in texts]
        asked, embedded = self._embedded([query], [part for chunk in parts for part in chunk])
        # Equal parts score equally wherever they are: in float64, and each on its own.
        columns = np.concatenate(asked).astype(np.float64).T
        best = np.array([(rows.astype(np.float64) @ columns).max() for rows in embedded])
        return _certain(best_of_parts(best, parts))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions): the mean of each text's embeddings, at length 1."""
        means = np.stack([windows.mean(axis=0) for windows in self._embedded([], texts)[1]])
        made: NDArray[np.float32] = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        return made

    def _embedded(
        self, queries: Sequence[str], passages: Sequence[str]
    ) -> tuple[list[Vectors], list[Vectors]]:
        """Vectors of one length, made anew where another model had the name before. Raises UserError."""
        for anew in (False, True):
            asked = self._embedder.embed(queries, "query", anew=anew)
            embedded = self._embedder.embed(passages, "passage", anew=anew)
            if len({vectors.shape[1] for vectors in [*asked, *embedded]}) == 1:
                return asked, embedded
        raise UserError(f"{self._embedder.name} gives vectors of different lengths.", "Is it one model?")


def _certain(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to where float noise ends: 6 decimals, fewer where products are of more than 1."""
    whole_digits = len(str(int(np.abs(scores).max(initial=0)))) if np.isfinite(scores).all() else 0
    return scores.round(_CERTAIN_DECIMALS + 1 - whole_digits)


class StaticRetriever:
    """Cosine of mean token vectors from wordllama's table, in ``folder``: 100,000 tokens a second."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / "l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        # A safetensors file: the length of its header, the header, and one float16 array.
        data = (folder / "l2_supercat_256.safetensors").read_bytes()
        header = 8 + int.from_bytes(data[:8], "little")
        self._table = np.frombuffer(data, np.float16, offset=header).reshape(-1, 256).astype(np.float32)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), 256): rows of length 1, or 0 for a text without tokens."""
        rows = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for first in range(0, len(texts), _AT_ONCE):
            part = [text.encode(errors="replace").decode() for text in texts[first : first + _AT_ONCE]]
            encoded = self._tokenizer.encode_batch_fast(part, add_special_tokens=False)
            rows[first : first + _AT_ONCE] = [self._table[each.ids].sum(axis=0) for each in encoded]
        unit: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return unit

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): cosines, -1 to 1."""
        return _certain((self.vectors(texts) @ self.vectors([query])[0]).astype(np.float64))


@dataclass(frozen=True)
class HybridRetriever:
    """s = 0.85 s_dense + 0.15 s_sparse of cosines as they are (mixture-of-pageranks, appendix A.2)."""

    dense: Retriever
    sparse: Retriever

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): from -0.85 to 1."""
        return DENSE_WEIGHT * self.dense.score(query, texts) + SPARSE_WEIGHT * self.sparse.score(query, texts)


def best_of_parts(scores: NDArray[np.float64], pieces: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Shape (len(pieces),): of each text the greatest score of one of its parts, all parts' in one row."""
    firsts = np.cumsum([0, *(len(parts) for parts in pieces[:-1])])
    best: NDArray[np.float64] = np.maximum.reduceat(scores, firsts)
    return best


def whole_sentences(texts: Sequence[str]) -> list[list[str]]:
    """For each chunk its sentences, cut as ``@sentences`` cuts them; at least one, or the chunk itself. One
    that a window's end tears is left out where a neighbour has it whole: the half changes with depth."""
    sentences = [_sentences(text) for text in texts]
    found = list[list[str]]()
    for place, (text, own) in enumerate(zip(texts, sentences, strict=True)):
        whole = list(own)
        if whole and place + 1 < len(texts) and _is_part(whole[-1], sentences[place + 1]):
            whole.pop()
        if whole and place and _is_part(whole[0], sentences[place - 1]):
            whole.pop(0)
        found.append([part for each in whole or own for part in _short(each)] or [text])
    return found


def _is_part(torn: str, others: Sequence[str]) -> bool:
    return any(len(other) > len(torn) and torn in other for other in others)


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    spans = (span for paragraph in paragraph_spans(text) for span in sentence_spans(text, *paragraph))
    return tuple(text[start:end] for start, end in spans)


@lru_cache(maxsize=16384)
def _short(sentence: str) -> tuple[str, ...]:
    return tuple(sentence[start:end] for start, end in short_sentences(sentence))


_SEARCH = "Represent this sentence for searching relevant passages: "
# By the model's name, without its owner; the first that fits. Each as its model card says.
_FAMILIES: tuple[tuple[str, Conventions], ...] = (
    # Contriever (Izacard et al., 2022): mean pooling, no prefix, inner product.
    (r"contriever", Conventions(similarity="dot")),
    (r"arctic-embed.*v2", Conventions("query: ")),
    (r"arctic-embed|bge-(small|base|large)-en|mxbai-embed", Conventions(_SEARCH)),
    (r"bge-(small|base|large)-zh", Conventions("为这个句子生成表示以用于检索相关文章：")),
    (r"e5-.*instruct", Conventions("Instruct: Given a question, retrieve passages that answer it\nQuery: ")),
    (r"(^|[-_])e5-", Conventions("query: ", "passage: ")),
    (r"nomic-embed", Conventions("search_query: ", "search_document: ")),
    (r"", Conventions()),
)


def conventions_of(model: str, folder: Path) -> Conventions:
    """Prefixes and similarity of the model that lies in ``folder``: by the prompts of its config, where any
    is not empty (the library writes empty ones unasked), else by its name's family. Raises UserError."""
    name = model.rstrip("/").rpartition("/")[2].lower()
    family = next(conventions for pattern, conventions in _FAMILIES if re.search(pattern, name))
    path = folder / "config_sentence_transformers.json"
    try:
        settings: dict[str, Any] = dict(json.loads(path.read_bytes())) if path.is_file() else {}
        prompts = {side: str(text) for side, text in (settings.get("prompts") or {}).items() if text}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise UserError(f"cannot read {path}: {error}.", "Fetch the model anew.") from None
    by_dot = settings.get("similarity_fn_name", family.similarity) == "dot"
    similarity: Literal["cosine", "dot"] = "dot" if by_dot else "cosine"
    if not prompts:
        return Conventions(family.query, family.passage, similarity)
    default = prompts.get(str(settings.get("default_prompt_name")), "")
    passage = next((prompts[side] for side in ("document", "passage", "corpus") if side in prompts), default)
    return Conventions(prompts.get("query", default), passage, similarity)


# Models of sentence-transformers


class SentenceEncoder(LocalEncoder):
    """A model folder in sentence-transformers' layout; rows have length 1 unless similarity is "dot"."""

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, "SentenceTransformer")

    def _windows(self, text: str, side: TextSide) -> list[str]:
        return model_windows(self._model.tokenizer, self._model.max_seq_length, text, self.mark(side))

    def _rows(self, windows: list[str], side: TextSide) -> Vectors:
        found: Vectors = self._model.encode(
            windows,
            prompt=self.mark(side),  # even where empty: the model has a default of its own otherwise
            normalize_embeddings=self._scaled,
            show_progress_bar=False,
        )
        return found


def model_windows(tokenizer: Any, limit: int | None, text: str, prefix: str = "") -> list[str]:
    """The text in parts that a model of ``limit`` tokens reads whole after ``prefix``."""
    if limit is None or limit >= UNLIMITED:
        return [text]

    options = dict.fromkeys(("add_special_tokens", "truncation", "verbose"), False)

    def read(part: str) -> TokensRead:
        encoded = tokenizer(part, return_offsets_mapping=True, **options)
        return encoded["offset_mapping"], encoded.word_ids()

    return text_windows(text, int(limit) - tokenizer.num_special_tokens_to_add(), read, prefix)


def load_model(path: Path, kind: Literal["SentenceTransformer", "CrossEncoder"]) -> Any:
    """A model of sentence-transformers, in about 8 s, without the network. Raises UserError."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin slow each other down
    from huggingface_hub import constants

    before, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, True
    try:
        import sentence_transformers
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        return getattr(sentence_transformers, kind)(str(path), local_files_only=True)
    except Exception as error:  # a folder can be wrong in as many ways as the libraries have exceptions
        said = " ".join(str(error).split()) or type(error).__name__
        remedy = "Is it whole, in sentence-transformers' layout, and without code of its own?"
        raise UserError(f"cannot load the model in {path}: {said}.", remedy) from error
    finally:
        constants.HF_HUB_OFFLINE = before
