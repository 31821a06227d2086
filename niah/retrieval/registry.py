"""Retrievers by name, one of each per process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from niah.errors import UnknownName
from niah.retrieval.dense import SentenceTransformerRetriever
from niah.retrieval.mixpr import MixPR
from niah.retrieval.retriever import Retriever
from niah.retrieval.tfidf import TfidfRetriever
from niah.text.embedder import get_embedder

Progress = Callable[[str], None]

_MAKERS: dict[str, Callable[[Progress], Retriever]] = {
    "minilm": lambda progress: SentenceTransformerRetriever(get_embedder("minilm", progress)),
    "mixpr": lambda progress: MixPR(),
    "tfidf": lambda progress: TfidfRetriever(),
}
_made: dict[str, Retriever] = {}
_lock = Lock()


def retriever_names() -> list[str]:
    """The retrievers that work offline, without an API key."""
    return sorted(_MAKERS)


def get_retriever(name: str, progress: Progress) -> Retriever:
    """The retriever of that name, made at the first call.

    ``progress`` gets a line when weights have to be fetched. Raises UnknownName, WeightsError.
    """
    if name not in _MAKERS:
        raise UnknownName("retriever", name, _MAKERS)
    with _lock:
        if name not in _made:
            _made[name] = _MAKERS[name](progress)
        return _made[name]
