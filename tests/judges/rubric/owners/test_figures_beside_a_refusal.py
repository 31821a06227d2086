"""Figures of others beside a refusal: as bullets with labels, or with "none of these" behind them."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element

FERRY = AnswerKey(
    "ferry",
    "How much did the ferry of Orm cost?",
    distractors=(
        Distractor("quay", "The quay at the market cost 9,400 crowns.", (Element("9,400 crowns"),)),
        Distractor("barge", "The barge of Lisk cost 2,150 crowns.", (Element("2,150 crowns"),)),
        Distractor("gift", "A widow gave 300 crowns for a lamp.", (Element("300 crowns"),)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Not stated. Other prices:\n- The quay: 9,400 crowns\n- The barge of Lisk: 2,150 crowns", 10),
        ("Quay: 9,400 crowns. Barge of Lisk: 2,150 crowns. The price of the ferry is not given.", 10),
        ("I can't find it. None of the sums in the text (9,400 crowns, 2,150 crowns) is for the ferry.", 10),
        (
            "It has sums, 9,400 crowns and 300 crowns. None of these is what the ferry cost; it is not told.",
            10,
        ),
        ("2,150 crowns. No, that is the barge of Lisk; what the ferry cost is not stated.", 10),
        ("The cost is not stated.\n- Cost: 9,400 crowns", 5),
        ("The price is not stated. It was probably 9,400 crowns. None of these is certain.", 5),
        ("What the ferry cost is not stated, but at least 300 crowns of it came from a widow.", 5),
        ("The text does not say it. None of the sums is wrong: 9,400 crowns.", 5),
        ("Not stated. I guess 300 crowns. None of these is what the ferry cost.", 5),
    ],
)
def test_figures_beside_a_refusal(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, FERRY).score == score
