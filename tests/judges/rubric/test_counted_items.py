"""An item that is counted among what was asked for is claimed, whatever else is told of it."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KEY = AnswerKey(
    "ferries",
    "Which three ferries cross the Ormond strait?",
    references=("The Halcyon, the Bluebell and the Marigold.",),
    elements=tuple(Element(name) for name in ("Halcyon", "Bluebell", "Marigold")),
    needles=tuple(
        Needle(name, f"The {name} crosses the Ormond strait.", (name,))
        for name in ("Halcyon", "Bluebell", "Marigold")
    ),
    distractors=(
        Distractor("d", "The Corncrake carries gravel on the river Tamsin.", (Element("Corncrake"),)),
    ),
)
TWO = "The Halcyon is the first, painted white. Then there is the Bluebell. "


@pytest.mark.parametrize(
    "last",
    [
        "The third ferry is the Corncrake, which carries gravel.",
        "The last of the ferries is the Corncrake, which carries gravel on the Tamsin.",
        "The remaining ferry is the Corncrake, loaded with gravel on the Tamsin.",
        "Corncrake is the third ferry; it carries gravel.",
    ],
)
def test_counted_is_claimed(last: str) -> None:
    verdict = judge_by_rubric(TWO + last, KEY)
    assert (verdict.score, verdict.wrong) == (5, ("Corncrake",))


@pytest.mark.parametrize(
    "beside",
    [
        "The third ferry is the Marigold. The Corncrake carries gravel on the Tamsin.",
        "Marigold is the third ferry; the Corncrake only carries gravel on the Tamsin.",
        "The third ferry, the Marigold, crosses at noon. Another is the Corncrake, which carries gravel.",
    ],
)
def test_what_is_told_beside_a_counted_item_is_not(beside: str) -> None:
    assert judge_by_rubric(TWO + beside, KEY).score == 10
