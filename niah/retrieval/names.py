"""What a retriever's name means. No model is loaded, no file opened, no network asked.

``voyage/voyage-3`` is litellm's and ``voyageai/voyage-3-m-exp`` the hub's: only the exact name of one of
``PROVIDERS`` makes the difference. A reranker is written in the same ways behind a plus.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from niah.errors import UnknownName, UserError
from niah.registry import Registry, described

Kind = Literal["own", "sentence-transformers", "litellm", "user"]


def _maker(name: str, made: object) -> Callable[..., Any]:
    """What makes a retriever or reranker: of a package a class or function without arguments."""
    if not callable(made):
        raise TypeError("it is no class or function that makes one")
    if not re.fullmatch(r"[^\W_]+([-.][^\W_]+)*", name) or name == "noise":
        raise ValueError(f"{name!r} is not made of letters, digits, hyphens and full stops, or means noise")
    return made


_MIXPR = "niah.retrieval.mixpr.mixpr:MixPR"
RETRIEVERS: Registry[Callable[..., Any]] = Registry(
    "retrievers",
    {
        "bm25": "niah.retrieval.lexical:BM25Retriever",
        "first": "niah.retrieval.retriever:FirstRetriever",
        "hybrid": "niah.retrieval.dense:HybridRetriever",
        "last": "niah.retrieval.retriever:LastRetriever",
        "minilm": "niah.retrieval.dense:DenseRetriever",
        **dict.fromkeys(("mixpr", "mixpr-0.27"), _MIXPR),
        "random": "niah.retrieval.retriever:RandomRetriever",
        "static": "niah.retrieval.dense:StaticRetriever",
        "tfidf": "niah.retrieval.lexical:TfidfRetriever",
    },
    _maker,
)
RERANKERS: Registry[Callable[..., Any]] = Registry("rerankers", {}, _maker)  # models need no entry

BASELINES = ("first", "last", "random")  # these rank chunks without reading any
RERANKED = 100  # of the best chunks, which a reranker reads: providers charge them as one request
SHORT = {"arctic": "Snowflake/snowflake-arctic-embed-m-v1.5", "contriever": "facebook/contriever"}
# Those of litellm's providers that embed. "huggingface" is left out: its inference service shares its name
# with the hub, and "snowflake" its name with a hub owner.
PROVIDERS = (
    *("azure", "azure_ai", "bedrock", "cohere", "databricks", "deepinfra", "fireworks_ai", "gemini"),
    *("github", "hosted_vllm", "infinity", "jina_ai", "litellm_proxy", "lm_studio", "mistral", "nebius"),
    *("nvidia_nim", "ollama", "openai", "openai_like", "openrouter", "sagemaker", "together_ai"),
    *("vertex_ai", "volcengine", "voyage", "watsonx", "xinference"),
)
_RERANKING_PROVIDERS = (
    *("azure_ai", "bedrock", "cohere", "deepinfra", "fireworks_ai", "hosted_vllm", "infinity", "jina_ai"),
    *("litellm_proxy", "nvidia_nim", "together_ai", "voyage", "watsonx"),
)

_LOCAL_ALPHA = 0.6  # of questions about single facts (mixture-of-pageranks, appendix A.2)
PAPER_THRESHOLD = 0.27  # similarities below it are dropped where the paper drops some (appendix A.2)
_FORM = re.compile(r"mixpr(-0\.27)?(?:-(alpha-?|a)([^-]*))?")
_ALPHA = re.compile(r"0|1|0?\.[0-9]{1,4}")
_OWN_EMBEDDERS = {"minilm": "minilm", "hybrid": "minilm", "static": "static"}
RECIPES = {"minilm": "minilm (int8 onnx, by sentences)", "static": "static (wordllama 256)"}
"""How packaged models score: change it when they come to score otherwise, since answers do with them."""

_OWNER_AND_NAME = re.compile(r"(?!\.+/|hybrid/)[\w.-]+/[\w.-]+")
_SCHEME = re.compile(r"([A-Za-z_-]+):(?!\\)(.*)", re.DOTALL)
_FOLDERS = (".", "..", "~")
_FOLDER_STARTS = ("./", "../", "/", "~/")
_KIND_OF_SCHEME: dict[str, Kind] = {"st": "sentence-transformers", "litellm": "litellm"}
_PYTHON, _ADDRESSES = "py:", ("http://", "https://")
_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_FORMS = (
    "Write OWNER/NAME for one of the Hugging Face hub, ./FOLDER for one on disk, PROVIDER/MODEL for litellm, "
    "py:MODULE:FUNCTION for your own; see: niah list strategies."
)


@dataclass(frozen=True)
class MixPRForm:
    """A form of MixPR: mixpr[-0.27][-alpha-A|-aA]."""

    threshold: float | None = None  # similarities below it are dropped, the matrix of the others is formed
    alpha: float | None = None  # of every question; None where a router decides
    local_alpha: float = _LOCAL_ALPHA  # what a router gives questions about single facts

    @property
    def text(self) -> str:
        """The canonical way to write it."""
        is_usual = self.alpha is not None or self.local_alpha == _LOCAL_ALPHA
        parts = (
            "" if self.threshold is None else f"-{self.threshold:g}",
            "" if self.alpha is None else f"-alpha-{self.alpha:g}",
            "" if is_usual else f"-a{self.local_alpha:g}",
        )
        return f"mixpr{''.join(parts)}"


def parse_form(text: str) -> MixPRForm | None:
    """The form of MixPR of that name; None where it is none. Raises UserError for a wrong alpha."""
    if (found := _FORM.fullmatch(text)) is None:
        return None
    threshold, which, alpha = found.groups()
    if which and not _ALPHA.fullmatch(alpha):
        problem = f"retriever {text!r}: {alpha!r} is no alpha from 0 to 1."
        raise UserError(problem, "Write mixpr-alpha-0.6 or mixpr-a0.3.")
    return MixPRForm(
        threshold=PAPER_THRESHOLD if threshold else None,
        alpha=None if which in (None, "a") else float(alpha),
        local_alpha=float(alpha) if which == "a" else _LOCAL_ALPHA,
    )


@dataclass(frozen=True)
class RetrieverName:
    """A retriever's or reranker's name, understood; all but ``text`` is of what is before a reranker."""

    text: str  # the canonical way to write it: the same for all ways to name the same retriever
    kind: Kind  # who scores, of a hybrid who embeds
    model: str  # what that library calls it (hub id, folder or litellm id); of niah's own, the name
    is_hybrid: bool = False  # words count next to the model's embeddings
    reranker: RetrieverName | None = None  # ranks the best chunks anew

    @property
    def first(self) -> str:
        """The retriever without its reranker."""
        return self.text.removesuffix(f"+{self.reranker.text}") if self.reranker else self.text

    @property
    def embedder(self) -> str | None:
        """The retriever that compares the same embeddings and nothing else; None where there are none."""
        name = self.first.removeprefix("hybrid:")
        return {"own": _OWN_EMBEDDERS.get(name), "user": None}.get(self.kind, name)


def is_retriever(text: str) -> bool:
    """Whether ``text`` is the name of one of niah's own, of a package's or the user's, or a short one."""
    is_added = "/" not in text and text in RETRIEVERS.added
    return is_user(text) or text in RETRIEVERS.own or text in SHORT or is_added


def parse_name(text: str) -> RetrieverName:
    """What ``text`` names. Raises UnknownName or UserError."""
    first, plus, behind = text.partition("+")
    if plus:
        before, reranker = parse_name(first), _reranker(behind)
        return replace(before, text=f"{before.text}+{reranker.text}", reranker=reranker)
    if is_user(text):
        return RetrieverName(as_reference(text), "user", text)
    scheme, model = _scheme(text)
    if scheme == "hybrid":
        return _hybrid(text, model)
    if name := _forced(scheme, model) if scheme in _KIND_OF_SCHEME else _bare(text):
        return name
    if scheme:
        raise UnknownName("retriever prefix", f"{scheme}:", ["st:", "litellm:", "hybrid:"])
    if "/" in text:
        raise UserError(f"retriever {text!r} names no model.", _FORMS)
    if text in RETRIEVERS.added:
        return RetrieverName(text, "own", text)
    raise RETRIEVERS.failure(text, "retriever") or UnknownName("retriever", text, [*RETRIEVERS, *SHORT])


def _scheme(text: str) -> tuple[str, str]:
    """The word before a colon, and the model behind it; "" and ``text`` where there is none."""
    if (found := _SCHEME.fullmatch(text)) is None:
        return "", text
    if found[1] in (*_KIND_OF_SCHEME, "hybrid") and not found[2].strip("/"):
        raise UserError(f"retriever {text!r} names no model.", f"Write one after {found[1]}:.")
    return found[1], found[2]


def _bare(text: str) -> RetrieverName | None:
    """A name without a scheme; None if it is none."""
    if form := parse_form(text):
        return RetrieverName(form.text, "own", form.text)
    if text in RETRIEVERS.own:
        return RetrieverName(text, "own", text, is_hybrid=text == "hybrid")
    provider, _, model = text.partition("/")
    if provider in PROVIDERS and model:
        return RetrieverName(text, "litellm", text)
    if text in _FOLDERS or (text.startswith(_FOLDER_STARTS) and text.strip("/")):
        return RetrieverName(text.rstrip("/"), "sentence-transformers", text.rstrip("/"))
    full = SHORT.get(text, text)
    if _OWNER_AND_NAME.fullmatch(full):
        short = next((name for name, known in SHORT.items() if known == full), text)
        return RetrieverName(short, "sentence-transformers", full)
    return None


def _forced(scheme: str, model: str) -> RetrieverName:
    """A name whose scheme says who runs the model."""
    kind = _KIND_OF_SCHEME[scheme]
    if kind == "sentence-transformers":
        # As in sentence-transformers, a model without an owner is one of its own.
        model = model.rstrip("/") if re.search(r"[/\\]", model) else f"sentence-transformers/{model}"
    bare = _bare(model)
    is_same = bare and (bare.kind, bare.model) == (kind, model)
    return bare if bare and is_same else RetrieverName(f"{scheme}:{model}", kind, model)


def _hybrid(text: str, model: str) -> RetrieverName:
    dense = parse_name(model)
    if dense.embedder is None or dense.is_hybrid:
        problem = f"retriever {text!r} needs a model that embeds, and {dense.text} is none."
        remedy = "Write hybrid:minilm, hybrid:OWNER/NAME, hybrid:./FOLDER or hybrid:PROVIDER/MODEL."
        raise UserError(problem, remedy)
    if dense.text == "minilm":
        return parse_name("hybrid")
    if "contriever" in dense.model.rpartition("/")[2].lower():
        raise gives_no_cosines(text, dense.text)
    return RetrieverName(f"hybrid:{dense.text}", dense.kind, dense.model, is_hybrid=True)


def gives_no_cosines(hybrid: str, model: str) -> UserError:
    """What is wrong with a hybrid of a model whose dot products no cosine can be added to."""
    problem = f"retriever {hybrid!r} adds cosines, and {model} compares by dot product."
    return UserError(problem, "Take a model that compares by cosine, such as hybrid:minilm.")


def _reranker(text: str) -> RetrieverName:
    """The reranker of that name. Raises UserError, also for a provider that has no rerankers."""
    scheme, model = _scheme(text)
    is_forced = scheme in _KIND_OF_SCHEME
    if "/" not in text and not is_forced and text in RERANKERS.added:
        return RetrieverName(text, "own", text)
    name = _forced(scheme, model) if is_forced else _bare(text) if "/" in text else None
    if name is None or name.kind == "own":
        remedy = f"{_FORMS} For example cross-encoder/ms-marco-MiniLM-L6-v2."
        raise RERANKERS.failure(text, "reranker") or UserError(f"{text!r} is no reranker.", remedy)
    provider = name.model.partition("/")[0]
    if name.kind == "litellm" and not is_forced and provider not in _RERANKING_PROVIDERS:
        remedy = f"Take one of {', '.join(_RERANKING_PROVIDERS)}, or write st:{text} for the hub's."
        raise UserError(f"{text!r} is no reranker: litellm asks {provider} for none.", remedy)
    return replace(name, text=name.model) if name.text in SHORT else name  # short names are embedders'


# The user's own


def is_user(text: str) -> bool:
    """Whether a name is meant to be a Python function of the user's or the address of a service."""
    return text.startswith((_PYTHON, *_ADDRESSES))


def as_reference(text: str) -> str:
    """The canonical text of a function or address, where ``py:`` may be left out. Raises UserError."""
    reference = text if is_user(text) else f"{_PYTHON}{text}"
    if reference.startswith(_PYTHON):
        module, _, function = reference.removeprefix(_PYTHON).rpartition(":")
        if not (_FUNCTION.fullmatch(module) or module.endswith(".py")) or not _FUNCTION.fullmatch(function):
            problem = f"{reference!r} names no Python function."
            raise UserError(problem, "Write py:MODULE:FUNCTION, or py:./FILE.py:FUNCTION.")
        return reference
    try:
        parts = urlsplit(reference)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        raise UserError(f"{reference!r} is no address.", "Write http://127.0.0.1:9000/retrieve.")
    if parts.username or parts.password or parts.query or parts.fragment:
        problem = "the address of a service is stored in run files: it may hold no user, password or query."
        raise UserError(problem, "Leave them out; a Python function may add what is secret.")
    return reference


_DESCRIPTIONS = {
    "minilm": "cosine of all-MiniLM-L6-v2 embeddings; reads English; on this CPU; needs niah[local]",
    "arctic": f"{SHORT['arctic']}, DOS RAG's; reads English; from the hub; needs niah[embed]",
    "contriever": f"{SHORT['contriever']}, by dot product; reads English; from the hub; needs niah[embed]",
    "OWNER/NAME": "any sentence-transformers model of the hub, with its own prefixes; needs niah[embed]",
    "./FOLDER": "any sentence-transformers model in a folder; needs niah[embed]",
    "PROVIDER/MODEL": "any litellm embedding model (openai, voyage, cohere, ...); needs niah[providers]",
    "st:, litellm:": "before a name, where it would be taken for the other's: st:cohere/NAME",
    "RETRIEVER+RERANKER": f"the best {RERANKED} of any, ranked anew: bm25+OWNER/NAME, bm25+PROVIDER/MODEL",
    "py:MODULE:FUNCTION": "a Python function of your own; py:./FILE.py:FUNCTION for one in a file",
    "http://HOST/PATH": "an HTTP service of your own",
    "static": "cosine of wordllama's static vectors: 100,000 tokens a second; reads English; on this CPU",
    "bm25": "BM25 (Lucene's, k1 1.5, b 0.75) of terms in any script",
    "tfidf": "cosine of TF-IDF rows (RAG-Sparse), in any script",
    "hybrid": "0.85 minilm + 0.15 tfidf (RAG-Hybrid); reads English; needs niah[local]",
    "hybrid:MODEL": "the same with another embedder: hybrid:arctic, hybrid:OWNER/NAME, hybrid:./FOLDER",
    "mixpr": "personalised PageRank over TF-IDF similarity, for questions of several hops",
    "mixpr-0.27": "the same without similarities below 0.27, as in the paper; slower",
    "mixpr-aA": "the same with that alpha, 0 to 1, for questions about single facts: mixpr-a0.3",
    "mixpr-alpha-A": "the same with that alpha, 0 to 1, for every question: mixpr-alpha-0, mixpr-alpha-0.6",
    "random": "chunks by lot, the same for a case every time: a baseline",
    "first": "the context's first chunks: a baseline",
    "last": "the context's last chunks, the last one best: a baseline",
}


def describe_retrievers() -> list[tuple[str, str]]:
    """Every form of a retriever's name, and one line about it."""
    added = [(name, described(made)) for name, made in RETRIEVERS.added.items()]
    rerankers = [(f"RETRIEVER+{name}", described(made)) for name, made in RERANKERS.added.items()]
    return [*_DESCRIPTIONS.items(), *added, *rerankers]
