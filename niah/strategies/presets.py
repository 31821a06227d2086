"""Strategies that have a name of their own.

A package adds one with an entry point of the group ``niah.strategies`` that names a ``Preset``, which gives a
combination of retriever, scope and order a name, or a function of a ``SelectionRequest``, which makes of a
context what stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from niah.plugins.registry import Registry, described
from niah.strategies.parts import noise_suffix


@dataclass(frozen=True)
class WholeContext:
    """``lc`` sends all of the context, ``oracle`` the chunks with needles (and noise), or nothing at all."""

    name: str
    description: str
    noise: float | None = None

    def __str__(self) -> str:
        return f"{self.name}{noise_suffix(self.noise)}"


@dataclass(frozen=True)
class Preset:
    """A name for a strategy that is written in parts: ``definition`` is "bm25/top-5/norm@100"."""

    definition: str
    description: str


@dataclass(frozen=True)
class SelectionRequest:
    """What a strategy of a package makes a selection of; ``room`` is tokens, as ``count`` counts them."""

    question: str
    text: str
    room: int
    count: Callable[[str], int]


@dataclass(frozen=True)
class AddedStrategy:
    """A strategy of a package: ``select`` makes a text of a context, or texts in prompt order."""

    name: str
    description: str
    select: Callable[[SelectionRequest], str | Iterable[str]]

    def __str__(self) -> str:
        return self.name


def _named(name: str, made: object) -> WholeContext | Preset | AddedStrategy:
    if not re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case letters and digits, with hyphens between them")
    if isinstance(made, Preset) and name not in STRATEGIES.own and "/" not in made.definition:
        raise ValueError(f"its definition {made.definition!r} is no RETRIEVER/SCOPE/ORDER")
    if isinstance(made, Preset | WholeContext):
        return made
    if not callable(made):
        raise TypeError("it is neither a niah.strategies.presets.Preset nor a function of a SelectionRequest")
    return AddedStrategy(name, described(made), made)


RAG_HYBRID = "rag-hybrid"
"""The preset that takes a model behind a colon."""

# At 10,000 tokens DOS RAG serves the paper's small reader best and stands furthest above vanilla, and GPT-4o
# has most of its gain (stronger-baselines-dos-rag, tables 1 and 2). A context that is no longer is given
# whole: there, write a smaller budget, such as minilm/budget-500/document@100. Sentence windows and
# auto-merging: long-context-vs-rag, section 4.2, with LlamaIndex's defaults. MixPR and its baselines
# (mixture-of-pageranks, section 4 and appendix A.2) cut alike, take 100 chunks and keep their order.
_PRESETS = (
    ("topk", "minilm/top-auto/norm", "a few 600-token windows, best first"),
    ("topk-rev", "minilm/top-auto/reverse", "a few 600-token windows, best last"),
    ("half", "minilm/half/norm", "600-token windows for half the length, best first"),
    ("half-rev", "minilm/half/reverse", "600-token windows for half the length, best last"),
    ("full", "minilm/full/norm", "600-token windows for the full length, best first"),
    ("full-rev", "minilm/full/reverse", "600-token windows for the full length, best last"),
    ("vanilla", "minilm/budget-10000/norm@100", "100-token passages, best first (vanilla RAG)"),
    ("dos", "minilm/budget-10000/document@100", "100-token passages, document order (DOS RAG)"),
    (
        "sentence-window",
        "minilm/top-2/norm@sentence-window-3",
        "2 sentences with 3 to either side, best first",
    ),
    ("auto-merging", "minilm/top-6/document@auto-merging-128", "6 passages or parents, document order"),
    ("mixpr", "mixpr/top-100/document", "100 sentences by PageRank, document order (MixPR)"),
    (
        "rag-sparse",
        "tfidf/top-100/document@sentences",
        "100 sentences by TF-IDF, document order (RAG-Sparse)",
    ),
    (
        "rag-dense",
        "minilm/top-100/document@sentences",
        "100 sentences by embeddings, document order (RAG-Dense)",
    ),
    (RAG_HYBRID, "hybrid/top-100/document@sentences", "100 sentences by both, document order (RAG-Hybrid)"),
    ("raptor", "raptor-pca:minilm/budget-2000/norm@100", "passages and summaries of their clusters (RAPTOR)"),
    ("readagent", "readagent-6", "gists of pages, of which the model looks up to 6 up again (ReadAgent)"),
    ("tree-index", "tree-index-1", "a tree of summaries; the model picks one child on every level"),
    ("mixpr-reader", "mixpr-reader/top-100/document", "mixpr, routed by the reader"),
    ("self-route", "route(minilm/budget-10000/document@100,lc)", "dos, or lc where the reader gives up"),
)

STRATEGIES: Registry[WholeContext | Preset | AddedStrategy] = Registry(
    "strategies",
    {
        "lc": WholeContext("lc", "the whole context"),
        "oracle": WholeContext("oracle", "only the chunks that hold needles, in document order"),
        "closed-book": WholeContext("closed-book", "no context at all"),
        **{name: Preset(*row) for name, *row in _PRESETS},
    },
    _named,
)
