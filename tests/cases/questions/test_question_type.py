"""Questions are sorted by their first question word in a fixed order."""

from __future__ import annotations

import pytest

from niah.cases.questions.question_type import QUESTION_TYPES, question_type


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many casks did Ilse count?", "how"),
        ("Why, and how, was the weir moved?", "how"),
        ("Which of the ferries sank, and why?", "why"),
        ("WHAT'S the keeper's name?", "what"),
        ("In which town, and when, was the bell cast?", "when"),
        ("Who knows where the ledger lies?", "where"),
        ("Who chose which of the roads?", "which"),
        ("To whom did the miller write?", "who"),
        ("Whose boat is moored at the lock?", "who"),
        ("Did the show please the whole town?", "other"),
        ("Name the three rivers.", "other"),
        ("Was somewhat more grain sent elsewhere?", "other"),
        ("", "other"),
    ],
)
def test_the_first_word_in_the_fixed_order_decides(question: str, kind: str) -> None:
    assert question_type(question) == kind
    assert kind in QUESTION_TYPES
