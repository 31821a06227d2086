from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from niah.errors import StrategyError
from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr.form import MixPRForm, parse_form
from niah.retrieval.mixpr.graph import StreamGraph
from niah.retrieval.mixpr.mixpr import MixPR
from niah.retrieval.mixpr.naive import NaiveMixPR
from niah.retrieval.mixpr.plain_graph import PlainGraph
from niah.retrieval.mixpr.term_stream import Chunked, term_stream
from niah.retrieval.mixpr.threshold import has_more_edges
from niah.text.scanning.utf8 import Utf8
from tests.retrieval.mixpr.reference_pagerank import personalised_pagerank

Floats = NDArray[np.float64]


def materialised(e: Floats, p: Floats, alpha: float, iterations: int) -> Floats:
    """The same by the letter of the paper: form A, normalise its columns, multiply."""
    a = e @ e.T
    for column in range(len(a)):
        total = a[:, column].sum()
        a[:, column] = a[:, column] / total if total else p
    pi = np.full(len(a), 1 / len(a))
    for _ in range(iterations):
        pi = (1 - alpha) * (a @ pi) + alpha * p
    return pi


_MATRICES = st.tuples(st.integers(1, 8), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]))
)


@settings(deadline=None)
@given(_MATRICES, st.integers(0, 7), st.floats(0, 1), st.integers(0, 20))
def test_agrees_with_the_materialised_reference(e: Floats, node: int, alpha: float, steps: int) -> None:
    p = np.zeros(len(e))
    p[node % len(e)] = 1
    pi = personalised_pagerank(csr_matrix(e), p, alpha, steps, tolerance=0)
    assert np.allclose(pi, materialised(e, p, alpha, steps), atol=1e-12)
    assert pi.sum() == pytest.approx(1)


def test_a_path_of_three_nodes_worked_out_by_hand() -> None:
    # Rows a = (1, 0), b = (1, 1), c = (0, 1), so E E^T = [[1 1 0] [1 2 1] [0 1 1]] with column sums 2, 4, 2.
    # A = [[1/2 1/4 0] [1/2 1/2 1/2] [0 1/4 1/2]], p on c, alpha = 1/2: solve pi = A pi / 2 + p / 2.
    #   a: pi_a = pi_a/4 + pi_b/8         ->  pi_b = 6 pi_a
    #   b: pi_b = (pi_a + pi_b + pi_c)/4  ->  pi_b = 1/4, since they sum to 1; pi_a = 1/24
    #   c: what is left, 17/24.
    e = csr_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    pi = personalised_pagerank(e, np.array([0.0, 0.0, 1.0]), 0.5, iterations=60, tolerance=0)
    assert np.allclose(pi, [1 / 24, 6 / 24, 17 / 24])


def test_without_a_way_back_the_ranking_is_that_of_the_column_sums() -> None:
    e = csr_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    pi = personalised_pagerank(e, np.full(3, 1 / 3), 0.0, iterations=60, tolerance=0)
    assert np.allclose(pi, [2 / 8, 4 / 8, 2 / 8])


def test_a_dangling_node_sends_its_walkers_to_p() -> None:
    # b is empty. Of the uniform half on each, a keeps its own and gets b's.
    e = csr_matrix(np.array([[1.0], [0.0]]))
    assert personalised_pagerank(e, np.array([1.0, 0.0]), 0.0, iterations=1).tolist() == [1, 0]


def test_the_stop_test_stops() -> None:
    e = csr_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    p = np.array([0.0, 0.0, 1.0])
    one_step = personalised_pagerank(e, p, 0.5, iterations=1)
    assert np.array_equal(personalised_pagerank(e, p, 0.5, tolerance=3), one_step)


@pytest.mark.parametrize(
    ("p", "alpha", "problem"),
    [([1.0], 0.5, "shape"), ([0.5, 0.4], 0.5, "sum 1"), ([1.0, 0.0], 1.5, "0 <= alpha <= 1")],
)
def test_refuses_what_is_no_distribution(p: list[float], alpha: float, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        personalised_pagerank(csr_matrix(np.eye(2)), np.array(p), alpha)


def test_a_second_hop_is_found_through_a_shared_word() -> None:
    chunks = [
        "The weather was mild that year.",
        "The silver casket stands in Orme.",
        "Bread and cheese were cheap.",
        "Hale hid the ring inside the silver casket.",
    ]
    scores = MixPR().score("Where did Hale hide the ring?", chunks)
    # Chunk 1 shares only "the" with the question, as chunk 0 does, but "silver casket" with chunk 3.
    assert np.argsort(-scores).tolist()[:2] == [3, 1]
    assert scores.sum() < 1


def test_a_global_question_ranks_by_centrality() -> None:
    # Alpha 0: the share of each chunk is that of its column sum, whatever the question's words are.
    question, chunks = "Summarise the fox", ["red fox", "red fox hen", "fox", "blue sea fox"]
    rows = tfidf_rows([*chunks, question])
    sums = np.asarray((rows @ rows.T).sum(axis=0)).ravel()
    assert np.allclose(MixPR().score(question, chunks), (sums / sums.sum())[:4], atol=1e-5)


def test_chunks_and_questions_without_terms() -> None:
    assert MixPR().score("???", ["...", ""]).tolist() == [0, 0]
    assert MixPR().score("", []).shape == (0,)


def test_one_alpha_for_every_question() -> None:
    chunks = ["red fox", "red fox hen", "fox", "blue sea fox", "a hen by the sea"]
    local, whole = "Where is the hen?", "Summarise it all."
    assert np.array_equal(MixPR(alpha=0.6).score(local, chunks), MixPR().score(local, chunks))
    assert np.array_equal(MixPR(alpha=0).score(whole, chunks), MixPR().score(whole, chunks))
    assert MixPR(alpha=0).name == "mixpr-alpha-0"
    with pytest.raises(ValueError, match="need 0 <= alpha <= 1"):
        MixPR(alpha=1.5)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("mixpr-a0.30", "mixpr-a0.3"),
        ("mixpr-a.6", "mixpr"),
        ("mixpr-0.27-alpha-.5-p1", "mixpr-0.27-alpha-0.5-p1"),
        ("mixpr-auto-a0.3-p2", "mixpr-auto-a0.3-p2"),
        ("mixpr-p2", "mixpr-p2"),
        ("mixpr-naive", None),
        ("mixpr-p3", None),
        ("mixpr-0.3", None),
    ],
)
def test_forms_are_written_in_one_way(text: str, canonical: str | None) -> None:
    form = parse_form(text)
    assert (form and form.text) == canonical
    if form:
        assert parse_form(form.text) == form


def test_a_local_alpha_leaves_questions_about_the_whole_text_as_they_are() -> None:
    chunks = ["red fox", "red fox hen", "fox", "blue sea fox", "a hen by the sea"]
    local, whole = "Where is the hen?", "Summarise it all."
    weak = MixPR(form=MixPRForm(local_alpha=0.3))
    assert np.array_equal(weak.score(local, chunks), MixPR(alpha=0.3).score(local, chunks))
    assert np.array_equal(weak.score(whole, chunks), MixPR().score(whole, chunks))


def test_walks_may_start_at_the_last_one_or_two_chunks() -> None:
    # The question is two chunks; with a single one they start there alone, and with two at both, as always.
    chunks = ["red fox", "red fox hen", "fox", "blue sea fox", "a hen by the sea", "corn"]
    first, last = "Where is the sea?", "Where is the hen?"
    both = f"{first} {last}"
    start_at_both = MixPR(form=MixPRForm(last=2)).score(both, chunks)
    assert np.array_equal(start_at_both, MixPR().score(both, chunks))
    start_at_last = MixPR(form=MixPRForm(last=1)).score(both, chunks)
    # The first half of the question is then a chunk like any other.
    as_chunk = MixPR().score(last, [*chunks, first])[:-1]
    assert np.allclose(start_at_last, as_chunk, atol=1e-6)
    # Of a question of one chunk, the second to last is the text's own last.
    from_corn = MixPR(form=MixPRForm(last=2)).score(last, chunks)
    assert from_corn[-1] > MixPR().score(last, chunks)[-1]


def stream_graph(chunks: list[str]) -> StreamGraph:
    """Of all chunks, the last of which stands where the question does."""
    ends = np.cumsum([len(chunk) for chunk in chunks[:-1]])
    starts = np.concatenate([[0], ends[:-1]])
    question = Chunked(Utf8.of(chunks[-1]), np.array([0]), np.array([len(chunks[-1])]))
    return StreamGraph.of(term_stream(Chunked(Utf8.of("".join(chunks[:-1])), starts, ends), question))


@pytest.mark.parametrize("is_plain", [False, True])
def test_edges_are_counted_as_they_are(is_plain: bool) -> None:
    draw = np.random.default_rng(5)
    words = [f"w{i}" for i in range(40)]
    chunks = [" ".join(draw.choice(words, size=3)) for _ in range(90)]
    rows = tfidf_rows(chunks)
    edges = np.count_nonzero((rows @ rows.T).toarray())
    graph = PlainGraph.of(chunks) if is_plain else stream_graph(chunks)
    assert has_more_edges(graph, int(edges) - 1)
    assert not has_more_edges(graph, int(edges))


def test_weak_edges_are_dropped_by_themselves_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    words = [f"w{i}" for i in range(30)]
    chunks = [" ".join(draw.choice(words, size=4)) for _ in range(60)]
    automatic = MixPR(form=MixPRForm(is_automatic=True))
    assert np.array_equal(automatic.score("w1 w2?", chunks), MixPR().score("w1 w2?", chunks))
    monkeypatch.setattr("niah.retrieval.mixpr.mixpr.MOST_EDGES", 100)
    assert np.array_equal(automatic.score("w1 w2?", chunks), MixPR(threshold=0.27).score("w1 w2?", chunks))


@pytest.mark.parametrize("question", ["Where is the hen by the sea?", "Summarise it all."])
def test_the_naive_form_ranks_alike(question: str) -> None:
    words = ["fox", "hen", "sea", "red", "blue", "by", "the", "owl", "reed", "barn", "mill", "crow"]
    draw = np.random.default_rng(3)
    chunks = [" ".join(draw.choice(words, size=6)) for _ in range(120)]
    ours, naive = (retriever.score(question, chunks) for retriever in (MixPR(), NaiveMixPR()))
    assert np.argsort(-ours, kind="stable")[:20].tolist() == np.argsort(-naive, kind="stable")[:20].tolist()


def test_the_naive_form_refuses_what_would_fill_the_memory() -> None:
    with pytest.raises(StrategyError, match="10,001 chunks are too many"):
        NaiveMixPR().score("Where?", ["a"] * 10_001)
