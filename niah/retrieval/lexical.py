"""Retrieval by words: terms in any script, TF-IDF (RAG-Sparse; mixture-of-pageranks, appendix A.2) and BM25.

BM25 (Robertson and Zaragoza, 2009) is bm25s', in Lucene's form, each context indexed once. The score of a
chunk c for a query is the sum over the query's terms t, a repeated one counted again, of

    idf(t) tf / (tf + k1 (1 - b + b |c| / mean |c|)),    idf(t) = ln(1 + (n - df + 0.5) / (df + 0.5))

with tf the count of t in c, |c| the terms of c, df the chunks that hold t and n the number of chunks:
"Lucene (accurate)" of Kamphuis et al. (ECIR 2020), bm25s' default.

Latin text is left as it is. In other scripts variants of writing are made one (``folded``): case, accents
that are often left out, letters that keyboards mix, digits, forms of presentation. Runs of Chinese, Japanese,
Korean, Thai, Lao, Khmer and Burmese become pairs of neighbours (紫色鸽子: 紫色, 色鸽, 鸽子): no dictionary.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.mentions import BOPOMOFO, HAN, HANGUL, HIRAGANA, KATAKANA, SOUTH_EAST_ASIAN, marks

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

# What may change a text: all but Latin (with İ), symbols, emoji, private use and halves of surrogate pairs.
FOLDS = (
    "[^\0-\u012f\u0131-\u02ff\u1d00-\u1dbf\u1e00-\u1eff\u2000-\u2e7f\ua700-\ua7ff\uab30-\uab6f"
    "\ud800-\uf8ff\ufb00-\ufb06\ufe00-\ufe0f\ufeff\ufff0-\uffff\U0001d400-\U0001d7ff\U0001f000-\U0001fbff"
    "\U00040000-\U0010ffff]"
)

_COMPATIBLE = re.compile(
    "[\u0e33\u0eb3\u0edc\u0edd\u2e80-\u2fdf\ufb1d-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
    "\uff66-\uffdc]+"
)
_STRESS = re.compile("(?<=[\u0400-\u052f])[\u0300\u0301]+")
_JOINER = re.compile("(?<=[\u0900-\u109f\u1780-\u17ff])[\u200b-\u200d\u2060]+")
_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")

# Points of Hebrew, vowel signs and stretching of Arabic, the nukta.
_ACCENTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c"
)
# What is written for one another: "ς" and "σ", Russian's "ё", Arabic alefs, yehs, kafs and hehs.
_SAME = {
    **{"σ": "ς", "е": "ёѐ", "и": "ѝ"},
    **{"ا": "أإآٱ", "ي": "ىیېے", "ك": "ک", "ه": "ةۀہ", ".": "٫", ",": "٬"},
    **{"न": "ऩ", "र": "ऱ", "ळ": "ऴ", "ं": "ँ"},
}

_WITHOUT_SPACES = re.compile(f"([{HAN}{HIRAGANA}{KATAKANA}{BOPOMOFO}{HANGUL}]+)|[{SOUTH_EAST_ASIAN}]+")
_LETTER = re.compile(f"[^{marks()}][{marks()}]*")

_BORDER = "\0"


def folded(texts: Sequence[str]) -> Sequence[str]:
    """The texts in lower case and folded, or as they are where all are Latin; of Latin words the lower case
    is the same in both, so one list of texts compares with another."""
    if not any(not text.isascii() and re.search(FOLDS, text) for text in texts):
        return texts
    together = _folded(_BORDER.join(text.replace(_BORDER, " ") for text in texts))
    return together.split(_BORDER)


def _folded(text: str) -> str:
    text = _COMPATIBLE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    text = unicodedata.normalize("NFC", text).replace("İ", "i").lower()
    text = _JOINER.sub("", _STRESS.sub("", text)).translate(_letters())
    return _WITHOUT_SPACES.sub(_pairs, _NASAL.sub("ं", text))


def _pairs(run: re.Match[str]) -> str:
    letters = run[1] or _LETTER.findall(run[0])
    pairs = [first + second for first, second in pairwise(letters)]
    return f" {' '.join(pairs or letters)} "


@lru_cache
def _letters() -> dict[int, str | None]:
    """What stands for a letter, accent or digit of composed text in lower case; None where nothing does."""
    table = dict[int, str | None]()
    for accent in re.finditer(f"[{_ACCENTS}]", "".join(map(chr, range(0x1000)))):
        table[ord(accent[0])] = None
    table |= {ord(other): letter for letter, others in _SAME.items() for other in others}
    for character in map(chr, (*range(0x370, 0x400), *range(0x1F00, 0x2000))):
        base = unicodedata.normalize("NFD", character)[0]
        if base != character and base.isalpha():
            table[ord(character)] = base
    for point in (*range(0x660, 0x1D000), *range(0x1E000, 0x1F000)):
        digit = unicodedata.decimal(chr(point), None)
        if digit is not None:
            table[point] = str(digit)
    return table


# scikit-learn's own pattern drops words of one character and takes numbers apart. Here "3.14", "1,200" and
# "10:30" are one term each, and so is "5" or the "x" of "key x".
TERM = r"(?u)\b\d+(?:[.,:]\d+)*\b|\w+"
_TERM = re.compile(TERM)
# In texts that are folded, marks are parts of words.
_TERM_WITH_MARKS = re.compile(rf"{TERM}(?:[{marks()}]+\w*)*")

# bm25s' defaults; Robertson and Zaragoza give 1.2 < k1 < 2 and 0.5 < b < 0.8 as good.
K1, B = 1.5, 0.75


def term_lists(texts: Sequence[str]) -> Iterator[list[str]]:
    """The terms of each text, in order: lower-cased, and in scripts other than Latin ``folded``."""
    compared = folded(texts)
    pattern = _TERM if compared is texts else _TERM_WITH_MARKS
    return (pattern.findall(text.lower()) for text in compared)


def tfidf_rows(texts: Sequence[str]) -> csr_array:
    """Shape (len(texts), terms of ``term_lists``): counts times idf, each row of Euclidean length 1, or
    empty. idf(t) = ln((1 + n) / (1 + df)) + 1 over the n ``texts`` themselves, as scikit-learn has it."""
    from scipy.sparse import csr_array, diags_array

    lists, vocabulary = _numbered(texts)
    ids = np.fromiter(chain.from_iterable(lists), dtype=np.int32)
    borders = np.cumsum([0, *map(len, lists)])
    shape = (len(texts), len(vocabulary))
    counts = csr_array((np.ones(len(ids)), ids, borders), shape=shape)
    counts.sum_duplicates()
    texts_with = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log((1 + len(texts)) / (1 + texts_with[counts.indices])) + 1
    norms = np.sqrt((counts**2).sum(axis=1))
    return csr_array(diags_array(1 / np.where(norms > 0, norms, np.inf)) @ counts)


class TfidfRetriever:
    """Cosine similarity of TF-IDF rows; the query counts as one more text for the idf, as in the paper."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), from 0 (no term in common) to 1."""
        rows = tfidf_rows([*texts, query])
        scores: NDArray[np.float64] = (rows @ rows[[len(texts)]].T).toarray().ravel()[: len(texts)]
        return scores


class BM25Retriever:
    """Ranks chunks by BM25 of folded terms, without stop words or stemming; strategies share an index."""

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

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it says each step, which pytest shows
    ids, vocabulary = _numbered(texts)  # bm25s would number terms otherwise in each process
    index = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")
    if vocabulary:
        index.index((ids, vocabulary), show_progress=False)
    return index, vocabulary


def _numbered(texts: Sequence[str]) -> tuple[list[list[int]], dict[str, int]]:
    """The terms of each text by number, from 0 by first appearance, and the number of each term."""
    vocabulary: dict[str, int] = {}
    lists = [[vocabulary.setdefault(t, len(vocabulary)) for t in terms] for terms in term_lists(texts)]
    return lists, vocabulary
