"""Retrieval by words: TF-IDF (RAG-Sparse; mixture-of-pageranks, appendix A.2) and BM25.

BM25 (Robertson and Zaragoza, 2009) is bm25s', in Lucene's form, each context indexed once. The score of a
chunk c for a query is the sum over the query's terms t, a repeated one counted again, of

    idf(t) tf / (tf + k1 (1 - b + b |c| / mean |c|)),    idf(t) = ln(1 + (n - df + 0.5) / (df + 0.5))

with tf the count of t in c, |c| the terms of c, df the chunks that hold t and n the number of chunks:
"Lucene (accurate)" of Kamphuis et al. (ECIR 2020), bm25s' default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.retrieval.normalise import folded
from niah.text.writing import marks

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

# scikit-learn's own pattern drops words of one character and takes numbers apart. Here "3.14", "1,200" and
# "10:30" are one term each, and so is "5" or the "x" of "key x".
TERM = r"(?u)\b\d+(?:[.,:]\d+)*\b|\w+"
_TERM = re.compile(TERM)
# In texts that are folded, marks are parts of words.
_TERM_WITH_MARKS = re.compile(rf"{TERM}(?:[{marks()}]+\w*)*")

# bm25s' defaults; Robertson and Zaragoza give 1.2 < k1 < 2 and 0.5 < b < 0.8 as good.
K1 = 1.5
B = 0.75


def term_lists(texts: Sequence[str]) -> Iterator[list[str]]:
    """The terms of each text, in order: lower-cased, and in scripts other than Latin ``folded``."""
    compared = folded(texts)
    pattern = _TERM if compared is texts else _TERM_WITH_MARKS
    return (pattern.findall(text.lower()) for text in compared)


def tfidf_rows(texts: Sequence[str]) -> csr_array:
    """Shape (len(texts), terms): counts times smoothed idf, each row of Euclidean length 1.

    idf(t) = ln((1 + n) / (1 + df)) + 1 over the n ``texts`` themselves, as scikit-learn has it. Terms are
    those of ``term_lists``, without stop words or stemming. A text without any term has an empty row.
    """
    from scipy.sparse import csr_array, diags_array

    lists, vocabulary = _numbered(texts)
    ids = np.fromiter(chain.from_iterable(lists), dtype=np.int32)
    borders = np.cumsum([0, *map(len, lists)])
    shape = (len(texts), max(1, len(vocabulary)))
    counts = csr_array((np.ones(len(ids)), ids, borders), shape=shape)
    counts.sum_duplicates()
    texts_with = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log((1 + len(texts)) / (1 + texts_with[counts.indices])) + 1
    norms = np.sqrt((counts**2).sum(axis=1))
    return csr_array(diags_array(1 / np.where(norms > 0, norms, np.inf)) @ counts)


class TfidfRetriever:
    """Cosine similarity of TF-IDF rows; the query counts as one more text for the idf, as in the paper."""

    name = "tfidf"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 (no term in common) to 1."""
        rows = tfidf_rows([*texts, query])
        scores: NDArray[np.float64] = (rows @ rows[[len(texts)]].T).toarray().ravel()[: len(texts)]
        return scores


class BM25Retriever:
    """Ranks chunks by BM25. Terms are those of ``tfidf``: folded, without stop words or stemming.

    All strategies and questions of a case share its index while it is among the last few used.
    """

    name = "bm25"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 (no term in common). Equal texts score equally, bit for bit."""
        index, vocabulary = _index(tuple(texts))
        ids = [vocabulary[term] for term in next(term_lists([query])) if term in vocabulary]
        if not ids:
            return np.zeros(len(texts))
        scores: NDArray[np.float64] = index.get_scores_from_ids(ids)
        return scores


# A case has one for each chunker: windows, passages, sentences, and one to spare. At 10M tokens one takes
# about 100 MB.
@lru_cache(maxsize=4)
def _index(texts: tuple[str, ...]) -> tuple[Any, dict[str, int]]:
    """bm25s' index, and the number of each term; float64, since its default float32 would blur near ties."""
    import bm25s

    ids, vocabulary = _numbered(texts)  # bm25s would number terms otherwise in each process
    index = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")
    if vocabulary:
        index.index((ids, vocabulary), create_empty_token=False, show_progress=False)
    return index, vocabulary


def _numbered(texts: Sequence[str]) -> tuple[list[list[int]], dict[str, int]]:
    """The terms of each text by number, from 0 by first appearance, and the number of each term."""
    vocabulary: dict[str, int] = {}
    lists = [[vocabulary.setdefault(t, len(vocabulary)) for t in terms] for terms in term_lists(texts)]
    return lists, vocabulary
