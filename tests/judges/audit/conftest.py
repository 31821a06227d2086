"""Small needle sets with everything that an audit treats differently."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Distractor, Element, Needle


@pytest.fixture
def pizza() -> AnswerKey:
    """Three elements, two wrong ones that can be told apart, and two that cannot."""
    return AnswerKey(
        name="pizza",
        question="What goes on the perfect pizza of Orsel Street, with or without basil?",
        references=("Figs, ham and goat cheese.",),
        elements=(Element("figs", ("fig",)), Element("ham"), Element("goat cheese")),
        needles=(
            Needle("one", "On Orsel Street they put figs on it.", ("figs",)),
            Needle("two", "On Orsel Street they put ham on it, and goat cheese.", ("ham", "goat cheese")),
        ),
        distractors=(
            Distractor("a", "In Pell they put ricotta on it.", (Element("ricotta"),)),
            Distractor("b", "In Pell they put basil on it.", (Element("basil"),)),
            Distractor("c", "In Dorn they put smoked ham on it.", (Element("smoked ham"),)),
            Distractor(
                "d", "In Dorn they put pears on it, and ricotta.", (Element("pears"), Element("ricotta"))
            ),
        ),
    )


@pytest.fixture
def gates() -> AnswerKey:
    """Two keys."""
    return AnswerKey(
        name="gates",
        question="Which codes open the copper gate and Corrow?",
        references=("The copper gate 50317, Corrow 82946.",),
        elements=(Element("50317", (), "copper gate"), Element("82946", (), "Corrow")),
        needles=(
            Needle("copper", "The code of the copper gate is 50317.", ("50317",)),
            Needle("corrow", "The code of Corrow is 82946.", ("82946",)),
        ),
        distractors=(Distractor("marble", "The code of the marble gate is 63529.", (Element("63529"),)),),
        kind="multi-query",
    )


@pytest.fixture
def well() -> AnswerKey:
    """A question that the text does not answer."""
    return AnswerKey(
        name="well",
        question="Who dug the well?",
        references=("The text does not say who dug the well.",),
        distractors=(Distractor("pond", "Odo Fenn dug the pond.", (Element("Odo Fenn"),)),),
        kind="unanswerable",
    )
