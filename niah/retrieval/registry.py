"""Retrievers by name, one of each per process."""

from __future__ import annotations

from threading import RLock

from niah import paths
from niah.plugins.registry import naming_package
from niah.retrieval.added import AddedRetriever
from niah.retrieval.brought.loading import outside
from niah.retrieval.brought.retriever import BroughtRetriever
from niah.retrieval.embedders.conventions import conventions_of
from niah.retrieval.embedders.dense import DenseRetriever, HybridRetriever
from niah.retrieval.embedders.litellm_embeddings import LiteLLMEncoder
from niah.retrieval.embedders.model_folder import model_folder
from niah.retrieval.lexical import TfidfRetriever
from niah.retrieval.mixpr.form import PAPER_THRESHOLD, MixPRForm, parse_form
from niah.retrieval.mixpr.mixpr import MixPR
from niah.retrieval.names import SCHEME_OF_KIND, RerankerName, RetrieverName, gives_no_cosines, parse_name
from niah.retrieval.reranking.cross_encoder import CrossEncoderReranker
from niah.retrieval.reranking.litellm_reranker import LiteLLMReranker
from niah.retrieval.reranking.reranked import RerankedRetriever
from niah.retrieval.reranking.reranker import Reranker
from niah.retrieval.reranking.sources import RERANKERS
from niah.retrieval.retriever import Retriever
from niah.retrieval.sources import RETRIEVERS
from niah.text.embedding.embedder import Embedder, get_embedder
from niah.text.embedding.sentence_encoder import (
    Encoder,
    SentenceEncoder,
    require_sentence_transformers,
)
from niah.text.embedding.vector_cache import DiskVectors
from niah.weights import ReportProgress

_made: dict[str, Retriever] = {}
# Re-entrant: hybrid is made of others.
_lock = RLock()


def get_retriever(name: str, progress: ReportProgress) -> Retriever:
    """The retriever of that name (see ``niah.retrieval.names``), made at the first call.

    Cheap beside its first scores, since a model is loaded when it meets a text that was never embedded here;
    but all that it takes is at hand afterwards, so a run calls this for each of its retrievers before it
    begins. ``progress`` gets a line when weights have to be fetched.

    Raises:
        UnknownName, StrategyError: no such retriever, or its model is not there and cannot be fetched.
        WeightsError: the packaged weights cannot be fetched.
        ReaderConfigError: litellm does not know the provider, or a key is not set.
    """
    known = parse_name(name)
    with _lock:
        if known.text not in _made:
            _made[known.text] = _make(known, progress)
        return _made[known.text]


def _make(name: RetrieverName, progress: ReportProgress) -> Retriever:
    if name.reranker:
        first, reranker = get_retriever(name.first, progress), _reranker(name.reranker, progress)
        return RerankedRetriever(name.text, first, reranker, DiskVectors(paths.cache() / "relevance.sqlite"))
    if name.kind == "own":
        if name.text not in RETRIEVERS and (form := parse_form(name.text)):
            return _mixpr(form, progress)
        source = RETRIEVERS.find(name.text, "retriever")
        if name.text in RETRIEVERS.own:
            return source.make(progress)
        with naming_package(f"retriever {name.text}"):
            return AddedRetriever(name.text, source.make(progress))
    if name.kind == "brought":
        return BroughtRetriever(name.text, outside(name.text))
    if not name.is_hybrid or name.embedder is None:
        return _dense(name, progress)
    dense = get_retriever(name.embedder, progress)
    if name.kind == "sentence-transformers":
        folder = model_folder(name.model, progress)
        if conventions_of(name.model, folder.path).similarity == "dot":
            raise gives_no_cosines(name.text, name.embedder)
    return HybridRetriever(name.text, dense, TfidfRetriever())


def make_hybrid(progress: ReportProgress) -> Retriever:
    """Words beside minilm's embeddings."""
    return HybridRetriever("hybrid", get_retriever("minilm", progress), TfidfRetriever())


def make_minilm(progress: ReportProgress) -> Retriever:
    """The packaged embedder, which was trained on sentences: its chunks are compared by theirs."""
    return DenseRetriever(get_embedder("minilm", progress), in_sentences=True)


def make_mixpr(progress: ReportProgress) -> Retriever:
    """As the paper has it, but that no similarity is dropped."""
    return _mixpr(MixPRForm(), progress)


def make_mixpr_with_threshold(progress: ReportProgress) -> Retriever:
    """As the paper has it on large graphs."""
    return _mixpr(MixPRForm(threshold=PAPER_THRESHOLD), progress)


def make_mixpr_with_automatic_threshold(progress: ReportProgress) -> Retriever:
    """As the paper has it: on large graphs alone."""
    return _mixpr(MixPRForm(is_automatic=True), progress)


def make_naive_mixpr(progress: ReportProgress) -> Retriever:
    """With the whole matrix formed."""
    return _mixpr(MixPRForm(threshold=0), progress)


def _mixpr(form: MixPRForm, progress: ReportProgress) -> MixPR:
    return MixPR(form=form, say=progress)


def _dense(name: RetrieverName, progress: ReportProgress) -> Retriever:
    encoder = _local(name, progress) if name.kind == "sentence-transformers" else _remote(name)
    return DenseRetriever(Embedder(name.text, encoder, DiskVectors(paths.cache() / "vectors.sqlite")))


def _local(name: RetrieverName, progress: ReportProgress) -> Encoder:
    require_sentence_transformers(name.model)
    folder = model_folder(name.model, progress)
    return SentenceEncoder(folder.path, folder.identity, conventions_of(name.model, folder.path))


def _reranker(name: RerankerName, progress: ReportProgress) -> Reranker:
    return RERANKERS.find(SCHEME_OF_KIND.get(name.kind, name.model), "reranker").make(name.model, progress)


def make_cross_encoder(model: str, progress: ReportProgress) -> Reranker:
    """Cross-encoders of sentence-transformers, of the hub or a folder."""
    require_sentence_transformers(model)
    folder = model_folder(model, progress)
    return CrossEncoderReranker(folder.path, folder.identity)


def make_litellm_reranker(model: str, progress: ReportProgress) -> Reranker:
    """Rerankers of any provider that litellm knows."""
    remote = LiteLLMReranker(model)
    remote.check()
    return remote


def _remote(name: RetrieverName) -> Encoder:
    encoder = LiteLLMEncoder(name.model)
    encoder.check()
    return encoder
