from __future__ import annotations

import random
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.errors import UserError
from niah.haystacks.load import load_corpus
from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr import walk
from niah.retrieval.mixpr.graph import StreamGraph, walked
from niah.retrieval.mixpr.mixpr import (
    ALPHAS,
    ITERATIONS,
    MixPR,
    best_first,
)
from niah.retrieval.mixpr.router import route
from niah.retrieval.mixpr.term_stream import Chunked, term_stream
from niah.retrieval.mixpr.walk import global_scores, kth_greatest, local_scores, step_by_step
from niah.text.scanning import threads
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.utf8 import Utf8
from tests.examples import of_all
from tests.retrieval.mixpr.reference_pagerank import personalised_pagerank

Floats = NDArray[np.float64]

LOCAL = "Which fox did the red hen see?"
WHOLE = "Summarise this book."
_WORDS = ["fox", "hen", "red", "sea", "the", "sun", "3.14", "...", "Hen", "x", "y", "z"]
_CHUNKS = st.lists(st.lists(st.sampled_from(_WORDS), max_size=5).map(" ".join), min_size=1, max_size=12)


def graph_of(texts: list[str]) -> StreamGraph:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return StreamGraph.of(term_stream(Chunked(Utf8.of("".join(texts)), np.append(0, ends[:-1]), ends)))


def stepwise(graph: StreamGraph, p: Floats, alpha: float, iterations: int) -> Floats:
    return step_by_step(partial(walked, graph), graph.sums, p, alpha, iterations)


def transitions(texts: list[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """A by the letter of the paper, with columns of zeros for chunks without terms; and which those are."""
    rows = tfidf_rows(texts).toarray()
    similar = rows @ rows.T
    sums = similar.sum(axis=0)
    dangling = sums == 0
    return similar / np.where(dangling, 1, sums), dangling


def materialised(texts: list[str], question: str, iterations: int) -> Floats:
    a, dangling = transitions([*texts, question])
    reach = route(question)
    p = np.zeros(len(a))
    p[0 if reach == "global" else len(texts) :] = 1
    p /= p.sum()
    a[:, dangling] = p[:, None]
    pi = np.full(len(a), 1 / len(a))
    for _ in range(iterations):
        pi = (1 - ALPHAS[reach]) * (a @ pi) + ALPHAS[reach] * p
    return pi[: len(texts)]


def assert_ranked_alike(found: Floats, expected: Floats, top: int) -> None:
    """The best are those of ``expected``, in its order; of equals (nearly), the first comes first."""
    best = best_first(found, top)
    near = 1e-11 * expected.max(initial=0)
    for one, other in pairwise(best.tolist()):
        gap = expected[one] - expected[other]
        assert gap > near or (gap >= -near and one < other), (one, other, gap)
    for other in set(range(len(found))) - set(best.tolist()):
        gap = expected[best[-1]] - expected[other]
        assert gap > near or (gap >= -near and best[-1] < other), (best[-1], other, gap)


@settings(max_examples=of_all(800), deadline=None)
@given(_CHUNKS, st.sampled_from([LOCAL, "the", "red sea", "Is it? ...", "zebra", "???"]), st.integers(1, 13))
@example(["the fox"], LOCAL, 5)
@example(["fox"] * 12, "fox", 5)
@example(["red fox", "fox red", "fox x", "fox y", "", "..."], "fox", 3)
def test_local_questions_rank_as_the_materialised_graph(texts: list[str], question: str, top: int) -> None:
    found = MixPR(top).score(question, texts)
    # The question is one chunk, or two of which one has no terms; then its chunks are chunks of the graph.
    asked = [question[start:end] for start, end in short_sentences(question)]
    if len(asked) == 1:
        assert_ranked_alike(found, materialised(texts, question, ITERATIONS), top)
    rows = tfidf_rows([*texts, *asked])
    p = np.zeros(len(texts) + len(asked))
    p[len(texts) :] = 1 / len(asked)
    pi = personalised_pagerank(rows, p, ALPHAS["local"], ITERATIONS, tolerance=0)
    assert_ranked_alike(found, pi[: len(texts)], top)


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS)
@example(["...", ""])
@example(["fox", "...", "sea sun", "sun", "x"])
def test_questions_about_the_whole_are_where_the_walk_ends(texts: list[str]) -> None:
    a, dangling = transitions([*texts, WHOLE])
    a[:, dangling] = 1 / len(a)
    ends = np.linalg.matrix_power(a, 2**14) @ np.full(len(a), 1 / len(a))
    found = MixPR().score(WHOLE, texts)
    assert np.allclose(found, ends[: len(texts)], atol=1e-10)
    assert_ranked_alike(found, found.round(12), len(texts))


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS, st.floats(0.05, 1), st.integers(1, 3), st.integers(0, 25))
def test_the_steps_are_those_of_the_reference(
    texts: list[str], alpha: float, asked: int, iterations: int
) -> None:
    p = np.zeros(len(texts))
    p[-asked:] = 1 / min(asked, len(texts))
    expected = personalised_pagerank(tfidf_rows(texts), p, alpha, iterations, tolerance=0)
    assert np.allclose(stepwise(graph_of(texts), p, alpha, iterations), expected, atol=1e-12)


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS.filter(lambda texts: "fox" in texts[-1]), st.floats(0.05, 1), st.integers(1, 16))
def test_no_chunk_is_further_from_the_end_than_the_bound(texts: list[str], alpha: float, steps: int) -> None:
    # The two bounds of the module, against 18 steps from the uniform distribution.
    graph, n = graph_of(texts), len(texts)
    p = np.zeros(n)
    p[-1] = 1
    w = graph.sums / graph.sums.sum()
    some = graph.sums > 0
    q, pi = p, (1 - alpha) * w + alpha * p
    for step in range(1, steps + 1):
        q = walked(graph, q)
        pi = pi + alpha * (1 - alpha) ** step * (q - w)
    distance = np.sqrt((((q - w) ** 2)[some] / graph.sums[some]).sum())
    without = 1 - some.mean()
    uniform = np.sqrt((((some / n - (1 - without) * w) ** 2)[some] / graph.sums[some]).sum())
    ahead = (1 - alpha) ** (steps + 1) * distance
    behind = (1 - alpha) ** ITERATIONS * ((1 + without) * distance + uniform)
    off = np.abs(stepwise(graph, p, alpha, ITERATIONS) - pi)
    assert off.max() <= ahead + behind + 1e-12
    off = np.abs(stepwise(graph, p, alpha, 2000 if alpha < 0.3 else 200) - pi)
    assert off.max() <= ahead + 1e-12


def essays(repeats: int) -> list[str]:
    """The chunks of the shipped essays, so often, every tenth word of a repetition replaced by any other."""
    text = load_corpus("essays", "cl100k").text
    chunks = [text[start:end] for start, end in short_sentences(text)]
    words, draw = text.split(), random.Random(7)
    repeated = list(chunks)
    for _ in range(repeats - 1):
        for chunk in chunks:
            repeated.append(" ".join(draw.choice(words) if draw.random() < 0.1 else w for w in chunk.split()))
    return repeated


@pytest.mark.parametrize(
    "question",
    [
        "What did the ferrymen below Madhupur earn in 1988?",
        "Who was the composer of the quartet that was performed in the church at the lake?",
    ],
)
@pytest.mark.parametrize("repeats", [1, 7])
def test_the_essays_rank_as_in_18_steps(question: str, repeats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # 7 repeats are a million tokens, of which a materialised graph would take 10 GB: A is a product there.
    texts = essays(repeats)
    rows = tfidf_rows([*texts, question])
    p = np.zeros(len(texts) + 1)
    p[-1] = 1
    expected = personalised_pagerank(rows, p, ALPHAS["local"], ITERATIONS, tolerance=0)[:-1]
    monkeypatch.setattr(walk, "step_by_step", None)  # The proof must come before the steps are used up.
    assert_ranked_alike(MixPR().score(question, texts), expected, 100)


def test_the_essays_rank_as_materialised() -> None:
    texts = essays(1)[:3000]
    question = "What did the ferrymen below Madhupur earn in 1988?"
    assert_ranked_alike(MixPR().score(question, texts), materialised(texts, question, ITERATIONS), 100)


@pytest.mark.parametrize("question", [LOCAL, WHOLE])
def test_threads_find_the_same_sentences(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = load_corpus("essays", "cl100k").text
    monkeypatch.setattr(threads, "_MOST", 1)
    alone = [found.tolist() for found in MixPR().best_spans(question, text)]
    monkeypatch.setattr(threads, "_MOST", 3)
    monkeypatch.setattr(threads, "_WORTH_A_THREAD", 10_000)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    assert [found.tolist() for found in MixPR().best_spans(question, text)] == alone


def test_the_walk_stops_early() -> None:
    texts = [*essays(1), "What did the ferrymen below Madhupur earn in 1988?"]
    _, steps = local_scores(graph_of(texts), 1, 0.6, 100, ITERATIONS)
    assert steps < 9


def test_centrality_sums_to_one() -> None:
    assert global_scores(graph_of(["fox", "", "red fox", "sea"])).sum() == pytest.approx(1)


def test_the_best_sentences_of_a_text_come_best_first() -> None:
    text = "Straße. Der Fuchs schläft. Ein Huhn lief über die Straße."
    spans = short_sentences(text)
    texts = [text[start:end] for start, end in spans]
    starts, ends = MixPR(top=2).best_spans("Wo ist das Huhn?", text)
    best = best_first(MixPR(top=2).score("Wo ist das Huhn?", texts), 2)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [spans[place] for place in best]


def test_equal_scores_stand_in_document_order() -> None:
    assert best_first(np.array([1.0, 3.0, 1.0, 3.0, 1.0]), 4).tolist() == [1, 3, 0, 2]
    assert best_first(np.array([1.0, 2.0]), 5).tolist() == [1, 0]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from([3, 1000]))
def test_few_of_many_scores_are_looked_at(seed: int, k: int, different: int) -> None:
    scores = np.random.default_rng(seed).integers(different, size=64 * 61 + seed % 64).astype(float)
    assert kth_greatest(scores, k) == sorted(scores, reverse=True)[k - 1]


def test_the_best_sentences_of_a_file_are_those_of_its_text(tmp_path: Path) -> None:
    text = load_corpus("essays", "cl100k").text
    (tmp_path / "essays.txt").write_text(text, encoding="utf-8")
    question = "What did the ferrymen below Madhupur earn in 1988?"
    starts, ends = MixPR().best_spans(question, text)
    expected = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert MixPR().best_in_file(question, tmp_path / "essays.txt") == expected


@pytest.mark.parametrize(
    ("content", "problem"), [(b"", "cannot be read"), (b"caf\xe9 noir", "no UTF-8 text")]
)
def test_a_file_without_text_is_refused(content: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_bytes(content)
    with pytest.raises(UserError, match=problem):
        MixPR().best_in_file("Who?", tmp_path / "odd.txt")
