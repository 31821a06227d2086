"""How known models want queries and passages: their own word first, then what their makers publish."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

from niah.errors import StrategyError
from niah.text.embedding.sentence_encoder import Conventions

_SETTINGS = "config_sentence_transformers.json"

_SEARCH = "Represent this sentence for searching relevant passages: "

# By the model's name, without its owner; the first that fits. Each as its model card says.
_FAMILIES: tuple[tuple[str, Conventions], ...] = (
    # Contriever (Izacard et al., 2022): mean pooling, no prefix, inner product.
    (r"contriever", Conventions(similarity="dot")),
    (r"arctic-embed.*v2", Conventions(query="query: ")),
    (r"arctic-embed", Conventions(query=_SEARCH)),
    (
        r"e5-.*instruct",
        Conventions(query="Instruct: Given a question, retrieve passages that answer it\nQuery: "),
    ),
    (r"(^|[-_])e5-", Conventions(query="query: ", passage="passage: ")),
    (r"bge-(small|base|large)-en", Conventions(query=_SEARCH)),
    (r"bge-(small|base|large)-zh", Conventions(query="为这个句子生成表示以用于检索相关文章：")),
    (r"nomic-embed", Conventions(query="search_query: ", passage="search_document: ")),
    (r"mxbai-embed", Conventions(query=_SEARCH)),
)


def conventions_of(model: str, folder: Path) -> Conventions:
    """Prefixes and similarity of a model.

    The prefixes in the folder's config_sentence_transformers.json count where any is not empty (the library
    writes empty ones unasked): "query", and for passages the first of "document", "passage" and "corpus",
    as in sentence-transformers' encode_query and encode_document; else its default prompt. Otherwise the
    prefixes are those of the family that the model's name tells.

    Args:
        model: hub id or folder, as the user wrote it.
        folder: where the model lies.

    Raises:
        StrategyError: the file cannot be read.
    """
    family = _family(model.rstrip("/").rpartition("/")[2])
    settings = _settings(folder)
    by_dot = settings.get("similarity_fn_name", family.similarity) == "dot"
    similarity: Literal["cosine", "dot"] = "dot" if by_dot else "cosine"
    prompts = {name: text for name, text in (settings.get("prompts") or {}).items() if text}
    if not prompts:
        return Conventions(family.query, family.passage, similarity)
    default = prompts.get(settings.get("default_prompt_name"), "")
    passage = next((prompts[name] for name in ("document", "passage", "corpus") if name in prompts), default)
    return Conventions(prompts.get("query", default), passage, similarity)


def is_known_by_dot(model: str) -> bool:
    """Whether the family that a model's name tells compares by dot product."""
    return _family(model.rstrip("/").rpartition("/")[2]).similarity == "dot"


def _family(name: str) -> Conventions:
    found = (conventions for pattern, conventions in _FAMILIES if re.search(pattern, name.lower()))
    return next(found, Conventions())


def _settings(folder: Path) -> dict[str, Any]:
    path = folder / _SETTINGS
    try:
        settings = json.loads(path.read_bytes()) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise StrategyError(f"cannot read {path}: {error}.", "Fetch the model anew.") from None
    return settings if isinstance(settings, dict) else {}
