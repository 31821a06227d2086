"""From the endpoint's words to a reading."""

from __future__ import annotations

from typing import Any

import pytest

from niah.readers.outcomes import Fault, read_completion
from niah.readers.reader import Answer, Failure, Request


def chat(content: object = "Paris", finish_reason: object = "stop", **more: Any) -> dict[str, Any]:
    message = {"content": content} | more.pop("message", {})
    return {"choices": [{"message": message, "finish_reason": finish_reason}]} | more


def read(body: object, max_tokens: int = 50) -> Answer | Failure | Fault:
    return read_completion(body, Request("?", max_tokens))


USED = {"prompt_tokens": 9, "completion_tokens": 40}


def test_budget_spent_on_thinking_is_truncated_though_called_complete() -> None:
    body = chat("", "stop", usage={"completion_tokens": 50})
    assert getattr(read(body, max_tokens=50), "outcome", None) == "truncated"
    assert isinstance(read(body, max_tokens=51), Answer)


@pytest.mark.parametrize(
    ("written", "thinking", "total", "counted"),
    [
        (80, 60, 89, (80, 60)),
        (20, 60, 89, (80, 60)),  # beside the completion, in the total alone (xAI)
        (20, 999, 29, (20, 20)),
        (20, None, 29, (20, None)),
    ],
)
def test_thoughts_are_counted_apart(
    written: int, thinking: int | None, total: int, counted: tuple[int, int | None]
) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": written, "total_tokens": total}
    usage |= {"completion_tokens_details": {"reasoning_tokens": thinking}}  # type: ignore[dict-item]
    reading = read(chat("Paris", usage=usage))
    assert isinstance(reading, Answer)
    assert (reading.usage.completion_tokens, reading.usage.thinking_tokens) == counted


@pytest.mark.parametrize(
    ("message", "content", "thinks"),
    [({"reasoning_content": "hm"}, "", True), ({}, "<think>hm", True), ({}, "The code", False)],
)
def test_what_was_cut_with_thoughts_is_said(message: dict[str, str], content: str, thinks: bool) -> None:
    reading = read(chat(content, "length", usage=USED, message={"content": content, **message}))
    assert isinstance(reading, Failure)
    assert reading.reason.startswith("finish_reason length after 40 tokens")
    assert ("thinking_tokens gives it more room" in reading.reason) == thinks
