"""Retrievers by name, one of each per process; and where a sentence-transformers model is.

A model is in a folder, or in the Hugging Face cache, into which it is fetched once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from hashlib import blake2b, file_digest
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from niah.cache import Cache
from niah.errors import NiahError, OutsideError, Say, UserError
from niah.haystacks.documents import load_documents
from niah.registry import error_line, naming_package, require
from niah.retrieval.dense import (
    DenseRetriever,
    HybridRetriever,
    SentenceEncoder,
    StaticRetriever,
    conventions_of,
)
from niah.retrieval.lexical import TfidfRetriever
from niah.retrieval.mixpr.mixpr import MixPR
from niah.retrieval.names import (
    PROVIDERS,
    RERANKERS,
    RETRIEVERS,
    RetrieverName,
    gives_no_cosines,
    parse_form,
    parse_name,
)
from niah.retrieval.remote import RemoteEncoder, RemoteReranker
from niah.retrieval.rerank import CrossEncoderReranker, RerankedRetriever, Reranker
from niah.retrieval.retriever import Retriever
from niah.retrieval.user import UserRetriever, ask_of
from niah.text.embedding import Embedder, Encoder, OnnxEncoder
from niah.text.sentences import split_sentences
from niah.weights import asking_hub, ensure_weights, fetched_weights, known_weights

_MOST_SENTENCES = 10_000  # of a haystack that texts are compared with
_PATIENCE_S = 10.0
# Other frameworks' copies of the same weights, and pictures.
_UNUSED_FOLDERS = frozenset({"onnx", "openvino", "coreml", "gguf", "imgs", "images", "assets"})
_USED_ENDINGS = (".json", ".txt", ".model", ".safetensors", ".bin", ".jinja")
_NEEDS = "it needs config.json or modules.json, and weights in .safetensors or .bin"
_made: dict[str, Retriever] = {}
_lock = RLock()  # re-entrant: hybrid is made of others


def get_retriever(name: str, progress: Say) -> Retriever:
    """The retriever of that name, made at the first call, with all that its model takes. Raises UserError.
    ``progress`` gets a line when weights have to be fetched."""
    known = parse_name(name)
    with _lock:
        if known.text not in _made:
            _made[known.text] = _make(known, progress)
        return _made[known.text]


def _make(name: RetrieverName, progress: Say) -> Retriever:
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
        return HybridRetriever(dense, TfidfRetriever())
    if name.kind == "litellm":
        return DenseRetriever(Embedder(name.text, RemoteEncoder(name.model), Cache("vectors")))
    if name.kind == "sentence-transformers":
        path, identity = model_folder(name.model, progress)
        encoder: Encoder = SentenceEncoder(path, identity, conventions_of(name.model, path))
        return DenseRetriever(Embedder(name.text, encoder, Cache("vectors")))
    if form := parse_form(name.text):
        return MixPR(form=form, say=progress)
    if name.text == "minilm":
        # It was trained on sentences: chunks are compared by theirs.
        require("onnxruntime", "minilm", extra="local", instead="retrieve with bm25, static or mixpr")
        identity = f"minilm onnx {known_weights()['minilm'].files[0].sha256}"
        encoder = OnnxEncoder(ensure_weights("minilm", progress), identity)
        return DenseRetriever(Embedder("minilm", encoder, Cache("vectors")), in_sentences=True)
    if name.text == "static":
        return StaticRetriever(ensure_weights("static", progress))
    make = RETRIEVERS.find(name.text, "retriever")
    if name.text in RETRIEVERS.own:
        made: Retriever = make()
        return made
    with naming_package(f"retriever {name.text}"):
        return Added("retriever", name.text, make(), RETRIEVERS.package(name.text))


@dataclass(frozen=True)
class Added:
    """A retriever or reranker of another package: ``made`` is what its entry point made."""

    kind: str  # "retriever" or "reranker"
    name: str
    made: Any
    package: str  # with its version
    block_texts = 8

    @property
    def identity(self) -> str:
        """Of package, version and, where it says so itself, model."""
        return f"{self.package} {self.name} {getattr(self.made, 'identity', '')}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better. Raises OutsideError."""
        problem = ""
        try:
            scores = np.asarray(self.made.score(query, texts), dtype=np.float64)
            if scores.shape != (len(texts),):
                problem = f"it gave scores of shape {scores.shape} for {len(texts)} chunks"
            elif not np.isfinite(scores).all():
                problem = "it gave a score that is not a finite number"
        except NiahError:
            raise
        except Exception as error:  # whatever a package's code does
            problem = error_line(error)
        if problem:
            message = f"the {self.kind} {self.name} failed: {problem}."
            raise OutsideError(message, "Mend the package that has it.")
        return scores

    relevance = score


def cosines(texts: tuple[str, ...], others: tuple[str, ...]) -> NDArray[np.float32]:
    """Shape (n,): of each text and the other at its place, by the static embedder; NaN without weights."""
    found: NDArray[np.float32] = (_static(texts) * _static(others)).sum(axis=1)
    return found


@lru_cache(maxsize=64)
def likeness(haystack: str, texts: tuple[str, ...]) -> float:
    """The mean cosine of texts, each with the five sentences of a haystack most like it; or NaN."""
    try:
        parts = [part for document in load_documents(haystack) for part in document.paragraphs]
    except UserError:
        return float("nan")
    sentences = [sentence for part in parts for sentence in split_sentences(part)][:_MOST_SENTENCES]
    return float(np.sort(_static(texts) @ _static(tuple(sentences)).T, axis=1)[:, -5:].mean())


@lru_cache(maxsize=16)
def _static(texts: tuple[str, ...]) -> NDArray[np.float32]:
    folder = fetched_weights("static")  # a report fetches nothing
    return StaticRetriever(folder).vectors(texts) if folder else np.full((len(texts), 1), np.nan, np.float32)


def _reranker(name: RetrieverName, progress: Say) -> Reranker:
    if name.kind == "litellm":
        return RemoteReranker(name.model)
    if name.kind == "sentence-transformers":
        return CrossEncoderReranker(*model_folder(name.model, progress))
    make = RERANKERS.find(name.model, "reranker")
    with naming_package(f"reranker {name.model}"):
        return Added("reranker", name.model, make(), RERANKERS.package(name.model))


class ModelFolder(NamedTuple):
    """A model on this machine: the hub's commit, or a digest of what is in the folder, identifies it."""

    path: Path
    identity: str


def model_folder(model: str, say: Say) -> ModelFolder:
    """The model of that hub id ("owner/name") or folder; ``say`` gets a line when it has to be fetched.
    Raises UserError without its library, where there is no such folder, or the hub has no such model."""
    instead = "retrieve with minilm, bm25, mixpr or a provider's embeddings"
    require("sentence_transformers", model, extra="embed", instead=instead)
    if check_model_folder(model):
        hasher, path = blake2b(digest_size=16), Path(model).expanduser()
        for file in _files(path):
            hasher.update(f"{file.relative_to(path).as_posix()}\0".encode())
            with file.open("rb") as stream:
                hasher.update(file_digest(stream, blake2b).digest())
        return ModelFolder(path, f"folder {hasher.hexdigest()}")
    from huggingface_hub import HfApi, constants, snapshot_download, try_to_load_from_cache

    owner, _, name = model.partition("/")
    remedy = "Go online once, or give a folder that has the model (./FOLDER), or retrieve with minilm."
    if near := get_close_matches(owner, PROVIDERS, cutoff=0.8):
        remedy = f"Did you mean litellm's '{near[0]}/{name}'?"
    with asking_hub(f"model {model!r}", remedy):
        kept = (try_to_load_from_cache(model, name) for name in ("modules.json", "config.json"))
        for path in (Path(file).parent for file in kept if isinstance(file, str)):
            # A program that needed the weights alone leaves out modules.json (how to pool them); all
            # of a model has its .gitattributes, too.
            says_pooling = (path / "modules.json").exists() or (path / ".gitattributes").exists()
            if says_pooling and _is_whole(path):
                return ModelFolder(path, f"hub {model} {path.name}")
        # Asked once: the download's own client would try for half a minute where there is no network.
        info = HfApi(endpoint=constants.ENDPOINT).model_info(model, timeout=_PATIENCE_S)
        used = [file.rfilename for file in info.siblings or [] if _is_used(file.rfilename)]
        if any(name.endswith(".safetensors") for name in used):  # no pickled weights then
            used = [name for name in used if not name.endswith(".bin")]
        say(f"Fetching {model} from the Hugging Face hub, once ...")
        path = Path(snapshot_download(model, allow_patterns=[*used, ".gitattributes"]))
    if not _is_whole(path):
        problem = f"the Hugging Face hub's {model!r} is no model of sentence-transformers: {_NEEDS}."
        raise UserError(problem, "Choose another model.")
    return ModelFolder(path, f"hub {model} {path.name}")


def check_model_folder(model: str) -> bool:
    """Whether ``model`` is a folder; UserError where that holds none. The hub is not asked."""
    is_folder = model.startswith((".", "/", "~")) or "\\" in model or model.count("/") > 1
    path = Path(model).expanduser()
    if is_folder and not _is_whole(path):
        what = "holds no sentence-transformers model" if path.is_dir() else "is no folder"
        remedy = "Save one with SentenceTransformer(...).save(FOLDER)."
        raise UserError(f"{path} {what}: {_NEEDS}.", remedy)
    return is_folder


def _is_whole(path: Path) -> bool:
    """Whether configuration, weights and, where they are listed, the pooling's settings are there."""
    modules = path / "modules.json"
    try:
        listed = json.loads(modules.read_bytes()) if modules.is_file() else []
        pooling = [path / module["path"] for module in listed if module["type"].endswith("Pooling")]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{modules} is no list of modules.", "Fetch the model anew.") from None
    has_weights = any(file.suffix in {".safetensors", ".bin"} for file in _files(path))
    has_config = modules.is_file() or (path / "config.json").is_file()
    return has_config and has_weights and all((folder / "config.json").is_file() for folder in pooling)


def _files(path: Path) -> list[Path]:
    """The used files, by name."""
    found = (file for file in path.rglob("*") if _is_used(file.relative_to(path).as_posix()))
    return sorted(file for file in found if file.is_file())


def _is_used(name: str) -> bool:
    return name.endswith(_USED_ENDINGS) and not _UNUSED_FOLDERS.intersection(name.split("/")[:-1])
