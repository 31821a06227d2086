"""Models that search: what scripted ones are shown, and what the reader then gets."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from niah.retrieval.lexical import BM25Retriever
from niah.strategies.facts import ToolUse
from niah.strategies.prepared.steps import ModelCall
from tests.strategies.test_prepared import HUNDRED, Asked

# Sentence 40 of a hundred holds the answer.
TEXT = HUNDRED.replace("number 40 of", "number 40 (the code is 7351) of")


def search(pattern: str, **more: Any) -> dict[str, Any]:
    return {"name": "search", "arguments": {"pattern": pattern, **more}}


def read(first: Any, **more: Any) -> dict[str, Any]:
    return {"name": "read", "arguments": {"from": first, **more}}


class Searched(Asked):
    """The strategy after these replies, the last one again and again, and what the tools made of them."""

    def __init__(self, name: str, *replies: object, text: str = TEXT, room: int = 100_000) -> None:
        left = [each if isinstance(each, str) else _lines(each) for each in replies]
        super().__init__(name, lambda call: left.pop(0) if len(left) > 1 else left[0], BM25Retriever())
        self.parts = [part.text for part in self.choose(text, room).parts]

    def _reply(self, call: ModelCall) -> str:
        reply = super()._reply(call)
        self.uses: list[Sequence[ToolUse]] = [*getattr(self, "uses", []), call.uses(reply)]
        return reply

    @property
    def sent(self) -> list[int]:
        """Numbers of the sentences that the reader gets."""
        return [int(number) for text in self.parts for number in re.findall(r"number (\d+)", text)]


def _lines(calls: Any) -> str:
    return "\n".join(map(json.dumps, calls if isinstance(calls, list) else [calls]))


def _five(*firsts: int) -> list[int]:
    return [first + i for first in firsts for i in range(5)]


def test_a_search_and_a_read_are_sent_in_the_order_of_the_text() -> None:
    asked = Searched("agent", search("CODE is"), read(38, count=3), "DONE")
    assert asked.sent == [38, 39, 40]
    assert len(asked.parts) == 1  # neighbours, as they stand in the text
    first, second, third = (call.prompt for call in asked.calls)
    assert "a text of 100 numbered sentences" in first
    assert '{"name": "search", "description": ' in first
    assert second.startswith(first.removesuffix("\n\nNext:"))  # a provider's cache of prompts holds
    assert "\nsentences that match: 1\n[40] Here stands sentence number 40 (the code is 7351)" in second
    assert "(7 turns and 3" in second
    assert "\nshown before: 40\n[38] Here" in third
    assert "(6 turns and 3" in third
    found, looked_up, done = (uses[0] for uses in asked.uses)
    assert (found.matches, found.found) == (1, found.shown)
    assert TEXT[slice(*found.shown[0])].startswith("Here stands sentence number 40")
    assert (looked_up.matches, len(looked_up.shown)) == (None, 1)
    assert "the search is over" in done.problem


def test_the_messages_say_the_same_as_the_prompt() -> None:
    asked = Searched("agent", [search("code is"), {"name": "fly", "arguments": {}}], "DONE")
    user, assistant, *returned = asked.calls[-1].messages
    assert [message["role"] for message in returned] == ["tool", "tool"]
    ids = [call["id"] for call in assistant["tool_calls"]]
    assert ids == [message["tool_call_id"] for message in returned]
    assert len(set(ids)) == 2
    assert {len(id) for id in ids} == {9}
    assert all(message["content"] in asked.calls[-1].prompt for message in returned)
    assert "JSON" not in user["content"]
    assert [tool["function"]["name"] for tool in asked.calls[0].tools] == ["search", "read"]


EVERYTHING = search("", limit=500), search(".", limit=500)


@pytest.mark.parametrize(
    ("name", "replies", "sent"),
    [
        # Four calls of a reply are answered.
        ("agent", ([search("number 12 of"), *map(read, (50, 60, 70, 80))], "DONE"), [12, *_five(50, 60, 70)]),
        ("agent", (search("code", neighbours=2), "DONE"), [38, 39, 40, 41, 42]),
        ("agent", (search("sentence number", limit=3), "DONE"), [1, 2, 3]),
        ("agent", ("{" + _lines(search("code is")), "DONE"), [40]),
        ("agent", (*EVERYTHING, "DONE"), [*range(1, 21)]),
        ("agent", (search("CODE", ignore_case=False), "DONE"), []),
        # A model that asks the same again is told so once, and asked no further; nor is one without a call.
        ("agent-5", (search("code"),), [40]),
        *(("agent", (reply,), []) for reply in ("It is 7351.", "", "<think>{}{} maybe</think>DONE", "DONE")),
        ("agent-3+bm25", (search("what is the code", limit=1), search("zebra"), "DONE"), [40]),
    ],
)
def test_what_is_found_is_sent(name: str, replies: Sequence[object], sent: list[int]) -> None:
    asked = Searched(name, *replies)
    assert asked.sent == sent
    if len(replies) == 1:
        assert len(asked.calls) == (3 if sent else 1)
    if "+" in name:
        assert "sentences that match: 0" in asked.calls[-1].prompt
        assert "regular expression" not in asked.calls[0].prompt


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ({"name": "grep", "arguments": {"x": 1}}, "there is no tool 'grep': call search or read"),
        ('{"pattern": "code"}', "there is no tool 'unreadable'"),
        ('{"name": "search", "arguments": {"pattern": "co', "there is no tool 'unreadable'"),
        ({"name": "x" * 65}, f"there is no tool '{'x' * 64}'"),
        ({"name": "search", "arguments": "code"}, "pattern: Field required"),
        ({"name": "search"}, "pattern: Field required"),
        (search(""), "pattern: String should have at least 1 character"),
        (search("x" * 301), "pattern: String should have at most 300"),
        (search("\ud800"), "mistake: pattern"),
        (search("(unclosed"), "mistake: no regular expression: error: unclosed group"),
        (search(r"(\w)\1"), "backreferences are not supported"),
        (search("(?=code)"), "look-around"),
        (search(r"(\w{1,99}){1,99}"), "size limit"),
        (search("code", limit="many"), "limit: Input should be a valid integer"),
        (search("code", limit=float("nan")), "limit: Input should be a valid integer"),
        (read(101), "there are 100 sentences"),
        (read(0), "from: Input should be greater than or equal to 1"),
        ({"name": "read", "arguments": {}}, "from: Field required"),
        ({"name": ["search"], "arguments": []}, "there is no tool"),
        ("{" * 30_000, "there is no tool 'unreadable'"),
        ('{"a":' * 4_000, "there is no tool 'unreadable'"),
    ],
)
def test_a_mistake_costs_a_turn_and_is_said(reply: object, says: str) -> None:
    asked = Searched("agent-3", reply)
    assert (len(asked.calls), asked.sent) == (3, [])
    assert says in asked.calls[1].prompt
    assert asked.uses[0][0].problem


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    "pattern",
    [r"(\w+\s*)+\d$", "(a*)*b", "(x+x+)+y", r"(.*.*.*.*)+=", "(?:a|aa)+$", "." * 300, r"(\s*\w?)*!"],
)
def test_patterns_that_explode_elsewhere_take_no_time(pattern: str) -> None:
    text = " ".join([TEXT, "a" * 5_000, "x" * 5_000] * 20)
    Searched("agent-1", search(pattern), text=text)


def test_grep_sends_the_sentences_with_the_rarest_patterns() -> None:
    asked = Searched("grep/top-3/document", "1. `code`\n- number 4\n(wrong\nsentence\nnever read")
    assert len(asked.calls) == 1
    assert asked.sent == [4, 40, 41]
    assert [(use.asked, use.matches) for use in asked.uses[0]] == [
        *(("code", 1), ("number 4", 11), ("(wrong", None), ("sentence", 100)),
    ]
    assert Searched("grep/top-3/document", "nothing like it").parts == []
    wood = " ".join(
        f"Here is number {i}, {['oak elm', 'yew', 'ash'][(i > 5) + (i > 7)]}." for i in range(1, 12)
    )
    assert Searched("grep/top-2/document", "oak\nelm\nyew", text=wood).sent == [6, 7]  # 2 log 12/5 < log 12/2
    assert len(Searched("grep/top-900/document", ".", room=70).sent) == 5  # of twelve tokens, and two between
