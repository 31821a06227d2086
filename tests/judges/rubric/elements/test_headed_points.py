"""Elements whose words a numbered point takes apart, and inventions in lists."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle
from tests.judges.rubric.shared_keys import HUT

HILL = AnswerKey(
    "hill",
    "Which three reasons does the surgeon give for moving the hospital to Larch Hill?",
    references=("The clean water, the quiet nights and the patient monks.",),
    elements=tuple(map(Element, ("clean water", "quiet nights", "patient monks"))),
    needles=(Needle("n", "The surgeon names clean water, quiet nights and patient monks.", ()),),
    distractors=(
        Distractor("d", "The mayor is for Ash Hill, on account of the wide road.", (Element("wide road"),)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "**1. The water.** It is clean.\n\n**2. The nights.** Quiet.\n\n**3. The monks.** Patient.",
            10,
        ),
        ("1. **Water**: clean\n2. **Nights**: quiet\n3. **Monks**: some are patient", 10),
        ("1. **Water**: clean\n2. **Nights**: quiet\n3. **Monks**: noisy", 7),
        ("1. **Water**: clean\n2. **Nights**: quiet\n3. **Monks**: not patient", 7),
        ("1. **Water**: patient\n2. **Nights**: clean\n3. **Monks**: quiet", 1),
        ("1. **Water**: cheap\n2. **Nights**: long\n3. **Monks**: noisy", 1),
    ],
)
def test_a_point_may_take_a_name_apart(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HILL).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Clean water, quiet nights and patient monks. The surgeon rejects the wide road.", 10),
        ("Clean water, quiet nights, patient monks and the wide road.", 7),
        ("Clean water, quiet nights and low heating-oil costs.", 5),
        ("Clean water, patient monks, and the friendly villagers.", 5),
        ("Clean water, quiet nights and the monks near by.", 7),
    ],
)
def test_short_inventions_in_a_list_are_wrong(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HILL).score == score


def test_a_listed_thing_is_claimed_whatever_is_noted_behind_its_dash() -> None:
    listed = "1. **Pickaxe** – old\n2. **Sledge** – stands in the barn\n3. **Ice saw**\n4. **Rope ladder**"
    assert judge_by_rubric(listed, HUT).score == 5
    noted = "Pickaxe, lantern, ice saw, rope ladder.\n\nSledge – stands in the barn, only borrowed."
    assert judge_by_rubric(noted, HUT).score == 10
