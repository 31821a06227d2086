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
    return read_completion(body, max_tokens, latency_s=1.5)


USED = {"prompt_tokens": 9, "completion_tokens": 40}


def test_budget_spent_on_thinking_is_truncated_though_called_complete() -> None:
    body = chat("", "stop", usage={"completion_tokens": 50})
    assert getattr(read(body, max_tokens=50), "outcome", None) == "truncated"
    assert isinstance(read(body, max_tokens=51), Answer)


VLLM = {"object": "error", "message": "This model's maximum context length is 4096 tokens. However, you"}


def test_the_word_context_alone_is_no_overflow() -> None:
    assert fault_in_reply(503, VLLM).outcome == "reader_error"
    assert fault_in_reply(400, {"error": {"message": "no context given"}}).outcome == "reader_error"


def test_an_exhausted_account_is_no_rate_limit() -> None:
    assert not fault_in_reply(429, {"error": {"code": "insufficient_quota", "message": "pay"}}).transient


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 80,
                "completion_tokens_details": {"reasoning_tokens": 60},
            },
            (80, 60),
        ),
        # Thoughts beside the completion, in the total alone (xAI).
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 20,
                "total_tokens": 89,
                "completion_tokens_details": {"reasoning_tokens": 60},
            },
            (80, 60),
        ),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 20,
                "completion_tokens_details": {"reasoning_tokens": 999},
            },
            (20, 20),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 20, "completion_tokens_details": None}, (20, None)),
    ],
)
def test_thoughts_are_counted_apart(usage: dict[str, object], counted: tuple[int, int | None]) -> None:
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
