"""A number that nobody told is wrong where the answer gives it to a key: "floors: 5", "70 looms"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

MILL = AnswerKey(
    "mill",
    "How many looms, how many floors and what licence has the Tarrow mill?",
    elements=(Element("38", key="looms"), Element("4", key="floors"), Element("2906", key="licence")),
    needles=(Needle("n", "The Tarrow mill has 38 looms on 4 floors and the licence 2906.", ("38", "4")),),
    distractors=(Distractor("d", "The Orrel mill has 61 looms.", (Element("61"),)),),
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Looms: 38\nFloors: 5\nLicence: 2906", "5"),
        ('{"looms": 38, "floors": 4, "licence": 2960}', "2960"),
        ("The Tarrow mill has 38 looms, the number of floors is seven and the licence is 2906.", "7"),
        ("It has 70 looms, 4 floors and the licence 2906.", "70"),
        ("| Looms | 40 |\n| --- | --- |\n| Floors | 4 |\n| Licence | 2906 |", "40"),
        ("38 looms, licence 2906; the number of floors is unlimited.", "unlimited"),
    ],
)
def test_another_number_of_a_key_is_wrong(answer: str, wrong: str) -> None:
    verdict = judge_by_rubric(answer, MILL)
    assert (verdict.score, verdict.wrong) == (5, (wrong,))


@pytest.mark.parametrize(
    "answer",
    [
        "4 floors and the licence 2906. The Orrel mill has 70 looms.",
        "38 looms, 4 floors. The licence is not 2960.",
        "38 looms, 4 floors. The old licence was 1177.",
        "1. Looms: 38\n2. Floors: 4\n3. Licence: no number is given",
        "38 looms and the licence 2906; passage 3 floors me, since it has no number of them.",
    ],
)
def test_a_number_that_is_denied_or_of_something_else_is_not(answer: str) -> None:
    verdict = judge_by_rubric(answer, MILL)
    assert (verdict.score, verdict.wrong) == (7, ())


def test_a_right_number_in_other_words_is_not_wrong() -> None:
    assert judge_by_rubric("Looms: thirty-eight; floors: four (4); licence: 2,906.", MILL).score == 10
