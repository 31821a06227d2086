from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

KEY = AnswerKey(
    "trials",
    "Which two trials are there, and what does each of them test?",
    ("The Cold Stair tests patience, the Lamp Room honesty.",),
    elements=(
        Element("Cold Stair"),
        Element("Lamp Room"),
        Element("patience", ("waiting",), derived=True),
        Element("honesty", ("truth",), derived=True),
    ),
    needles=(
        Needle("a", "On the Cold Stair you stand until you are called.", ("Cold Stair", "patience")),
        Needle("b", "The Lamp Room goes dark when somebody lies.", ("Lamp Room", "honesty")),
    ),
)


def test_what_follows_from_a_needle_counts_beside_its_name() -> None:
    verdict = judge_by_rubric("The Cold Stair tests patience, the Lamp Room truth.", KEY)
    assert verdict.score == 10


def test_and_not_without_it() -> None:
    verdict = judge_by_rubric("The Cold Stair tests patience, and the other one honesty.", KEY)
    assert (verdict.score, verdict.missing) == (5, ("Lamp Room", "honesty"))
    assert judge_by_rubric("To tell the truth, the waiting took an hour.", KEY).score == 1


def test_what_follows_from_a_needle_that_plants_nothing_else_counts_alone() -> None:
    needles = (Needle("a", "Otter, heron and newt live there.", ("three",)),)
    three = Element("three", derived=True)
    key = AnswerKey("q", "How many?", ("Three.",), elements=(three,), needles=needles)
    assert judge_by_rubric("Three.", key).score == 10
