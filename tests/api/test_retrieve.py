"""The router's questions, and a reader that routes, over HTTP."""

from __future__ import annotations

from collections import Counter

import pytest

from niah.api.retrieve import routed_by_reader, router_rates
from niah.errors import UserError
from niah.readers.resolve import ReaderSpec, resolve_reader
from niah.retrieval.mixpr.router import route, routing_prompt
from niah.retrieval.mixpr.router_questions import RouterQuestion, router_questions
from tests.loopback import Post, Reply, completion, replying


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
    rates = router_rates(held_out, [route(question.text) for question in held_out])
    assert sum(right for right, _ in rates.values()) >= 0.9 * 160
    # A single fact that is sent to alpha 0 is lost; the other way round recall is only less.
    assert all(rates[q.kind] == (20, 20) for q in held_out if q.reach == "local")


def test_a_reader_is_asked_the_prompt_and_its_letter_counts() -> None:
    asked = [
        RouterQuestion("one needle", "local", "Where is the key?", False),
        RouterQuestion("summaries", "global", "Summarise it.", False),
        RouterQuestion("summaries", "global", "Sum it up.", True),
    ]
    prompts = {routing_prompt(question.text): question for question in asked}
    replies = {"Where is the key?": "n", "Summarise it.": "Y.", "Sum it up.": "That depends."}

    def reply(post: Post) -> Reply:
        return Reply(completion(replies[prompts[post.body["messages"][-1]["content"]].text]))

    with replying(reply) as address:
        found = routed_by_reader(asked, resolve_reader(ReaderSpec("tiny", f"{address}/v1")))
    assert found == ["local", "global", None]
    assert router_rates(asked, found) == {"one needle": (1, 1), "summaries": (1, 2)}


def test_a_reply_that_is_cut_behind_its_letter_counts() -> None:
    asked = [RouterQuestion("summaries", "global", "Summarise it.", False)]

    def reply(post: Post) -> Reply:
        assert post.body["max_tokens"] < 100
        return Reply(completion("y, since the query asks", finish_reason="length"))

    with replying(reply) as address:
        assert routed_by_reader(asked, resolve_reader(ReaderSpec("tiny", f"{address}/v1"))) == ["global"]


def test_a_reader_that_answers_nothing_is_an_error_and_no_figure() -> None:
    asked = [RouterQuestion("summaries", "global", "Summarise it.", False)]

    def refuse(post: Post) -> Reply:
        return Reply({"error": {"message": "no such model"}}, status=404)

    with replying(refuse) as address, pytest.raises(UserError, match="tiny answered none of 1 questions"):
        routed_by_reader(asked, resolve_reader(ReaderSpec("tiny", f"{address}/v1")))
