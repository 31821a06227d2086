"""What a retriever's name means. Pure: no model is loaded, no file opened, no network asked.

    bm25 | hybrid | minilm | tfidf               niah's own
    mixpr | mixpr-0.27                           the same; the second drops similarities below 0.27
    arctic | contriever                          short names of sentence-transformers models
    PROVIDER/MODEL                               litellm, where PROVIDER is one of ``PROVIDERS``
    OWNER/NAME                                   sentence-transformers, from the Hugging Face hub
    ./FOLDER  ../FOLDER  /FOLDER  ~/FOLDER       sentence-transformers, from a folder
    st:OWNER/NAME  st:NAME  st:FOLDER            sentence-transformers, whatever the name looks like
    litellm:MODEL                                litellm, whatever the name looks like

So ``voyage/voyage-3`` is litellm's and ``voyageai/voyage-3-m-exp`` the hub's: only a provider's exact name
makes the difference. A hub owner who is called like a provider needs ``st:``, as in ``st:cohere/some-model``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from niah.errors import StrategyError, UnknownName

Kind = Literal["own", "sentence-transformers", "litellm"]

OWN = ("bm25", "hybrid", "minilm", "mixpr", "mixpr-0.27", "tfidf")

SHORT = {
    "arctic": "Snowflake/snowflake-arctic-embed-m-v1.5",
    "contriever": "facebook/contriever",
}

# Those of litellm's providers that embed. "huggingface" is left out: its inference service shares its name
# with the hub, and "snowflake" its name with a hub owner.
PROVIDERS = (
    *("azure", "azure_ai", "bedrock", "cohere", "databricks", "deepinfra", "fireworks_ai", "gemini"),
    *("github", "hosted_vllm", "infinity", "jina_ai", "litellm_proxy", "lm_studio", "mistral", "nebius"),
    *("nvidia_nim", "ollama", "openai", "openai_like", "openrouter", "sagemaker", "together_ai"),
    *("vertex_ai", "volcengine", "voyage", "watsonx", "xinference"),
)

_DESCRIPTIONS = {
    "minilm": "cosine of all-MiniLM-L6-v2 embeddings; reads English; on this CPU, fetched from PyPI once",
    "arctic": f"{SHORT['arctic']}, the embedder of DOS RAG; reads English; from the hub",
    "contriever": f"{SHORT['contriever']}, mean pooling and dot product; reads English; from the hub",
    "OWNER/NAME": "any sentence-transformers model of the hub, with the prefixes that it asks for",
    "./FOLDER": "any sentence-transformers model in a folder",
    "PROVIDER/MODEL": "any litellm embedding model (openai, voyage, cohere, gemini, bedrock, ...)",
    "st:, litellm:": "before a name, where it would be taken for the other's: st:cohere/NAME",
    "bm25": "BM25 (Lucene's, k1 1.5, b 0.75) of terms in any script",
    "tfidf": "cosine of TF-IDF rows (RAG-Sparse), in any script",
    "hybrid": "0.85 minilm + 0.15 tfidf (RAG-Hybrid); reads English",
    "mixpr": "personalised PageRank over TF-IDF similarity, for questions of several hops",
    "mixpr-0.27": "the same without similarities below 0.27, as the paper does on large graphs; slower",
}

_OWNER_AND_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_SCHEME = re.compile(r"([A-Za-z_-]+):(?!\\)(.*)", re.DOTALL)
_FOLDERS = (".", "..", "~")
_FOLDER_STARTS = ("./", "../", "/", "~/")
_KIND_OF_SCHEME: dict[str, Kind] = {"st": "sentence-transformers", "litellm": "litellm"}
_FORMS = (
    "Write OWNER/NAME for one of the Hugging Face hub, ./FOLDER for one on disk, PROVIDER/MODEL for litellm."
)


@dataclass(frozen=True)
class RetrieverName:
    """A name, understood.

    Attributes:
        text: the canonical way to write it: the same for all ways to name the same retriever.
        kind: who scores.
        model: what that library calls the model (hub id, folder or litellm id); of niah's own, the name.
    """

    text: str
    kind: Kind
    model: str


def describe_retrievers() -> list[tuple[str, str]]:
    """Every form of a retriever's name, and one line about it."""
    return list(_DESCRIPTIONS.items())


def parse_name(text: str) -> RetrieverName:
    """What ``text`` names. Raises UnknownName or StrategyError."""
    scheme = _SCHEME.fullmatch(text)
    if scheme and scheme[1] in _KIND_OF_SCHEME:
        return _forced(text, scheme[1], scheme[2])
    name = _bare(text)
    if name is None:
        raise _not_understood(text)
    return name


def _bare(text: str) -> RetrieverName | None:
    """A name without a scheme; None if it is none."""
    provider, slash, model = text.partition("/")
    if text in OWN:
        return RetrieverName(text, "own", text)
    if text in SHORT:
        return RetrieverName(text, "sentence-transformers", SHORT[text])
    if provider in PROVIDERS and slash and model:
        return RetrieverName(text, "litellm", text)
    if text in _FOLDERS or (text.startswith(_FOLDER_STARTS) and text.strip("/")):
        folder = text.rstrip("/")
        return RetrieverName(folder, "sentence-transformers", folder)
    if _OWNER_AND_NAME.fullmatch(text) and provider.strip("."):
        short = next((name for name, full in SHORT.items() if full == text), text)
        return RetrieverName(short, "sentence-transformers", text)
    return None


def _forced(text: str, scheme: str, model: str) -> RetrieverName:
    if not model.strip("/"):
        raise StrategyError(f"retriever {text!r} names no model.", f"Write one after {scheme}:.")
    kind = _KIND_OF_SCHEME[scheme]
    if kind == "sentence-transformers":
        # As in sentence-transformers, a model without an owner is one of its own.
        model = model.rstrip("/") if re.search(r"[/\\]", model) else f"sentence-transformers/{model}"
    bare = _bare(model)
    needed = bare is None or (bare.kind, bare.model) != (kind, model)
    return RetrieverName(f"{scheme}:{model}", kind, model) if needed or bare is None else bare


def _not_understood(text: str) -> UnknownName | StrategyError:
    if "/" not in text and ":" not in text:
        error = UnknownName("retriever", text, [*OWN, *SHORT])
        if not error.remedy.startswith("Did"):
            error.remedy = f"{error.remedy} {_FORMS}"
        return error
    scheme = _SCHEME.fullmatch(text)
    if scheme and "/" not in scheme[1]:
        return UnknownName("retriever prefix", f"{scheme[1]}:", [f"{known}:" for known in _KIND_OF_SCHEME])
    if text.partition("/")[0] in PROVIDERS:
        return StrategyError(f"retriever {text!r} names no model.", "Write one after the slash.")
    return StrategyError(
        f"retriever {text!r} is neither a model of a hub, nor a folder, nor litellm's.", _FORMS
    )
