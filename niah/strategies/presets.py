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
    """A strategy without a retriever: ``lc``, ``oracle`` or ``closed-book``.

    Attributes:
        noise: of oracle, the share of chunks without a needle that is asked for; None for none.
    """

    name: str
    description: str
    noise: float | None = None

    def __str__(self) -> str:
        return f"{self.name}{noise_suffix(self.noise)}"

    @property
    def sends_context(self) -> bool:
        """Whether the reader gets all of the context."""
        return self.name == "lc"

    @property
    def sends_needles(self) -> bool:
        """Whether it sends the chunks that hold needles."""
        return self.name == "oracle"

    @property
    def is_floor(self) -> bool:
        """Whether the reader sees nothing of the context."""
        return self.name == "closed-book"


@dataclass(frozen=True)
class Preset:
    """A name for a strategy that is written in parts.

    Attributes:
        definition: as users write it without the name: "bm25/top-5/norm@100".
        description: one line for people.
    """

    definition: str
    description: str


@dataclass(frozen=True)
class SelectionRequest:
    """What a strategy of a package makes a selection of.

    Attributes:
        question: what is asked.
        text: the context.
        room: tokens that may stand in its place.
        count: tokens of a text, as they count here.
    """

    question: str
    text: str
    room: int
    count: Callable[[str], int]


@dataclass(frozen=True)
class AddedStrategy:
    """A strategy of a package, which makes its own text of a context.

    Attributes:
        name: what users write.
        description: one line for people.
        select: what stands in the context's place: a text, or texts in prompt order.
    """

    name: str
    description: str
    select: Callable[[SelectionRequest], str | Iterable[str]]

    def __str__(self) -> str:
        return self.name


def _named(name: str, made: object) -> WholeContext | Preset | AddedStrategy:
    if not re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case letters and digits, with hyphens between them")
    if isinstance(made, Preset):
        if name not in STRATEGIES.own and "/" not in made.definition:
            raise ValueError(f"its definition {made.definition!r} is no RETRIEVER/SCOPE/ORDER")
        return made
    if isinstance(made, WholeContext):
        return made
    if not callable(made):
        raise TypeError("it is neither a niah.strategies.presets.Preset nor a function of a SelectionRequest")
    return AddedStrategy(name, described(made), made)


# At 10,000 tokens DOS RAG serves the paper's small reader best and stands furthest above vanilla, and GPT-4o
# has most of its gain (stronger-baselines-dos-rag, tables 1 and 2). A context that is no longer is given
# whole: there, write a smaller budget, such as minilm/budget-500/document@100.
_BUDGET = "budget-10000"

RAG_HYBRID = "rag-hybrid"
"""The preset that takes a model behind a colon."""

STRATEGIES: Registry[WholeContext | Preset | AddedStrategy] = Registry(
    "strategies",
    {
        "lc": WholeContext("lc", "the whole context"),
        "oracle": WholeContext("oracle", "only the chunks that hold needles, in document order"),
        "closed-book": WholeContext("closed-book", "no context at all"),
        "topk": Preset("minilm/top-auto/norm", "a few 600-token windows, best first"),
        "topk-rev": Preset("minilm/top-auto/reverse", "a few 600-token windows, best last"),
        "half": Preset("minilm/half/norm", "600-token windows for half the length, best first"),
        "half-rev": Preset("minilm/half/reverse", "600-token windows for half the length, best last"),
        "full": Preset("minilm/full/norm", "600-token windows for the full length, best first"),
        "full-rev": Preset("minilm/full/reverse", "600-token windows for the full length, best last"),
        "vanilla": Preset(f"minilm/{_BUDGET}/norm@100", "100-token passages, best first (vanilla RAG)"),
        "dos": Preset(f"minilm/{_BUDGET}/document@100", "100-token passages, document order (DOS RAG)"),
        # Long-context-vs-rag, section 4.2, with LlamaIndex's defaults: the best two sentences, three to
        # either side; the best six leaves.
        "sentence-window": Preset(
            "minilm/top-2/norm@sentence-window-3", "2 sentences with 3 to either side, best first"
        ),
        "auto-merging": Preset(
            "minilm/top-6/document@auto-merging-128", "6 passages or the parents they fill, document order"
        ),
        # Mixture-of-pageranks, section 4 and appendix A.2: MixPR and its baselines cut alike, take 100 chunks
        # and keep their order. Their dense models have 33M and 435M parameters; minilm has 22M.
        "mixpr": Preset("mixpr/top-100/document", "100 sentences by PageRank, document order (MixPR)"),
        "rag-sparse": Preset(
            "tfidf/top-100/document@sentences", "100 sentences by TF-IDF, document order (RAG-Sparse)"
        ),
        "rag-dense": Preset(
            "minilm/top-100/document@sentences", "100 sentences by embeddings, document order (RAG-Dense)"
        ),
        RAG_HYBRID: Preset(
            "hybrid/top-100/document@sentences", "100 sentences by both, document order (RAG-Hybrid)"
        ),
        "raptor": Preset(
            "raptor-pca:minilm/budget-2000/norm@100",
            "100-token passages and summaries of their clusters (RAPTOR with PCA in place of UMAP)",
        ),
        "readagent": Preset(
            "readagent-6", "gists of pages, of which the model looks up to 6 up again, at once (ReadAgent)"
        ),
        "tree-index": Preset(
            "tree-index-1", "a tree of summaries in which the model picks one child on every level"
        ),
        "mixpr-reader": Preset(
            "mixpr-reader/top-100/document", "mixpr, and the reader says which questions are about it all"
        ),
        "self-route": Preset(
            "route(minilm/budget-10000/document@100,lc)",
            "the reader answers from dos, or says unanswerable and gets lc",
        ),
    },
    _named,
)
