"""NDCG@10 by hand and against scikit-learn."""

from __future__ import annotations

import random
from math import log2

import pytest
from sklearn.metrics import dcg_score

from niah.judges.metrics import ndcg_10, ranked_numbers

REFERENCE = "7 (3) > 12 (1)"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("7 > 12", 1),
        ("Ranking: ID7 > ID 12 > ID3", 1),
        ("[7] > [12]", 1),
        ("Of [ID: 7] and [ID: 12], the first: ID7 > ID12 > ID3.", 1),
        # 3 / log2(3) + 1 of 3 + 1 / log2(3)
        ("12 > 7", (3 / log2(3) + 1) / (3 + 1 / log2(3))),
        ("7", 3 / (3 + 1 / log2(3))),
        # A passage that is not there has a rank all the same; one that comes again has its first.
        ("99 > 7 > 7 > 12", (3 / log2(3) + 1 / 2) / (3 + 1 / log2(3))),
        # Of two rankings the longer.
        ("12 > 7, no: 7 > 12 > 5", 1),
        # As HELMET has it, the longest in letters.
        ("7, 12", 1 / (3 + 1 / log2(3))),
        ("I cannot rank them.", 0),
        ("", 0),
        # From the eleventh on nothing counts.
        (" > ".join([*map(str, range(20, 30)), "7", "12"]), 0),
    ],
)
def test_by_hand(answer: str, value: float) -> None:
    assert ndcg_10(answer, REFERENCE) == pytest.approx(value)


def test_a_reference_without_grades_and_one_without_anything() -> None:
    assert ndcg_10("3 > 4", "4 > 3") == 1
    assert ndcg_10("3 > 4", "nothing") == 0
    assert ranked_numbers("ID9 > ID3 > ID9") == ["9", "3"]


def test_as_scikit_learn_has_it() -> None:
    draw = random.Random(20261124)
    for _ in range(500):
        grades = [draw.choice((0, 0, 1, 2, 3)) for _ in range(draw.randint(2, 30))]
        grades[0] = grades[0] or 1
        ranked = draw.sample(range(len(grades)), draw.randint(1, len(grades)))
        # What is not ranked gains nothing, and stands behind all that is.
        scores = [len(ranked) - ranked.index(i) if i in ranked else 0 for i in range(len(grades))]
        gains = [grade if i in ranked else 0 for i, grade in enumerate(grades)]
        oracle = dcg_score([gains], [scores], k=10) / dcg_score([grades], [grades], k=10)
        reference = " > ".join(f"{i} ({grade})" for i, grade in enumerate(grades) if grade)
        answer = " > ".join(f"ID{i}" for i in ranked)
        assert ndcg_10(answer, reference) == pytest.approx(oracle, abs=1e-12)
