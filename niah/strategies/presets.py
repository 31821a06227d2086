"""The strategies that have a name of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A name for a definition, with one line for people."""

    definition: str
    says: str


# Without retrieval.
WHOLE = {
    "lc": "the whole context",
    "oracle": "only the chunks that hold needles, in document order",
    "closed-book": "no context at all",
}

# 10,000 tokens is where DOS RAG stands furthest above vanilla for its small reader, which it serves best of all
# budgets, and where GPT-4o has most of its gain (stronger-baselines-dos-rag, tables 1 and 2). A context that is
# no longer is given whole: write minilm/budget-N/document@100 for a smaller budget.
_BUDGET = "budget-10000"

PRESETS = {
    "topk": Preset("minilm/top-auto/norm", "the few best 600-token windows, best first"),
    "topk-rev": Preset("minilm/top-auto/reverse", "the few best 600-token windows, best last"),
    "half": Preset("minilm/half/norm", "best 600-token windows for half the length, best first"),
    "half-rev": Preset("minilm/half/reverse", "best 600-token windows for half the length, best last"),
    "full": Preset("minilm/full/norm", "best 600-token windows for the full length, best first"),
    "full-rev": Preset("minilm/full/reverse", "best 600-token windows for the full length, best last"),
    "vanilla": Preset(f"minilm/{_BUDGET}/norm@100", "best 100-token passages, best first (vanilla RAG)"),
    "dos": Preset(f"minilm/{_BUDGET}/document@100", "best 100-token passages, document order (DOS RAG)"),
    "mixpr": Preset("mixpr/top-100/document", "100 sentences by PageRank, document order (MixPR)"),
}
