"""Strategies that have a name of their own.

A package adds one with an entry point of the group ``niah.strategies`` that names a ``Preset``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from niah.registry import Registry
from niah.strategies.parts import WholeContext


@dataclass(frozen=True)
class Preset:
    """A name for a strategy that is written in parts: ``definition`` is "bm25/top-5/norm@100"."""

    definition: str
    description: str


def _adapted(name: str, made: object) -> WholeContext | Preset:
    if not re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case letters and digits, with hyphens between them")
    if not isinstance(made, Preset | WholeContext):
        raise TypeError("it is no niah.strategies.presets.Preset")
    if isinstance(made, Preset) and name not in STRATEGIES.own and "/" not in made.definition:
        raise ValueError(f"its definition {made.definition!r} is no RETRIEVER/SCOPE/ORDER")
    return made


RAG_HYBRID = "rag-hybrid"
"""The preset that takes a model behind a colon."""

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
"""

STRATEGIES: Registry[WholeContext | Preset] = Registry(
    "strategies",
    {
        "lc": WholeContext("lc", "the whole context"),
        "oracle": WholeContext("oracle", "only the chunks that hold needles, in document order"),
        "closed-book": WholeContext("closed-book", "no context at all"),
        **{
            name: Preset(definition, description)
            for name, definition, description in (
                map(str.strip, row.split("|")) for row in _PRESETS.strip().splitlines()
            )
        },
    },
    _adapted,
)
