"""Conversations with several like replies, and how they are sent turn by turn."""

from __future__ import annotations

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric
from niah.needles.conversations import as_turns
from niah.needles.load import load_needle_set


def test_the_rubric_tells_the_right_reply_from_its_likes() -> None:
    key = key_of("recall@8", 2)
    assert judge_by_rubric(key.answer, key).score == 10
    others = [needle.text.split(" Assistant: ")[1] for needle in key.needles if not needle.elements]
    assert all(judge_by_rubric(other, key).score <= 3 for other in others)


def test_a_context_of_recall_is_sent_turn_by_turn() -> None:
    context = build_context(Case("recall@4", "entries", 4000, 0, 3))
    question = load_needle_set("recall@4", 3).question
    before, after = load_prompt("u-niah").frame(question)
    messages = as_turns(before, context.text, after)
    lines = [line for line in context.text.splitlines() if line]
    assert len(messages) == 2 * len(lines) + 1
    assert question in messages[-1]
    pairs = zip(messages[::2], messages[1::2], strict=False)
    assert [f"User: {ask} Assistant: {reply}" for ask, reply in pairs][1:] == lines[1:]


def test_what_is_between_turns_goes_to_the_users_next_message() -> None:
    text = "Rain.\nUser: A? Assistant: B.\nWind.\nUser: C? Assistant: D.\nSnow."
    parts = ("Read.\n\nRain.\n\nA?", "B.", "Wind.\n\nC?", "D.", "Snow.\n\nWhich?")
    assert as_turns("Read.\n", text, "\nWhich?") == parts
    blocks = "user: A?\n\nassistant: B.\nMore.\n\nuser: C?\n\nassistant: D."
    assert as_turns("", blocks, "Which?") == ("A?", "B.\nMore.", "C?", "D.", "Which?")
    assert as_turns("Read.", "Nobody says anything.", "Which?") == ()
