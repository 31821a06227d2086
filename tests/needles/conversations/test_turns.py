"""A conversation in a context as messages: nothing of it is lost, and user and assistant take turns."""

from __future__ import annotations

from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.needles.conversations.turns import as_turns
from niah.needles.load import load_needle_set


def test_a_context_of_recall_is_sent_turn_by_turn() -> None:
    context = build_context(Case("recall@4", "entries", 4000, 0, 3))
    question = load_needle_set("recall@4", 3).question
    before, after = load_prompt("u-niah").frame(question)
    messages = as_turns(before, context.text, after)
    lines = [line for line in context.text.splitlines() if line]
    assert len(messages) == 2 * len(lines) + 1
    assert messages[0].startswith(before.strip())
    assert question in messages[-1]
    said = [
        f"User: {ask} Assistant: {reply}" for ask, reply in zip(messages[::2], messages[1::2], strict=False)
    ]
    assert said[1:] == lines[1:]
    for needle in context.needles:
        assert needle.text.split(" Assistant: ")[1] in messages[1::2]


def test_what_stands_between_turns_goes_to_the_users_next_message() -> None:
    text = "Rain.\nUser: A? Assistant: B.\nWind.\nUser: C? Assistant: D.\nSnow."
    assert as_turns("Read.\n", text, "\nWhich?") == (
        "Read.\n\nRain.\n\nA?",
        "B.",
        "Wind.\n\nC?",
        "D.",
        "Snow.\n\nWhich?",
    )


def test_published_messages_and_text_without_any() -> None:
    blocks = "user: A?\n\nassistant: B.\nMore.\n\nuser: C?\n\nassistant: D."
    assert as_turns("", blocks, "Which?") == ("A?", "B.\nMore.", "C?", "D.", "Which?")
    assert as_turns("Read.", "Nobody says anything.", "Which?") == ()
