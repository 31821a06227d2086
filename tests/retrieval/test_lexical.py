from __future__ import annotations

import subprocess
import sys
from math import log

import numpy as np
import pytest

from niah.retrieval import lexical
from niah.retrieval.lexical import BM25Retriever

TEXTS = ["Red fox.", "red RED hen", "blue sea hen fox"]


def test_scores_worked_out_by_hand() -> None:
    # Lengths 2, 3 and 4, mean 3. "red" and "fox" are in 2 of 3 texts each: idf = ln(1 + 1.5 / 2.5) = ln 1.6.
    # k1 (1 - b + b |c| / 3) = 1.5 (0.25 + 0.25 |c|) = 1.125, 1.5 and 1.875.
    expected = [2 * log(1.6) / 2.125, log(1.6) * 2 / 3.5, log(1.6) / 2.875]
    assert np.allclose(BM25Retriever().score("red fox", TEXTS), expected, rtol=1e-12, atol=0)
    # A repeated term counts again: here all of them twice, one of them in capitals.
    assert np.allclose(BM25Retriever().score("red fox FOX red?", TEXTS), 2 * np.array(expected))


@pytest.mark.parametrize("query", ["", "???", "the elephant"])
def test_a_query_without_a_known_term(query: str) -> None:
    assert BM25Retriever().score(query, TEXTS).tolist() == [0, 0, 0]


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


def test_numbers_are_terms() -> None:
    scores = BM25Retriever().score("key 5 at 10:30", ["key 50 at 10.30", "key 5", "10:30"])
    assert (scores[1:] > scores[0]).all()


def test_texts_of_half_a_surrogate_pair() -> None:
    assert BM25Retriever().score("fox \ud83d", ["fox \ud83d", "hen"]).argmax() == 0


def test_a_context_is_indexed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    build = lexical._built

    def counted(ids: list[list[int]], vocabulary: dict[str, int]) -> object:
        built.append(len(ids))
        return build(ids, vocabulary)

    monkeypatch.setattr(lexical, "_built", counted)
    retriever = BM25Retriever()
    for query in ("fox", "hen", "fox"):
        retriever.score(query, list(TEXTS))
    assert built == [3]
    # The same characters, cut otherwise, are another context.
    assert retriever.score("ab", ["ab", "c"]).tolist() != retriever.score("ab", ["a", "bc"]).tolist()
    for size in range(4, 8):
        retriever.score("fox", TEXTS + ["fox"] * size)
    retriever.score("fox", TEXTS)
    assert built == [3, 2, 2, 7, 8, 9, 10, 3]


_SCORES = """
import sys
from niah.retrieval.lexical import BM25Retriever
texts = [f"the fox {i} met hen {i * 7 % 11} by the sea" for i in range(40)]
print(BM25Retriever().score("which fox met hen 3 by the sea", texts).tobytes().hex())
"""


def test_scores_are_the_same_in_every_process() -> None:
    def scores(seed: str) -> str:
        command = [sys.executable, "-c", _SCORES]
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert len({scores(seed) for seed in ("1", "2")}) == 1
