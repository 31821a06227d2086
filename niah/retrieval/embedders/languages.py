"""Which languages embedders read, as their makers say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from niah.retrieval.names import parse_name
from niah.text.writing import EAST_ASIAN


@dataclass(frozen=True)
class ReadLanguages:
    """What an embedder was made to read.

    Attributes:
        languages: in words ("English").
        scripts: that those are written in, as ``niah.text.writing.main_script`` calls them.
    """

    languages: str
    scripts: frozenset[str]


_EUROPE = {"Latin", "Cyrillic", "Greek", "Armenian", "Georgian"}
_INDIA = {"Devanagari", "Bengali", "Gujarati", "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Tamil", "Telugu"}
_MANY = (
    _EUROPE
    | _INDIA
    | EAST_ASIAN
    | {"Arabic", "Hebrew", "Ethiopic", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar"}
)
_FEWER = _EUROPE | EAST_ASIAN | {"Arabic", "Hebrew", "Devanagari", "Gujarati", "Thai", "Myanmar"}

_ENGLISH = ReadLanguages("English", frozenset({"Latin"}))
_CHINESE = ReadLanguages("Chinese and English", frozenset({"Latin", "Chinese"}))
_HUNDRED = ReadLanguages("about a hundred languages", frozenset(_MANY))
_SEVENTY = ReadLanguages("more than seventy languages", frozenset(_MANY - {"Ethiopic", "Oriya"}))
_FIFTY = ReadLanguages("more than fifty languages", frozenset(_FEWER))

# By the model's name, without its owner; the first that fits. Each as its model card says. Those of many are
# mostly children of XLM-RoBERTa and of its hundred languages.
_FAMILIES: tuple[tuple[str, ReadLanguages], ...] = (
    (r"labse|multilingual-e5|bge-m3|bge-multilingual|nomic-embed-text-v2|embed-multilingual", _HUNDRED),
    (r"qwen3-embedding|embeddinggemma|jina-embeddings-v[34]", _HUNDRED),
    (r"arctic-embed.*v2|gte-multilingual", _SEVENTY),
    (r"(paraphrase|distiluse|use).*multilingual", _FIFTY),
    (r"bge-(small|base|large)-zh|gte-(small|base|large)-zh|jina-embeddings-v2-base-zh", _CHINESE),
    (r"arctic-embed|^contriever|^all-(minilm|mpnet|distilroberta)|^multi-qa-|^msmarco-", _ENGLISH),
    (r"^e5-(small|base|large)|bge-(small|base|large)-en|^gte-(small|base|large)(-en|$)", _ENGLISH),
    (r"nomic-embed-text-v1|mxbai-embed-large|embed-english|jina-embeddings-v2-(small|base)-en", _ENGLISH),
)
_OWN = {"minilm": _ENGLISH, "hybrid": _ENGLISH}


def read_languages(retriever: str) -> ReadLanguages | None:
    """What the retriever of that name embeds; None where it embeds nothing, or nobody here knows.

    Raises UnknownName or StrategyError for what is no retriever.
    """
    name = parse_name(retriever)
    if name.kind in ("own", "brought"):
        return _OWN.get(name.first)
    model = name.model.rstrip("/").rpartition("/")[2].lower()
    return next((reads for pattern, reads in _FAMILIES if re.search(pattern, model)), None)
