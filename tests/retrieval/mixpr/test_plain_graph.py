"""The readable form finds what the compiled loops find."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from niah.haystacks.load import load_corpus
from niah.retrieval.mixpr.mixpr import MixPR, best_first
from niah.retrieval.mixpr.plain_graph import PlainGraph
from tests.examples import of_all

LOCAL = "Which fox did the red hen see?"
WHOLE = "Summarise this book."
_WORDS = ["fox", "hen", "red", "sea", "the", "sun", "3.14", "...", "Hen", "x", "y", "Ωmega", "καφές"]
_CHUNKS = st.lists(st.lists(st.sampled_from(_WORDS), max_size=5).map(" ".join), min_size=1, max_size=12)


@settings(max_examples=of_all(300))
@given(_CHUNKS, st.sampled_from([LOCAL, WHOLE, "the", "zebra", "???"]), st.sampled_from([None, 0.27]))
@example(["fox hen", "sea sun", "", "..."], WHOLE, None)
@example(["red fox", "fox red", "fox x", "fox y"], "fox", None)
def test_scores_are_those_of_the_loops(texts: list[str], question: str, threshold: float | None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        compiled = MixPR(threshold=threshold).score(question, texts)
        patch.setenv("NIAH_COMPILE", "never")
        plain = MixPR(threshold=threshold).score(question, texts)
    assert np.allclose(plain, compiled, rtol=1e-9, atol=1e-14)
    assert best_first(plain, len(texts)).tolist() == best_first(compiled, len(texts)).tolist()


@pytest.mark.parametrize("question", ["What did the ferrymen below Madhupur earn in 1988?", WHOLE])
def test_the_best_sentences_of_the_essays_are_those_of_the_loops(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = load_corpus("essays", "cl100k").text
    compiled = MixPR().best_spans(question, text)
    monkeypatch.setenv("NIAH_COMPILE", "never")
    plain = MixPR().best_spans(question, text)
    assert np.array_equal(plain[0], compiled[0])
    assert np.array_equal(plain[1], compiled[1])


def test_chunks_differ_by_how_often_they_have_terms_of_their_own() -> None:
    graph = PlainGraph.of(["fox x", "fox y", "fox z z", "fox hen", "fox hen"])
    assert graph.alike(0, 1)
    assert not graph.alike(0, 2)
    assert graph.alike(3, 4)
    assert not graph.alike(0, 3)
