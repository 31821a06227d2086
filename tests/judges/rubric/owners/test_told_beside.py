"""Another fact's value beside the one asked for, where nothing is known but a short reference."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

KILN = AnswerKey("kiln", "In which year was the lime kiln at Orrest relined?", references=("1911",))
FÄHRE = AnswerKey("fähre", "In welchem Jahr wurde die Fähre von Tarn neu gestrichen?", references=("1926",))


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (KILN, "The lime kiln was relined in 1911, four years after the fire of 1907."),
        (KILN, "Built in 1874, the lime kiln at Orrest was relined in 1911."),
        (KILN, "It was relined in **1911**; the chimney fell in 1932."),
        (KILN, "It was relined in **1911**, long after it had been lit for the first time (1875)."),
        (FÄHRE, "Die Fähre wurde 1926 neu gestrichen, nachdem sie 1921 gesunken war."),
    ],
)
def test_another_facts_value_is_a_side_fact(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (KILN, "The lime kiln was built in 1911 and relined in 1932.", 5),
        (KILN, "Relined in 1932, after it had been lit in 1911.", 5),
        (KILN, "It was relined in 1911 or 1912.", 5),
        (KILN, "It was relined in 1911, or perhaps after the fire of 1912.", 5),
        (KILN, "It was relined in 1911. Correction: the builder's book has 1912.", 1),
        (KILN, "It was lit in 1911, and the work ended in 1912.", 5),
        (KILN, "It was relined in 1912, four years after the fire of 1908.", 1),
        (FÄHRE, "Die Fähre sank 1926 und wurde 1931 neu gestrichen.", 5),
    ],
)
def test_what_may_be_meant_for_the_answer_is_none(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
