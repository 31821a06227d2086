"""MixPR: a mixture of two PageRanks over the graph of similar chunks (mixture-of-pageranks, section 4).

Chunks are nodes and A = normalise(E E^T) joins the similar ones, E being their L2-normalised TF-IDF rows. A
local question starts the walk at its own chunks and returns there often (alpha 0.6); a global one ranks the
chunks by how central they are (alpha 0). A is never formed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.retrieval.tfidf import tfidf_rows
from niah.text.chunks import short_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

Reach = Literal["local", "global"]

# The paper's values: section 4, "Dynamic alpha", and appendix A.2.
ALPHA: dict[Reach, float] = {"local": 0.6, "global": 0.0}
ITERATIONS = 18

_WHOLE = r"(?:text|document|book|story|novel|passage|article|context|report|transcript|conversation)"
_GIST = r"(?:ideas?|themes?|topics?|points?|messages?|subjects?|arguments?|plot|story|tone|mood|gist|summary)"
_GLOBAL = re.compile(
    rf"""\b(?:
        summar(?:y|i[sz](?:e[sd]?|ing|ation)) | synopsis | tl;?dr | gist | outline | overview
      | most\s+(?:common|commonly|frequent|frequently|often|repeated)
      | how\s+often | word\s+counts? | frequenc(?:y|ies)
      | (?:main|central|overall|overarching|principal|key|general)\s+{_GIST}
      | (?:describe|review|retell)\s+the\s+(?:whole|entire|full)
      | (?:as\s+a\s+whole | (?:whole|entire)\s+{_WHOLE} | throughout\s+(?:the|this)\s+{_WHOLE})
      | what\s+(?:is|was)\s+(?:the|this)\s+{_WHOLE}\s+(?:\w+\s+)?about
    )\b | \A\W*overall\b""",
    re.IGNORECASE | re.VERBOSE,
)


def route(question: str) -> Reach:
    """Which expert answers: "global" where the whole document is asked about, else "local".

    The paper asks the reader with a zero-shot prompt: summarisation, most frequent words or a description
    of the entire document, yes or no. These are rules for the same three, and they need no LLM. They are
    kept narrow, since alpha 0 fails on local questions while alpha 0.6 only weakens on global ones
    (figure 3): "the overall cost of the trip" stays local, "the overall theme" is global.
    """
    return "global" if _GLOBAL.search(question) else "local"


def personalised_pagerank(
    e: csr_matrix[np.float64],
    p: NDArray[np.float64],
    alpha: float,
    iterations: int = ITERATIONS,
    tolerance: float = 1e-6,
) -> NDArray[np.float64]:
    """pi = (1 - alpha) A pi + alpha p, with A = E E^T and its columns scaled to sum to 1.

    Equations 2 and 3 of mixture-of-pageranks, by power iteration from the uniform distribution. A stays a
    product of sparse factors: its column sums are D = E (E^T 1), and A x = E (E^T (x / D)).

    Args:
        e: shape (n, terms), a row for each node, not negative. An empty row is a dangling node: a walk that
            gets there goes on from p, as in networkx, after which the paper models its own.
        p: shape (n,), where walks start; sums to 1.
        alpha: chance of going back to p at a step, 0 to 1.
        iterations: at most so many steps.
        tolerance: stop when a step moves less than this share of the total.

    Returns:
        Shape (n,), sums to 1.

    Raises:
        ValueError: p does not fit e or does not sum to 1, or alpha is out of range.
    """
    n = e.shape[0]
    if p.shape != (n,) or not np.isclose(p.sum(), 1.0):
        raise ValueError(f"p has shape {p.shape} and sum {p.sum():.4g}; need shape ({n},) and sum 1")
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha}; need 0 <= alpha <= 1")
    transposed = e.T.tocsr()
    sums = np.asarray(e @ (transposed @ np.ones(n)))
    dangling = sums == 0
    scale = 1.0 / np.where(dangling, np.inf, sums)
    pi = np.full(n, 1.0 / n)
    for _ in range(iterations):
        before = pi
        walked = e @ (transposed @ (pi * scale)) + pi[dangling].sum() * p
        pi = (1 - alpha) * walked + alpha * p
        if np.abs(pi - before).sum() < tolerance:
            break
    return pi


class MixPR:
    """The retriever: chunks and question in one graph, scored by personalised PageRank.

    The question is cut into chunks as its context is (sentences of at most 32 words) and stands at the end;
    p lies on those chunks, in equal parts. For a global question p is uniform.
    """

    name = "mixpr"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): each chunk's share of pi; together with the question's own they sum to 1."""
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        nodes = len(texts) + len(asked)
        reach = route(query)
        p = np.zeros(nodes)
        p[len(texts) if reach == "local" else 0 :] = 1.0
        rows = tfidf_rows([*texts, *asked])
        return personalised_pagerank(rows, p / p.sum(), ALPHA[reach])[: len(texts)]
