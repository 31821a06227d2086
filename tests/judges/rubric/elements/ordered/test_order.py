"""Elements that are asked for in an order: worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.elements.ordered.order import longest_rise
from niah.needles.needle_set import Element

BOATS = AnswerKey(
    name="boats",
    question="Name the boats, the quickest first.",
    references=("Early Pear, Fair Enough, Lent Hope, Dry Humour.",),
    elements=tuple(map(Element, ("Early Pear", "Fair Enough", "Lent Hope", "Dry Humour"))),
    ordered=True,
)


@pytest.mark.parametrize(
    ("answer", "score", "out_of_place"),
    [
        ("Early Pear, Fair Enough, Lent Hope and Dry Humour.", 10, ()),
        ("1. Early Pear\n2. Fair Enough\n3. Lent Hope\n4. Dry Humour", 10, ()),
        # What was shown on the way is not the order that is given in the end.
        (
            "Dry Humour took 80 minutes, Early Pear 20, Lent Hope 60 and Fair Enough 30. So the order is: "
            "Early Pear, Fair Enough, Lent Hope, Dry Humour. Early Pear won.",
            10,
            (),
        ),
        # Nor is what is quoted after it.
        (
            "Early Pear, Fair Enough, Lent Hope, Dry Humour. For it says: the Dry Humour took 80 minutes, "
            "the Lent Hope came in after 60, and both the Fair Enough and the Early Pear were home before.",
            10,
            (),
        ),
        # 3 of 4 in place, one missing and wrong: 3 / (4 + 1) is below two thirds.
        ("Fair Enough, Early Pear, Lent Hope, Dry Humour", 5, ("Fair Enough",)),
        # 1 of 4 in place, three missing and wrong: 1 / (4 + 3).
        ("Dry Humour, Lent Hope, Fair Enough, Early Pear", 3, ("Dry Humour", "Fair Enough", "Lent Hope")),
        # One left out, the others in order: 3 of 4.
        ("Early Pear, Lent Hope, Dry Humour", 7, ()),
        ("Early Pear.", 3, ()),
        ("The text does not say.", 1, ()),
    ],
)
def test_order_counts(answer: str, score: int, out_of_place: tuple[str, ...]) -> None:
    verdict = judge_by_rubric(answer, BOATS)
    assert verdict.score == score
    assert verdict.wrong == tuple(f"{name} (out of order)" for name in out_of_place)
    assert not set(out_of_place) & set(verdict.found)


@given(st.permutations(range(7)))
def test_a_longest_rise_rises_and_no_longer_one_does(ranks: list[int]) -> None:
    rise = [ranks[place] for place in longest_rise(ranks)]
    assert all(a < b for a, b in pairwise(rise))
    best = [1] * len(ranks)
    for place, rank in enumerate(ranks):
        best[place] = 1 + max((best[at] for at in range(place) if ranks[at] < rank), default=0)
    assert len(rise) == max(best)
