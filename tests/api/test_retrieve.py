"""The router's questions, and a reader that routes, over HTTP."""

from __future__ import annotations

from collections import Counter

from niah.api.retrieve import router_rates
from niah.retrieval.mixpr.router_questions import router_questions


def test_forty_questions_of_each_of_eight_kinds_half_of_them_held_out() -> None:
    questions = router_questions()
    assert Counter(question.kind for question in questions) == dict.fromkeys(
        dict.fromkeys(question.kind for question in questions), 40
    )
    assert len(questions) == 320
    assert sum(question.held_out for question in questions) == 160
    assert len({question.text for question in questions}) == 320
    assert {question.kind for question in questions if question.reach == "global"} == {
        "frequent words",
        "summaries",
    }


def test_rules_send_nine_in_ten_of_the_questions_held_out_to_the_right_expert() -> None:
    held_out = [question for question in router_questions() if question.held_out]
    rates = router_rates(held_out)
    assert sum(right for right, _ in rates.values()) >= 0.9 * 160
    # A single fact that is sent to alpha 0 is lost; the other way round recall is only less.
    assert all(rates[q.kind] == (20, 20) for q in held_out if q.reach == "local")
