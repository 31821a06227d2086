"""A conversation in a context as messages: nothing of it is lost, and user and assistant take turns."""

from __future__ import annotations

from pathlib import Path

import pytest

import niah
from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.needles.conversations.turns import as_turns
from niah.needles.load import load_needle_set
from tests.loopback import Post, Reply, completion, replying
from tests.needles.conversations.test_recall import found_again


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


def test_a_run_sends_a_conversation_that_a_reader_of_messages_can_answer_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    counts = list[int]()

    def reply(post: Post) -> Reply:
        messages = post.body["messages"]
        assert [message["role"] for message in messages[::2]] == ["user"] * (len(messages) // 2 + 1)
        assert [message["role"] for message in messages[1::2]] == ["assistant"] * (len(messages) // 2)
        asks = [message["content"].rpartition("\n")[2] for message in messages[:-1:2]]
        replies = [message["content"] for message in messages[1::2]]
        turns = [f"User: {ask} Assistant: {said}" for ask, said in zip(asks, replies, strict=True)]
        counts.append(len(turns))
        return Reply(completion(found_again("\n".join(turns), messages[-1]["content"])))

    with replying(reply) as address:
        run = niah.run(
            "recall",
            readers=[{"name": "finder", "model": "finder", "api_base": f"{address}/v1"}],
            strategies=["lc"],
            needle_sets=["recall@4"],
            lengths=(4000,),
            seeds={"anchor": [1, 2]},
            judge="mrcr",
            reader_options={"mode": "turns"},
            out=tmp_path / "turns.sqlite",
            progress=False,
        )
    frame = run.frame()
    assert frame.score.tolist() == [10.0] * 2
    assert min(counts) > 20
