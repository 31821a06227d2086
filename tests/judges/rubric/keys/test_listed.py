"""An item of a list has its own key before or behind its value: "38 looms, 4 floors, diameter 5.2 m"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

MILL = AnswerKey(
    "mill",
    "How many looms, how many floors and what wheel diameter has the Tarrow mill?",
    elements=(
        Element("38", key="looms"),
        Element("4", key="floors"),
        Element("5.2 metres", key="wheel diameter"),
    ),
    needles=(
        Needle("n", "The Tarrow mill has 38 looms on 4 floors and a wheel diameter of 5.2 metres.", ("38",)),
    ),
    distractors=(Distractor("d", "The Orrel mill has 61 looms.", (Element("61"),)),),
)
GATES = AnswerKey(
    "gates",
    "Which codes have the copper gate, the willow gate and the granite gate?",
    elements=(
        Element("50317", key="copper gate"),
        Element("82946", key="willow gate"),
        Element("17685", key="granite gate"),
    ),
    needles=(Needle("n", "The codes are 50317, 82946 and 17685.", ("50317", "82946", "17685")),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "38 looms, 4 floors, wheel diameter 5.2 metres",
        "5.2 metres, 38 looms, floors: 4",
        "Wheel diameter 5.2 metres, 38 looms and 4 floors.",
        "The wheel diameter is 5.2 metres, with 38 looms in all, and the floors are 4.",
    ],
)
def test_each_item_has_its_own_key(answer: str) -> None:
    verdict = judge_by_rubric(answer, MILL)
    assert (verdict.score, verdict.wrong) == (10, ())


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("4 looms, 38 floors, wheel diameter 5.2 metres", {"4 (looms)", "38 (floors)"}),
        ("Wheel diameter 5.2 metres, 4 looms and 38 floors.", {"4 (looms)", "38 (floors)"}),
        ("5.2 metres, 4 looms, floors: 38", {"4 (looms)", "38 (floors)"}),
        ("5.2 metres, 4 floors, looms 38 and 61", {"61"}),
    ],
)
def test_a_value_with_the_key_of_another_is_wrong(answer: str, wrong: set[str]) -> None:
    assert set(judge_by_rubric(answer, MILL).wrong) == wrong


@pytest.mark.parametrize(
    ("answer", "found", "wrong"),
    [
        ("50317 is copper, willow is 82946, and 17685 is granite", 3, set()),
        ("82946 copper, willow 50317", 0, {"82946 (copper gate)", "50317 (willow gate)"}),
        ("82946 willow, copper 50317 and 17685", 2, {"17685 (copper gate)"}),
    ],
)
def test_values_of_one_kind_keep_their_own_items(answer: str, found: int, wrong: set[str]) -> None:
    verdict = judge_by_rubric(answer, GATES)
    assert len(verdict.found) == found
    assert wrong <= set(verdict.wrong)
