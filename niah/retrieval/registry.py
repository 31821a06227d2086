"""Retrievers by name, one of each per process."""

from __future__ import annotations

from threading import RLock

from niah.cache import Cache
from niah.registry import naming_package, require
from niah.retrieval.dense import DenseRetriever, HybridRetriever, StaticRetriever, conventions_of
from niah.retrieval.lexical import TfidfRetriever
from niah.retrieval.mixpr.mixpr import MixPR
from niah.retrieval.models import model_folder
from niah.retrieval.names import (
    RERANKERS,
    RETRIEVERS,
    RetrieverName,
    gives_no_cosines,
    parse_form,
    parse_name,
)
from niah.retrieval.remote import RemoteEncoder, RemoteReranker
from niah.retrieval.rerank import AddedReranker, CrossEncoderReranker, RerankedRetriever, Reranker
from niah.retrieval.retriever import AddedRetriever, Retriever
from niah.retrieval.user import UserRetriever, ask_of
from niah.text.embedding import Embedder, Encoder, OnnxEncoder, SentenceEncoder, require_sentence_transformers
from niah.weights import KNOWN, ReportProgress, ensure_weights

_made: dict[str, Retriever] = {}
# Re-entrant: hybrid is made of others.
_lock = RLock()


def get_retriever(name: str, progress: ReportProgress) -> Retriever:
    """The retriever of that name (see ``niah.retrieval.names``), made at the first call. Raises UserError.

    All that its model takes is at hand afterwards, so a run calls this for each of its retrievers before it
    begins; ``progress`` gets a line when weights have to be fetched.
    """
    known = parse_name(name)
    with _lock:
        if known.text not in _made:
            _made[known.text] = _make(known, progress)
        return _made[known.text]


def _make(name: RetrieverName, progress: ReportProgress) -> Retriever:
    if name.reranker:
        first, reranker = get_retriever(name.first, progress), _reranker(name.reranker, progress)
        return RerankedRetriever(name.text, first, reranker, Cache("relevance"))
    if name.kind == "user":
        return UserRetriever(name.text, ask_of(name.text))
    if name.is_hybrid and name.embedder:
        dense = get_retriever(name.embedder, progress)
        if name.kind == "sentence-transformers":
            folder = model_folder(name.model, progress)
            if conventions_of(name.model, folder.path).similarity == "dot":
                raise gives_no_cosines(name.text, name.embedder)
        return HybridRetriever(name.text, dense, TfidfRetriever())
    if name.kind != "own":
        return DenseRetriever(Embedder(name.text, _encoder(name, progress), Cache("vectors")))
    if form := parse_form(name.text):
        return MixPR(form=form, say=progress)
    if name.text == "minilm":
        # It was trained on sentences: chunks are compared by theirs.
        require("onnxruntime", "minilm", extra="local", instead="retrieve with bm25, static or mixpr")
        identity = f"minilm onnx {KNOWN['minilm'].files[0].sha256}"
        encoder = OnnxEncoder(ensure_weights("minilm", progress), identity)
        return DenseRetriever(Embedder("minilm", encoder, Cache("vectors")), in_sentences=True)
    if name.text == "static":
        return StaticRetriever(ensure_weights("static", progress))
    make = RETRIEVERS.find(name.text, "retriever")
    if name.text in RETRIEVERS.own:
        made: Retriever = make()
        return made
    with naming_package(f"retriever {name.text}"):
        return AddedRetriever(name.text, make())


def _encoder(name: RetrieverName, progress: ReportProgress) -> Encoder:
    if name.kind == "litellm":
        remote = RemoteEncoder(name.model)
        remote.check()
        return remote
    require_sentence_transformers(name.model)
    folder = model_folder(name.model, progress)
    return SentenceEncoder(folder.path, folder.identity, conventions_of(name.model, folder.path))


def _reranker(name: RetrieverName, progress: ReportProgress) -> Reranker:
    if name.kind == "litellm":
        remote = RemoteReranker(name.model)
        remote.check()
        return remote
    if name.kind == "sentence-transformers":
        require_sentence_transformers(name.model)
        folder = model_folder(name.model, progress)
        return CrossEncoderReranker(folder.path, folder.identity)
    made = RERANKERS.find(name.model, "reranker")
    with naming_package(f"reranker {name.model}"):
        return AddedReranker(name.model, made(), RERANKERS.package(name.model))
