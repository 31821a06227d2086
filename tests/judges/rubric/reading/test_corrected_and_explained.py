"""A correction that breaks off a list, and one that explains what it has replaced."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KITCHEN = AnswerKey(
    "kitchen",
    "Welche drei Gewürze nimmt die Köchin von Lind für die Suppe?",
    references=("Die Köchin von Lind nimmt Kümmel, Majoran und Lorbeer.",),
    elements=tuple(map(Element, ("Kümmel", "Majoran", "Lorbeer"))),
    needles=(Needle("n", "Die Köchin von Lind nimmt für die Suppe Kümmel, Majoran und Lorbeer.", ()),),
    distractors=(Distractor("d", "Zimt nimmt sie für den Kuchen.", (Element("Zimt"),)),),
)
TOWER = AnswerKey(
    "tour",
    "En quelle année et par quel maçon la tour de Brel fut-elle terminée ?",
    references=("La tour de Brel fut terminée en 1645 par le maçon Louis Gatin.",),
    elements=(Element("1645"), Element("Louis Gatin")),
    needles=(Needle("n", "La tour de Brel fut terminée en 1645 par le maçon Louis Gatin.", ()),),
    distractors=(Distractor("d", "La tour de Brel fut fondée en 1638.", (Element("1638"),)),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Kümmel, Majoran und Lorbeer – halt, nicht Lorbeer, sondern Zimt.", 5),
        ("Kümmel, Majoran und Lorbeer ... Moment, nicht Majoran, sondern Zimt.", 5),
        ("Kümmel, Majoran und Zimt – halt, nicht Zimt, sondern Lorbeer.", 10),
        ("Kümmel, Majoran und Lorbeer – halt, nicht Zimt, sondern Lorbeer.", 10),
    ],
)
def test_a_list_that_is_broken_off(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, KITCHEN).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("En 1638, ou plutôt, en 1645 : 1638 est l'année des premiers travaux. C'est Louis Gatin.", 10),
        ("En 1638, ou plutôt, en 1645 : 1638 est l'année où la tour fut terminée. C'est Louis Gatin.", 7),
    ],
)
def test_a_replaced_value_that_is_explained(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, TOWER).score == score
