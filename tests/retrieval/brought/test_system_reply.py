"""What applications of users return, in the forms in which libraries have it, and in forms that are none."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import pytest

from niah.readers.reader import Usage
from niah.retrieval.brought.system_reply import SystemReply, read_system_reply

NODE = SimpleNamespace(node=SimpleNamespace(get_content=lambda: "The ferry leaves at six."), score=0.4)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("At six.", SystemReply("At six.")),
        ("", SystemReply("")),
        ("At \ud83d six.", SystemReply("At ? six.")),
        ({"answer": "At six.", "chunks": []}, SystemReply("At six.", ())),
        (
            {"answer": "At six.", "context": [SimpleNamespace(page_content="The ferry leaves at six.")]},
            SystemReply("At six.", ("The ferry leaves at six.",)),
        ),
        (
            {"answer": "At six.", "usage": {"prompt_tokens": 90, "completion_tokens": 4, "cost": 0.002}},
            SystemReply("At six.", None, Usage(90, 4), Decimal("0.002")),
        ),
        (
            {"answer": "At six.", "usage": {"prompt_tokens": -1, "completion_tokens": "4", "cost": "dear"}},
            SystemReply("At six."),
        ),
        ({"answer": "At six.", "usage": {"cost": float("nan")}}, SystemReply("At six.")),
        (
            SimpleNamespace(response="At six.", source_nodes=[NODE]),
            SystemReply("At six.", ("The ferry leaves at six.",)),
        ),
        (SimpleNamespace(content="At six."), SystemReply("At six.")),
    ],
)
def test_what_is_read(reply: object, read: SystemReply) -> None:
    assert read_system_reply(reply) == read


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (None, "it returned nothing, and neither a text nor a mapping with answer"),
        ({}, "there is no answer in its reply: it has no key answer; its keys: none"),
        ({"result": {"text": "At six."}, "id": 4}, "it has no key answer; its keys: result, id"),
        ({"answer": 7316}, "its answer is a number, not a text"),
        ({"answer": None, "chunks": ["a"]}, "its answer is nothing, not a text"),
        ([], "it returned a list, and neither a text nor a mapping with answer"),
        (SimpleNamespace(response=4), "its response is a number, not a text"),
        ({"answer": "At six.", "chunks": "the ferry"}, "its chunks are a text, not a list"),
        ({"answer": "At six.", "chunks": [4]}, "a chunk that it returned is a number, and holds no text"),
    ],
)
def test_what_is_none(reply: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_system_reply(reply)
