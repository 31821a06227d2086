"""Retrievers by name: how each is made. Nothing heavy is imported before one is asked for.

A package adds one with an entry point of the group ``niah.retrievers`` that names a class or function without
arguments; what it returns has ``score(query, texts)``, as ``niah.retrieval.retriever.Retriever`` has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.plugins.registry import Registry, described

if TYPE_CHECKING:
    from niah.retrieval.retriever import Retriever
    from niah.weights import ReportProgress


@dataclass(frozen=True)
class RetrieverSource:
    """How a retriever is made.

    Attributes:
        make: makes it; is given what gets a line when weights have to be fetched.
        description: one line for people.
    """

    make: Callable[[ReportProgress], Retriever]
    description: str


def _source(name: str, made: object) -> RetrieverSource:
    if isinstance(made, RetrieverSource):
        return made
    if not callable(made):
        raise TypeError("it is no class or function that makes a retriever")
    if not name.replace("-", "").replace(".", "").isalnum():
        raise ValueError(f"{name!r} is not made of letters, digits, hyphens and full stops")
    make: Callable[..., Any] = made
    if "progress" in inspect.signature(make).parameters:
        return RetrieverSource(make, described(made))
    return RetrieverSource(lambda progress: make(), described(made))


RETRIEVERS: Registry[RetrieverSource] = Registry(
    "retrievers",
    {
        "bm25": "niah.retrieval.lexical:BM25Retriever",
        "first": "niah.retrieval.baselines:FirstRetriever",
        "hybrid": "niah.retrieval.registry:make_hybrid",
        "last": "niah.retrieval.baselines:LastRetriever",
        "minilm": "niah.retrieval.registry:make_minilm",
        "mixpr": "niah.retrieval.registry:make_mixpr",
        "mixpr-0.27": "niah.retrieval.registry:make_mixpr_with_threshold",
        "mixpr-auto": "niah.retrieval.registry:make_mixpr_with_automatic_threshold",
        "mixpr-naive": "niah.retrieval.registry:make_naive_mixpr",
        "random": "niah.retrieval.baselines:RandomRetriever",
        "tfidf": "niah.retrieval.lexical:TfidfRetriever",
    },
    _source,
)
