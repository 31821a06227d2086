"""What a retriever's name means. Pure: no model is loaded, no file opened, no network asked.

    bm25 | hybrid | minilm | tfidf               niah's own; installed packages may add others
    first | last | random                        the same: baselines that read nothing
    mixpr | mixpr-0.27                           the same; the second drops similarities below 0.27
    mixpr-alpha-A | mixpr-naive                  the same with one alpha for all; with the whole matrix formed
    mixpr-aA | mixpr-p1 | mixpr-auto             see ``niah.retrieval.mixpr.form``, also for several together
    arctic | contriever                          short names of sentence-transformers models
    PROVIDER/MODEL                               litellm, where PROVIDER is one of ``known_names.PROVIDERS``
    OWNER/NAME                                   sentence-transformers, from the Hugging Face hub
    ./FOLDER  ../FOLDER  /FOLDER  ~/FOLDER       sentence-transformers, from a folder
    st:OWNER/NAME  st:NAME  st:FOLDER            sentence-transformers, whatever the name looks like
    litellm:MODEL                                litellm, whatever the name looks like
    hybrid:MODEL                                 tfidf with minilm or any of these models; alone, with minilm
    RETRIEVER+RERANKER                           any of these, its best chunks ranked anew by a reranker
    py:MODULE:FUNCTION  py:./FILE.py:FUNCTION    a Python function of the user's own
    http://HOST/PATH  https://HOST/PATH          a service of the user's own

A reranker is a model that reads question and chunk together, written in the same ways: OWNER/NAME or ./FOLDER
of a cross-encoder, PROVIDER/MODEL where PROVIDER is one of ``RERANKING_PROVIDERS``, ``st:`` and ``litellm:``
before any; or a package's, by its name. Behind a folder, whose name may hold a plus, the hub's needs its
``st:``.

So ``voyage/voyage-3`` is litellm's and ``voyageai/voyage-3-m-exp`` the hub's: only a provider's exact name
makes the difference. A hub owner who is called like a provider needs ``st:``, as in ``st:cohere/some-model``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from niah.errors import StrategyError, UnknownName, UserError
from niah.retrieval.brought.reference import ADDRESSES, checked, is_brought
from niah.retrieval.known_names import OWN, PROVIDERS, RERANKING_PROVIDERS, SHORT
from niah.retrieval.mixpr.form import parse_form
from niah.retrieval.reranking.sources import RERANKERS
from niah.retrieval.sources import RETRIEVERS

Kind = Literal["own", "sentence-transformers", "litellm", "brought"]

_OWN_EMBEDDERS = {"minilm": "minilm", "hybrid": "minilm"}
_HYBRID = "hybrid"
_RECIPES = {"minilm": "minilm (bfloat16, by sentences)"}
"""How packaged models score: change it when they come to score otherwise, since answers do with them."""

_OWNER_AND_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_SCHEME = re.compile(r"([A-Za-z_-]+):(?!\\)(.*)", re.DOTALL)
_PREFIXES = re.compile(r"^(hybrid:)?(st:)?")
_FOLDERS = (".", "..", "~")
_FOLDER_STARTS = ("./", "../", "/", "~/")
_KIND_OF_SCHEME: dict[str, Kind] = {"st": "sentence-transformers", "litellm": "litellm"}
SCHEME_OF_KIND: dict[str, str] = {kind: scheme for scheme, kind in _KIND_OF_SCHEME.items()}
"""What stands before a model's name, by who runs it."""
_FORMS = (
    "Write OWNER/NAME for one of the Hugging Face hub, ./FOLDER for one on disk, PROVIDER/MODEL for litellm."
)


@dataclass(frozen=True)
class RerankerName:
    """A reranker's name, understood.

    Attributes:
        text: the canonical way to write it.
        kind: who runs it.
        model: what that library calls it.
    """

    text: str
    kind: Kind
    model: str


@dataclass(frozen=True)
class RetrieverName:
    """A name, understood.

    Attributes:
        text: the canonical way to write it: the same for all ways to name the same retriever.
        kind: who scores, of a hybrid who embeds; "own" is niah's, "brought" the user's.
        model: what that library calls the model (hub id, folder or litellm id); of niah's own, the name.
        is_hybrid: whether words count beside the model's embeddings.
        reranker: who ranks the best chunks anew; None for nobody. All but ``text`` is of the retriever
            before it.
    """

    text: str
    kind: Kind
    model: str
    is_hybrid: bool = False
    reranker: RerankerName | None = None

    @property
    def first(self) -> str:
        """The retriever without its reranker."""
        return self.text.removesuffix(f"+{self.reranker.text}") if self.reranker else self.text

    @property
    def alpha(self) -> float | None:
        """The alpha that MixPR is to have for every question; None where the question decides."""
        form = parse_form(self.first)
        return form.alpha if form else None

    @property
    def embedder(self) -> str | None:
        """The retriever that compares the same embeddings and nothing else; None where there are none."""
        if self.kind == "own":
            return _OWN_EMBEDDERS.get(self.first)
        if self.kind == "brought":
            return None
        return self.first.removeprefix(f"{_HYBRID}:")

    @property
    def recipe(self) -> str:
        """How its packaged model scores: "minilm (bfloat16, by sentences)", like a version; or ""."""
        return _RECIPES.get(self.embedder or "", "")


def is_retriever(text: str) -> bool:
    """Whether ``text`` is the name of one of niah's own, of a package's, or a short one: no model's."""
    return text in OWN or text in SHORT or ("/" not in text and text in RETRIEVERS.added)


def parse_name(text: str) -> RetrieverName:
    """What ``text`` names. Raises UnknownName or StrategyError."""
    first, reranker = _reranked(text)
    if is_brought(text) and not reranker:
        return RetrieverName(checked(text), "brought", text)
    if reranker:
        before = parse_name(first)
        if before.reranker:
            raise StrategyError(f"retriever {text!r} names two rerankers.", f"Write {before.text}.")
        return replace(before, text=f"{before.text}+{reranker.text}", reranker=reranker)
    scheme = _SCHEME.fullmatch(text)
    if scheme and scheme[1] == _HYBRID:
        return _hybrid(text, scheme[2])
    if scheme and scheme[1] in _KIND_OF_SCHEME:
        return _forced(text, scheme[1], scheme[2])
    name = _bare(text)
    if name is None and "/" not in text and text in RETRIEVERS.added:
        return RetrieverName(text, "own", text)
    if name is None:
        raise _not_understood(text)
    return name


def with_reranker(retriever: str, reranker: str) -> str:
    """The canonical name of a retriever whose best chunks a reranker ranks anew. Raises StrategyError."""
    found = _reranker(reranker)
    if found is None:
        problem = f"{reranker!r} is no reranker."
        raise StrategyError(problem, f"{_FORMS} For example cross-encoder/ms-marco-MiniLM-L6-v2.")
    is_hub = found.kind == "sentence-transformers" and not found.text.startswith((*_FOLDER_STARTS, "st:"))
    return parse_name(f"{retriever}+{f'st:{found.text}' if is_hub else found.text}").text


def _reranked(text: str) -> tuple[str, RerankerName | None]:
    """The parts before and behind the first plus that has a reranker behind it."""
    for plus in re.finditer(r"\+", text):
        first, behind = text[: plus.start()], text[plus.end() :]
        is_folder = _PREFIXES.sub("", first).startswith((*_FOLDER_STARTS, *ADDRESSES))
        is_marked = behind.startswith((*_FOLDER_STARTS, "st:", "litellm:"))
        if is_folder and not is_marked and behind.partition("/")[0] not in RERANKING_PROVIDERS:
            continue
        if reranker := _reranker(behind):
            needs_mark = is_folder and behind.startswith("st:") and not reranker.text.startswith("st:")
            return first, replace(reranker, text=f"st:{reranker.text}") if needs_mark else reranker
    return text, None


def _reranker(text: str) -> RerankerName | None:
    """The reranker of that name; None if it is none.

    Raises StrategyError for a scheme without a model, and for a provider that has no rerankers.
    """
    scheme = _SCHEME.fullmatch(text)
    forced = scheme is not None and scheme[1] in _KIND_OF_SCHEME
    if "/" not in text and not forced:
        return RerankerName(text, "own", text) if text in RERANKERS.added else None
    name = _forced(text, scheme[1], scheme[2]) if scheme and forced else _bare(text)
    if name is None or name.kind == "own":
        return None
    provider = name.model.partition("/")[0]
    if name.kind == "litellm" and not forced and provider not in RERANKING_PROVIDERS:
        raise StrategyError(
            f"{text!r} is no reranker: litellm asks {provider} for none.",
            f"Take one of {', '.join(RERANKING_PROVIDERS)}, or write st:{text} for the hub's.",
        )
    # Short names are embedders'.
    return RerankerName(name.model if name.text in SHORT else name.text, name.kind, name.model)


def _bare(text: str) -> RetrieverName | None:
    """A name without a scheme; None if it is none."""
    provider, slash, model = text.partition("/")
    if text in OWN:
        return RetrieverName(text, "own", text, is_hybrid=text == _HYBRID)
    try:
        form = parse_form(text)
    except ValueError as error:
        raise StrategyError(f"retriever {text!r}: {error}.", "Write mixpr-alpha-0.6 or mixpr-a0.3.") from None
    if form:
        return RetrieverName(form.text, "own", form.text)
    if text in SHORT:
        return RetrieverName(text, "sentence-transformers", SHORT[text])
    if provider in PROVIDERS and slash and model:
        return RetrieverName(text, "litellm", text)
    if text in _FOLDERS or (text.startswith(_FOLDER_STARTS) and text.strip("/")):
        folder = text.rstrip("/")
        return RetrieverName(folder, "sentence-transformers", folder)
    if provider == _HYBRID and slash:
        return None
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


def _hybrid(text: str, model: str) -> RetrieverName:
    if not model.strip("/"):
        raise StrategyError(f"retriever {text!r} names no model.", f"Write one after {_HYBRID}:.")
    dense = parse_name(model)
    if dense.embedder is None or dense.is_hybrid:
        raise StrategyError(
            f"retriever {text!r} needs a model that embeds, and {dense.text} is none.",
            "Write hybrid:minilm, hybrid:OWNER/NAME, hybrid:./FOLDER or hybrid:PROVIDER/MODEL.",
        )
    if dense.kind == "own":
        return parse_name(_HYBRID)
    from niah.retrieval.embedders.conventions import is_known_by_dot

    if is_known_by_dot(dense.model):
        raise gives_no_cosines(text, dense.text)
    return RetrieverName(f"{_HYBRID}:{dense.text}", dense.kind, dense.model, is_hybrid=True)


def gives_no_cosines(hybrid: str, model: str) -> StrategyError:
    """What is wrong with a hybrid of a model whose dot products no cosine can be added to."""
    return StrategyError(
        f"retriever {hybrid!r} adds cosines, and {model} compares by dot product.",
        "Take a model that compares by cosine, such as hybrid:minilm or hybrid:arctic.",
    )


def _not_understood(text: str) -> UserError:
    first, plus, behind = text.partition("+")
    if plus and _bare(first):
        if failure := RERANKERS.failure(behind, "reranker"):
            return failure
        return StrategyError(
            f"{behind!r} is no reranker.",
            f"{_FORMS} For example {first}+cross-encoder/ms-marco-MiniLM-L6-v2.",
        )
    if "/" not in text and ":" not in text:
        if failure := RETRIEVERS.failure(text, "retriever"):
            return failure
        error = UnknownName("retriever", text, [*RETRIEVERS, *SHORT])
        if not error.remedy.startswith("Did"):
            error.remedy = f"{error.remedy} {_FORMS}"
        return error
    scheme = _SCHEME.fullmatch(text)
    if scheme and "/" not in scheme[1]:
        known = (*_KIND_OF_SCHEME, _HYBRID)
        return UnknownName("retriever prefix", f"{scheme[1]}:", [f"{prefix}:" for prefix in known])
    if text.startswith(f"{_HYBRID}/"):
        model = text.removeprefix(f"{_HYBRID}/")
        return StrategyError(
            f"retriever {text!r} is no model.", f"Write hybrid:{model}, or st:{text} for the hub's."
        )
    if text.partition("/")[0] in PROVIDERS:
        return StrategyError(f"retriever {text!r} names no model.", "Write one after the slash.")
    return StrategyError(
        f"retriever {text!r} is neither a model of a hub, nor a folder, nor litellm's.", _FORMS
    )
