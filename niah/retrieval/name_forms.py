"""Every form of a retriever's name, with a line about each."""

from __future__ import annotations

from niah.retrieval.known_names import SHORT
from niah.retrieval.reranking.reranker import RERANKED
from niah.retrieval.reranking.sources import RERANKERS
from niah.retrieval.sources import RETRIEVERS

_DESCRIPTIONS = {
    "minilm": "cosine of all-MiniLM-L6-v2 embeddings; reads English; on this CPU",
    "arctic": f"{SHORT['arctic']}, DOS RAG's; reads English; from the hub",
    "contriever": f"{SHORT['contriever']}, mean pooling and dot product; reads English; from the hub",
    "OWNER/NAME": "any sentence-transformers model of the hub, with its own prefixes",
    "./FOLDER": "any sentence-transformers model in a folder",
    "PROVIDER/MODEL": "any litellm embedding model (openai, voyage, cohere, ...)",
    "st:, litellm:": "before a name, where it would be taken for the other's: st:cohere/NAME",
    "RETRIEVER+RERANKER": (
        f"the best {RERANKED} chunks of any, ranked anew: bm25+OWNER/NAME, bm25+./FOLDER, bm25+PROVIDER/MODEL"
    ),
    "py:MODULE:FUNCTION": "a Python function of your own; py:./FILE.py:FUNCTION for one in a file",
    "http://HOST/PATH": "an HTTP service of your own",
    "bm25": "BM25 (Lucene's, k1 1.5, b 0.75) of terms in any script",
    "tfidf": "cosine of TF-IDF rows (RAG-Sparse), in any script",
    "hybrid": "0.85 minilm + 0.15 tfidf (RAG-Hybrid); reads English",
    "hybrid:MODEL": "the same with another embedder: hybrid:arctic, hybrid:OWNER/NAME, hybrid:./FOLDER",
    "mixpr": "personalised PageRank over TF-IDF similarity, for questions of several hops",
    "mixpr-0.27": "the same without similarities below 0.27, as in the paper; slower",
    "mixpr-auto": "mixpr-0.27 where over 50 million pairs of chunks share a term",
    "mixpr-aA": "the same with that alpha, 0 to 1, for questions about single facts: mixpr-a0.3",
    "mixpr-alpha-A": "the same with that alpha, 0 to 1, for every question: mixpr-alpha-0, mixpr-alpha-0.6",
    "mixpr-pN": "walks start at the last one or two chunks, as the paper's: mixpr-p1, mixpr-a0.3-p2",
    "mixpr-naive": "the same with the whole matrix formed, for comparison; up to 10,000 chunks",
    "random": "chunks by lot, the same for a case every time: a baseline",
    "first": "the context's first chunks: a baseline",
    "last": "the context's last chunks, the last one best: a baseline",
}

_NEEDS = {
    **dict.fromkeys(("minilm", "arctic", "contriever", "OWNER/NAME", "./FOLDER", "hybrid"), "local"),
    "PROVIDER/MODEL": "providers",
    **dict.fromkeys(("mixpr-0.27", "mixpr-auto"), "fast"),
}
"""The extra of niah's that brings what a form needs."""


def describe_retrievers() -> list[tuple[str, str]]:
    """Every form of a retriever's name, and one line about it."""
    added = [(name, source.description) for name, source in RETRIEVERS.added.items()]
    rerankers = [(f"RETRIEVER+{name}", source.description) for name, source in RERANKERS.added.items()]
    ours = [
        (name, f"{says}; needs niah[{_NEEDS[name]}]" if name in _NEEDS else says)
        for name, says in _DESCRIPTIONS.items()
    ]
    return [*ours, *added, *rerankers]
