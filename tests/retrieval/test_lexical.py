from __future__ import annotations

from math import log

import numpy as np

from niah.retrieval.lexical import BM25Retriever

TEXTS = ["Red fox.", "red RED hen", "blue sea hen fox"]


def test_scores_worked_out_by_hand() -> None:
    # Lengths 2, 3 and 4, mean 3. "red" and "fox" are in 2 of 3 texts each: idf = ln(1 + 1.5 / 2.5) = ln 1.6.
    # k1 (1 - b + b |c| / 3) = 1.5 (0.25 + 0.25 |c|) = 1.125, 1.5 and 1.875.
    expected = [2 * log(1.6) / 2.125, log(1.6) * 2 / 3.5, log(1.6) / 2.875]
    assert np.allclose(BM25Retriever().score("red fox", TEXTS), expected, rtol=1e-12, atol=0)
    # A repeated term counts again: here all of them twice, one of them in capitals.
    assert np.allclose(BM25Retriever().score("red fox FOX red?", TEXTS), 2 * np.array(expected))


def test_texts_without_terms() -> None:
    assert BM25Retriever().score("fox", []).shape == (0,)
    assert BM25Retriever().score("fox", ["", "..."]).tolist() == [0, 0]
    scores = BM25Retriever().score("fox", ["", "fox", "...", "hen"])
    assert scores.argmax() == 1
    assert scores[[0, 2, 3]].tolist() == [0, 0, 0]


def test_equal_texts_tie_to_the_bit() -> None:
    texts = ["the red fox", *(f"the hen and fox number {i}" for i in range(50)), "the red fox", "fox red the"]
    scores = BM25Retriever().score("the red fox of number 7", texts)
    assert scores[0] == scores[-2] == scores[-1]
