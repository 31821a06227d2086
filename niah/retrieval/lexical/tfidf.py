"""TF-IDF rows, and cosine similarity over them (RAG-Sparse; mixture-of-pageranks, appendix A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

# scikit-learn's own pattern drops words of one character and takes numbers apart. Here "3.14", "1,200" and
# "10:30" are one term each, and so is "5" or the "x" of "key x".
TERM = r"(?u)\b\d+(?:[.,:]\d+)*\b|\w+"


def tfidf_rows(texts: Sequence[str]) -> csr_matrix[np.float64]:
    """Shape (len(texts), terms): counts times smoothed idf, each row of Euclidean length 1.

    The idf is that of ``texts`` itself. Terms are lower-cased, without stop words or stemming. A text without
    any term has an empty row.
    """
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    try:
        counts = CountVectorizer(token_pattern=TERM, dtype=np.float64).fit_transform(texts)
    except ValueError:  # "empty vocabulary": no text has a term
        return csr_matrix((len(texts), 1), dtype=np.float64)
    rows: csr_matrix[np.float64] = TfidfTransformer().fit_transform(counts)
    return rows


class TfidfRetriever:
    """Cosine similarity of TF-IDF rows; the query counts as one more text for the idf, as in the paper."""

    name = "tfidf"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 (no term in common) to 1."""
        rows = tfidf_rows([*texts, query])
        scores: NDArray[np.float64] = (rows[: len(texts)] @ rows[len(texts)].T).toarray().ravel()
        return scores
