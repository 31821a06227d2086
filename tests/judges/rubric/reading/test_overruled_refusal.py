"""A refusal that the answer itself overrules is an invented answer where nothing can be known."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

NEEDLE = "The new bell of Orm weighs 840 kilograms."
OTHER = Distractor("d", "The old bell of Lisk weighs 310 kilograms.", (Element("310 kilograms"),))
UNKNOWN = AnswerKey("bell", "How much did the ferry of Orm cost?", distractors=(OTHER,))
KNOWN = AnswerKey(
    "weight",
    "How much does the new bell of Orm weigh?",
    references=(NEEDLE,),
    elements=(Element("840 kilograms"),),
    needles=(Needle("n", NEEDLE, ()),),
    distractors=(OTHER,),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The text doesn't say. Hang on, here it is: the ferry cost 310 kilograms of silver.", 1),
        ("I can't see it mentioned. Ah, found it: 310 kilograms.", 1),
        ("The cost is not stated. Actually, it is: 7,500 crowns is what the ferry cost.", 1),
        ("I first thought that it was not stated, but it does say so: 310 kilograms.", 1),
        ("The text doesn't say. Hang on, it does mention 310 kilograms, but of the bell of Lisk.", 10),
        (
            "Ah, found it: 310 kilograms. No, that is the bell of Lisk; the ferry's cost is not stated.",
            10,
        ),
        ("It is not stated, but I would guess 310 kilograms of silver.", 5),
    ],
)
def test_a_refusal_overruled_where_nothing_is_known(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, UNKNOWN).score == score


@pytest.mark.parametrize(("value", "score"), [("840 kilograms", 10), ("310 kilograms", 1)])
def test_a_refusal_overruled_where_it_is_known(value: str, score: int) -> None:
    answer = f"The text doesn't seem to say. Oh, wait, here it is: {value}."
    assert judge_by_rubric(answer, KNOWN).score == score
