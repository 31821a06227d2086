"""How much of a context is retrieved (scopes), in which order it is sent (orders), and names for both with a
retriever. An entry point names a ``ChunkOrder`` (``niah.orders``) or a ``Preset`` (``niah.strategies``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Literal

from niah.errors import OutsideError
from niah.registry import Registry, error_line
from niah.strategies.chunkers import Chunker, checked, default_chunker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ChunkOrder:
    """An order of retrieved chunks: ``arrange`` makes of their numbers, best first, that in the prompt."""

    description: str
    arrange: Callable[[Sequence[int]], Sequence[int]]
    best: Literal["first", "last", ""] = ""  # where the best one is; "last" is next to the question
    keeps_places: bool = False  # as in the context, where those that follow each other are joined


ORDERS: Registry[ChunkOrder] = Registry(
    "orders",
    {
        "norm": ChunkOrder("best first", lambda ranking: ranking, best="first"),
        "reverse": ChunkOrder("best last, next to the question", lambda ranking: ranking[::-1], best="last"),
        "document": ChunkOrder("as they stand in the context", sorted, keeps_places=True),
        "sides": ChunkOrder(
            "best at both ends, worst in the middle",
            lambda ranking: [*ranking[::2], *ranking[1::2][::-1]],  # ranks 1 3 5 ... 6 4 2
        ),
    },
    lambda name, made: checked(name, made, ChunkOrder),
)


def in_order(name: str, ranking: Sequence[int]) -> list[int]:
    """The numbers of a ranking as the order ``name`` has them. Raises OutsideError of a package's."""
    if name in ORDERS.own:
        return list(ORDERS[name].arrange(ranking))
    try:
        arranged = [*map(index, ORDERS[name].arrange([*ranking]))]
        if sorted(arranged) == sorted(ranking):
            return arranged
        problem = "it gave other chunks than it got"
    except Exception as error:  # whatever a stranger's function does
        problem = error_line(error)
    raise OutsideError(f"the order {name} failed: {problem}.", "Mend the package that has it.")


SCOPES = {
    "top-K": "the K best chunks, or all where there are fewer",
    "top-auto": "5, 10 or 20 chunks for 3, 7 or 15 needles, round(4k/3) + 1 for k, 5 where that is unknown",
    "top-adaptive": "the chunks before the largest gap of scores, worst tenth left out",
    "budget-N": "the best whole chunks that fit into N tokens, and into the room; larger windows and passages"
    " are cut at N - 8",
    "half": "the best whole chunks that fit into half the room that a context has",
    "full": "the best whole chunks that fit into all of it",
}
"""By form what a scope retrieves."""


@dataclass(frozen=True)
class Scope:
    """How much is retrieved: a form of ``SCOPES`` without its K or N, and that number; 0 if it has none."""

    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.size}" if self.size else self.kind

    def tokens_in(self, room: int) -> int | None:
        """Tokens to fill of a context's room (L - P); None where chunks are counted."""
        if self.kind.startswith("top"):
            return None
        return {"budget": min(self.size, room), "half": room // 2, "full": room}[self.kind]

    def chunks_for(self, needles: int | None, scores: NDArray[np.float64] | None = None) -> int:
        """How many of the best chunks are retrieved, where chunks are counted. top-auto: u-niah's, section
        4.2. top-adaptive: those before the first of the largest gaps between ``scores``, the best first,
        where gaps among the worst tenth do not count (Adaptive-k, arXiv 2506.08479); all without scores."""
        if self.kind == "top-auto":
            return 5 if needles is None else 20 if needles == 15 else round(4 * needles / 3) + 1
        if self.kind != "top-adaptive":
            return self.size
        if scores is None:
            return sys.maxsize
        gaps = (scores[:-1] - scores[1:])[: len(scores) * 9 // 10]
        return int(gaps.argmax()) + 1 if len(gaps) else len(scores)


@dataclass(frozen=True)
class WholeContext:
    """``lc`` sends all of the context, ``oracle`` the chunks with needles (and noise), or nothing at all."""

    name: str
    description: str
    noise: float | None = None

    def __str__(self) -> str:
        return self.name if self.noise is None else f"{self.name}+noise-{self.noise:g}"


@dataclass(frozen=True)
class RetrievalPlan:
    """Retriever x scope x order, over chunks; a share of noise, or tokens of best sentences, behind it."""

    retriever: str
    scope: Scope
    order: str
    chunker: Chunker
    noise: float | None = None
    sentences: int | None = None

    def __str__(self) -> str:
        chunks = "" if self.chunker == default_chunker(self.retriever) else f"@{self.chunker}"
        return f"{self.retriever}/{self.scope}/{self.order}{chunks}{self._suffix}"

    @property
    def _suffix(self) -> str:
        if self.sentences is not None:
            return f"+sentences-{self.sentences}"
        return "" if self.noise is None else f"+noise-{self.noise:g}"

    @property
    def unordered(self) -> str:
        """What is sent, in whatever order: strategies that share it differ in their order alone."""
        return f"{self.retriever}/{self.scope}@{self.chunker}{self._suffix}"

    @property
    def budget(self) -> int | None:
        """Tokens that it says it sends at most; None where it says none."""
        return self.sentences or (self.scope.size if self.scope.kind == "budget" else None)

    def tokens_in(self, room: int) -> int | None:
        """Tokens to fill of a context's room; None where chunks are counted, and sent whole."""
        filled = self.scope.tokens_in(room)
        if self.sentences is None:
            return filled
        return min(self.sentences, room if filled is None else filled)

    def chunker_for(self, room: int) -> Chunker:
        """The chunker, with chunks small enough for what is filled of a context's room."""
        filled = self.scope.tokens_in(room)
        return self.chunker if filled is None else self.chunker.for_room(filled)


SentPlan = RetrievalPlan | WholeContext  # a strategy that asks no model before the reader


@dataclass(frozen=True)
class Preset:
    """A name for a strategy that is written in parts: ``definition`` is "bm25/top-5/norm@100"."""

    definition: str
    description: str


# At 10,000 tokens DOS RAG serves the paper's small reader best and stands furthest above vanilla, and GPT-4o
# has most of its gain (stronger-baselines-dos-rag, tables 1 and 2). A context that is no longer is given
# whole: there, write a smaller budget, such as minilm/budget-500/document@100. Sentence windows and
# auto-merging: long-context-vs-rag, section 4.2, with LlamaIndex's defaults. MixPR and its baselines
# (mixture-of-pageranks, section 4 and appendix A.2) cut alike, take 100 chunks and keep their order.
_PRESETS = """
topk            | minilm/top-auto/norm | a few 600-token windows, best first
topk-rev        | minilm/top-auto/reverse | a few 600-token windows, best last
half            | minilm/half/norm | 600-token windows for half the length, best first
half-rev        | minilm/half/reverse | 600-token windows for half the length, best last
full            | minilm/full/norm | 600-token windows for the full length, best first
full-rev        | minilm/full/reverse | 600-token windows for the full length, best last
vanilla         | minilm/budget-10000/norm@100 | 100-token passages, best first (vanilla RAG)
dos             | minilm/budget-10000/document@100 | 100-token passages, document order (DOS RAG)
sentence-window | minilm/top-2/norm@sentence-window-3 | 2 sentences with 3 to either side, best first
auto-merging    | minilm/top-6/document@auto-merging-128 | 6 passages or parents, document order
mixpr           | mixpr/top-100/document | 100 sentences by PageRank, document order (MixPR)
rag-sparse      | tfidf/top-100/document@sentences | 100 sentences by TF-IDF, document order (RAG-Sparse)
rag-dense       | minilm/top-100/document@sentences | 100 sentences by embeddings, document order (RAG-Dense)
rag-hybrid      | hybrid/top-100/document@sentences | 100 sentences by both, document order (RAG-Hybrid)
raptor          | raptor-pca:minilm/budget-2000/norm@100 | passages and summaries of their clusters (RAPTOR)
readagent       | readagent-6 | gists of pages, of which the model looks up to 6 up again (ReadAgent)
tree-index      | tree-index-1 | a tree of summaries; the model picks one child on every level
mixpr-reader    | mixpr-reader/top-100/document | mixpr, routed by the reader
agent           | agent-8@4000 | the model searches the text with tools: 8 turns, 4,000 tokens
self-route      | route(minilm/budget-10000/document@100,lc) | dos, or lc where the reader gives up
""".strip().splitlines()


def _adapted(name: str, made: object) -> WholeContext | Preset:
    if isinstance(made, WholeContext):
        return made
    preset = checked(name, made, Preset)
    if name not in STRATEGIES.own and "/" not in preset.definition:  # it could name itself
        raise ValueError(f"its definition {preset.definition!r} is no RETRIEVER/SCOPE/ORDER")
    return preset


STRATEGIES: Registry[WholeContext | Preset] = Registry(
    "strategies",
    {
        "lc": WholeContext("lc", "the whole context"),
        "oracle": WholeContext("oracle", "only the chunks that hold needles, in document order"),
        "closed-book": WholeContext("closed-book", "no context at all"),
        **{
            name: Preset(definition, description)
            for name, definition, description in (re.split(r" *\| ", row) for row in _PRESETS)
        },
    },
    _adapted,
)
