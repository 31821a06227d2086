"""Side facts beside one value, or beside a date and a name: what was replaced, an extra, another fact."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

FEE = AnswerKey(
    "fee",
    "What is the yearly fee of the boat club of Orm?",
    references=("The yearly fee of the boat club of Orm is 420 crowns.",),
    elements=(Element("420 crowns"),),
    needles=(Needle("n", "By the new statutes the yearly fee of the boat club of Orm is 420 crowns.", ()),),
    distractors=(
        Distractor(
            "old", "In the charter the fee of the boat club was 380 crowns.", (Element("380 crowns"),)
        ),
        Distractor("locker", "A locker at the boat club costs 60 crowns.", (Element("60 crowns"),)),
    ),
)
MILL = AnswerKey(
    "mill",
    "In which year was the mill of Lisk finished, and by whom?",
    references=("The mill of Lisk was finished in 1742 by Jon Arvid.",),
    elements=(Element("1742"), Element("Jon Arvid")),
    needles=(Needle("n", "The mill of Lisk was finished in 1742 by Jon Arvid.", ()),),
    distractors=(
        Distractor("b", "It was begun in 1731 by Karl Holm.", (Element("1731"), Element("Karl Holm"))),
        Distractor("s", "The mill of Lisk was sold in 1790.", (Element("1790"),)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("420 crowns (the statutes supersede the charter's 380 crowns).", 10),
        ("420 crowns. The 380 crowns no longer apply.", 10),
        ("420 crowns a year, plus 60 crowns if you also want a locker.", 10),
        ("420 crowns and another 60 crowns for a locker.", 10),
        ("380 crowns (the charter supersedes the statutes' 420 crowns).", 1),
        ("380 crowns. The 420 crowns no longer apply.", 1),
        ("420 crowns plus 60 crowns.", 5),
        ("420 crowns plus 60 crowns for members.", 5),
        ("420 crowns or 380 crowns, plus 60 crowns for a locker.", 5),
    ],
)
def test_beside_one_value(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, FEE).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Begun in 1731 by Karl Holm, the mill was finished in 1742 by Jon Arvid and sold in 1790.", 10),
        ("The mill, begun in 1731, was finished in 1742 by Jon Arvid.", 10),
        ("The mill was finished in 1742 by Jon Arvid and Karl Holm.", 7),
        ("Finished in 1742, the mill was finished by Karl Holm.", 5),
        ("Begun in 1731, the mill was finished in 1790 by Jon Arvid.", 3),
    ],
)
def test_beside_a_date_and_a_name(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, MILL).score == score
