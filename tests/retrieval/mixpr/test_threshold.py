from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.haystacks.load import load_corpus
from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr.graph import StreamGraph
from niah.retrieval.mixpr.mixpr import ALPHAS, ITERATIONS, MixPR
from niah.retrieval.mixpr.term_stream import Chunked, term_stream
from niah.retrieval.mixpr.threshold import similar_chunks
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.utf8 import Utf8
from tests.examples import of_all

Floats = NDArray[np.float64]

_WORDS = ["fox", "hen", "red", "sea", "the", "sun", "3.14", "...", "Hen", "x", "y", "z"]
_CHUNKS = st.lists(st.lists(st.sampled_from(_WORDS), max_size=8).map(" ".join), min_size=1, max_size=12)
THRESHOLD = 0.27  # the paper's
_THRESHOLDS = st.floats(0.05, 0.95)


def graph_of(texts: list[str]) -> StreamGraph:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    encoded = Utf8.of("".join(texts))
    return StreamGraph.of(
        term_stream(Chunked(encoded, encoded.to_bytes(np.append(0, ends[:-1])), encoded.to_bytes(ends)))
    )


def materialised(texts: list[str], threshold: float) -> Floats:
    rows = tfidf_rows(texts)
    similar = (rows @ rows.T).toarray()
    return np.where(similar < threshold, 0, similar)


def unsure(similar: Floats, threshold: float) -> bool:
    """Whether some similarity is so close to the threshold that rounding decides."""
    return bool((np.abs(similar - threshold) < 1e-9).any())


@settings(max_examples=of_all(600), deadline=None)
@given(_CHUNKS, _THRESHOLDS)
@example(["fox"] * 5, 0.27)
@example(["", "..."], 0.27)
def test_the_graph_is_the_materialised_one(texts: list[str], threshold: float) -> None:
    if not unsure(materialised(texts, 0), threshold):
        found = similar_chunks(graph_of(texts), threshold).toarray()
        assert np.allclose(found, materialised(texts, threshold), atol=1e-12)


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS, _THRESHOLDS)
def test_scores_are_those_of_the_materialised_graph(texts: list[str], threshold: float) -> None:
    question = "the red fox"
    if unsure(materialised([*texts, question], 0), threshold):
        return
    similar = materialised([*texts, question], threshold)
    sums = similar.sum(axis=0)
    p = np.zeros(len(similar))
    p[-1] = 1
    a = np.where(sums > 0, similar / np.where(sums > 0, sums, 1), p[:, None])
    pi = np.full(len(a), 1 / len(a))
    for _ in range(ITERATIONS):
        pi = (1 - ALPHAS["local"]) * (a @ pi) + ALPHAS["local"] * p
    assert np.allclose(MixPR(threshold=threshold).score(question, texts), pi[:-1], atol=1e-11)


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS, _THRESHOLDS)
def test_questions_about_the_whole_are_where_the_walk_ends(texts: list[str], threshold: float) -> None:
    question = "Summarise this book."
    if unsure(materialised([*texts, question], 0), threshold):
        return
    similar = materialised([*texts, question], threshold)
    sums = similar.sum(axis=0)
    a = np.where(sums > 0, similar / np.where(sums > 0, sums, 1), 1 / len(sums))
    ends = np.linalg.matrix_power(a, 2**14) @ np.full(len(a), 1 / len(a))
    assert np.allclose(MixPR(threshold=threshold).score(question, texts), ends[:-1], atol=1e-8)


def test_the_graph_of_the_essays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.retrieval.mixpr.threshold._ROOM", 1)  # many blocks
    text = load_corpus("essays", "cl100k").text
    texts = [text[start:end] for start, end in short_sentences(text)][:3000]
    found = similar_chunks(graph_of(texts), THRESHOLD)
    assert np.allclose(found.toarray(), materialised(texts, THRESHOLD), atol=1e-12)
    assert found.nnz < 0.01 * len(texts) ** 2


def test_the_name_tells_the_form() -> None:
    assert MixPR().name == "mixpr"
    assert MixPR(threshold=THRESHOLD).name == "mixpr-0.27"


@pytest.mark.parametrize("threshold", [0.0, 1.0, -0.1])
def test_refuses_thresholds_that_keep_all_or_nothing(threshold: float) -> None:
    with pytest.raises(ValueError, match="need 0 < threshold < 1"):
        MixPR(threshold=threshold)
    with pytest.raises(ValueError, match="need 0 < threshold < 1"):
        similar_chunks(graph_of(["fox"]), threshold)
