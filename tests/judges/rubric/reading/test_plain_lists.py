"""Answers that are one plain list, and need not be read any further."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges.rubric import rubric
from niah.judges.rubric.negation import mask_mentions
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.plain import lists

PIZZA = key_of("pizza-ingredients", 1)


@pytest.mark.parametrize(
    ("answer", "is_list"),
    [
        ("- figs\n- anchovies\n- goat cheese", True),
        ("* figs\n* anchovies", True),
        ("- figs\n- anchovies\n- goat cheese. Those are the rival's", False),
        ("Ingredients:\n- figs\n- anchovies", False),
        ("- figs (dried)\n- anchovies", False),
        ("- figs\n- anchovies, which we leave out", False),
        ("figs\nanchovies", False),
    ],
)
def test_bullets_are_one_plain_list(answer: str, is_list: bool) -> None:
    tidied = tidy(answer)
    mentions = rubric._mentions(tidied, PIZZA)
    text = mask_mentions(tidied, mentions)
    assert lists.is_one_plain_list(answer, tidied, text, mentions, PIZZA) == is_list
