"""From the endpoint's words to a reading."""

from __future__ import annotations

from typing import Any

import pytest

from niah.readers.outcomes import Fault, fault_in_reply, read_completion
from niah.readers.reader import Answer, Failure


def chat(content: object = "Paris", finish_reason: object = "stop", **more: Any) -> dict[str, Any]:
    message = {"content": content} | more.pop("message", {})
    return {"choices": [{"message": message, "finish_reason": finish_reason}]} | more


def read(body: object, max_tokens: int = 50) -> Answer | Failure | Fault:
    return read_completion(body, max_tokens)


USED = {"prompt_tokens": 9, "completion_tokens": 40}


def test_budget_spent_on_thinking_is_truncated_though_called_complete() -> None:
    body = chat("", "stop", usage={"completion_tokens": 50})
    assert getattr(read(body, max_tokens=50), "outcome", None) == "truncated"
    assert isinstance(read(body, max_tokens=51), Answer)


def test_an_exhausted_account_is_no_rate_limit() -> None:
    assert not fault_in_reply(429, {"error": {"code": "insufficient_quota", "message": "pay"}}).transient


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
    "body",
    [
        chat("Paris", usage=USED, message={"content": "x" * 10, "reasoning_content": "y" * 30}),
        chat("Paris", usage=USED, message={"content": "x" * 10, "reasoning": "y" * 30}),
        chat(f"<think>{'y' * 15}</think>{'x' * 10}", usage=USED),
        chat(
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "y" * 30}]},
                {"type": "text", "text": "x" * 10},
            ],
            usage=USED,
        ),
    ],
)
def test_thoughts_that_nobody_counted_are_counted_by_their_letters(body: object) -> None:
    reading = read(body)
    assert isinstance(reading, Answer)
    assert reading.text.endswith("x" * 10)
    assert reading.usage.thinking_tokens == 30
