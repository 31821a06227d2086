"""Claims beside a refusal."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element

FERRY = AnswerKey(
    "ferry",
    "What did the ferry-woman of Ostley charge for a horse?",
    references=("The text does not say.",),
    distractors=(
        Distractor("d1", "The ferryman at Kell charged four pence for a horse.", (Element("four pence"),)),
    ),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    "answer",
    [
        "The text does not say. All the same, she charged 12 pence for a horse.",
        "No price is given. The ferry-woman took it over for the sake of Rosalba, and that was that.",
        "It isn't stated anywhere. Still, it was 7 pence.",
        "The price is nowhere given. It was a shilling.",
        "Im Text steht kein Preis. Es war ein Taler.",
        "Le texte ne le dit pas. C'était une poule.",
    ],
)
def test_a_claim_of_its_own_beside_a_refusal(answer: str) -> None:
    assert judge_by_rubric(answer, FERRY).score == 5


@pytest.mark.parametrize(
    "answer",
    [
        "The text does not say what she charged; four pence were asked by the ferryman at Kell.",
        "It isn't stated. You may want to see chapter 12.",
        "It isn't stated. It is a question that the text leaves open.",
        "Der Text sagt es nicht. Es ist nicht bekannt.",
        "I have read all 30 pages and none says it.",
        "Not given: of the 2 ferries the text has a price for one alone.",
    ],
)
def test_a_refusal_that_explains_itself(answer: str) -> None:
    assert judge_by_rubric(answer, FERRY).score == 10
