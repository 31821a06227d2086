from __future__ import annotations

import numpy as np

from niah.cases.case import Case
from niah.cases.samples import context_of, sample_of
from niah.retrieval.registry import get_retriever
from niah.retrieval.retriever import RandomRetriever
from niah.runs.retrieval import selection_of
from niah.strategies.strategy import parse

CASE = Case("three-gates", "essays", 2000, 50)


def places(strategy: str, case: Case = CASE) -> list[int]:
    """Places in the context of the chunks that are sent, best first."""
    sample = sample_of(case)
    chunks = selection_of(sample, context_of(sample), parse(strategy), print).chunks
    return [ranked.chunk.index for ranked in sorted(chunks, key=lambda ranked: ranked.rank)]


def test_first_and_last_rank_by_place_alone() -> None:
    texts = ["a", "b", "c", "d"]
    assert get_retriever("first", print).score("b", texts).tolist() == [1, 0.75, 0.5, 0.25]
    assert get_retriever("last", print).score("b", texts).tolist() == [0.25, 0.5, 0.75, 1]
    for name in ("first", "last", "random"):
        assert get_retriever(name, print).score("b", []).shape == (0,)


def test_lots_are_the_samples_own_and_the_same_every_time() -> None:
    few, many = places("random/top-4/norm@60"), places("random/top-9/reverse@60")
    assert few == places("random/top-4/norm@60") == many[:4]
    others = [Case("three-gates", "essays", 2000, 50, seed=2), Case("three-gates", "essays", 2000, 60)]
    assert all(places("random/top-4/norm@60", other) != few for other in others)


def test_every_chunk_is_drawn_as_often_as_the_next() -> None:
    drawn = [int(RandomRetriever(f"case-{i}").score("", ["x"] * 10).argmax()) for i in range(4000)]
    # 400 each are expected, give or take 19.
    assert np.abs(np.bincount(drawn, minlength=10) - 400).max() < 80
    # In every version of Python and numpy, since answers are kept.
    assert RandomRetriever("a").score("", ["x"] * 3).round(6).tolist() == [0.370388, 0.766059, 0.857075]
