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

# At 10,000 tokens DOS RAG serves the paper's small reader best and stands furthest above vanilla, and GPT-4o
# has most of its gain (stronger-baselines-dos-rag, tables 1 and 2). A context that is no longer is given
# whole: there, write a smaller budget, such as minilm/budget-500/document@100.
_BUDGET = "budget-10000"

PRESETS = {
    "topk": Preset("minilm/top-auto/norm", "a few 600-token windows, best first"),
    "topk-rev": Preset("minilm/top-auto/reverse", "a few 600-token windows, best last"),
    "half": Preset("minilm/half/norm", "600-token windows for half the length, best first"),
    "half-rev": Preset("minilm/half/reverse", "600-token windows for half the length, best last"),
    "full": Preset("minilm/full/norm", "600-token windows for the full length, best first"),
    "full-rev": Preset("minilm/full/reverse", "600-token windows for the full length, best last"),
    "vanilla": Preset(f"minilm/{_BUDGET}/norm@100", "100-token passages, best first (vanilla RAG)"),
    "dos": Preset(f"minilm/{_BUDGET}/document@100", "100-token passages, document order (DOS RAG)"),
    # Mixture-of-pageranks, section 4 and appendix A.2: MixPR and its baselines cut alike, take 100 chunks and
    # keep their order. Their dense models have 33M and 435M parameters; minilm has 22M.
    "mixpr": Preset("mixpr/top-100/document", "100 sentences by PageRank, document order (MixPR)"),
    "rag-sparse": Preset(
        "tfidf/top-100/document@sentences", "100 sentences by TF-IDF, document order (RAG-Sparse)"
    ),
    "rag-dense": Preset(
        "minilm/top-100/document@sentences", "100 sentences by embeddings, document order (RAG-Dense)"
    ),
    "rag-hybrid": Preset(
        "hybrid/top-100/document@sentences", "100 sentences by both, document order (RAG-Hybrid)"
    ),
}
