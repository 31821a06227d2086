"""From the endpoint's words to a reading."""

from __future__ import annotations

from typing import Any

import pytest

from niah.readers.outcomes import (
    MORE_ROOM,
    Fault,
    failure,
    fault_in_reply,
    one_line,
    read_completion,
    usage_in,
)
from niah.readers.reader import Answer, Failure, Usage


def chat(content: object = "Paris", finish_reason: object = "stop", **more: Any) -> dict[str, Any]:
    message = {"content": content} | more.pop("message", {})
    return {"choices": [{"message": message, "finish_reason": finish_reason}]} | more


def read(body: object, max_tokens: int = 50) -> Answer | Failure | Fault:
    return read_completion(body, max_tokens, latency_s=1.5)


def test_complete_answer() -> None:
    assert read(chat(" Paris.\n")) == Answer(" Paris.\n", Usage(), 1.5)


USED = {"prompt_tokens": 9, "completion_tokens": 40}


def test_empty_complete_answer_is_the_models_answer() -> None:
    assert read(chat("")) == Answer("", Usage(), 1.5)


@pytest.mark.parametrize(
    "signs",
    [
        {"message": {"reasoning_content": "Is it Lyon? No."}},
        {"usage": {"prompt_tokens": 9, "completion_tokens": 3}},
    ],
)
def test_null_beside_thoughts_or_tokens_is_an_empty_answer(signs: dict[str, Any]) -> None:
    reading = read(chat(None, **signs))
    assert isinstance(reading, Answer)
    assert reading.text == ""


@pytest.mark.parametrize("usage", [{}, {"usage": {"prompt_tokens": 9, "completion_tokens": 0}}])
def test_null_without_a_token_is_no_answer(usage: dict[str, Any]) -> None:
    reading = read(chat(None, **usage))
    assert isinstance(reading, Failure)
    assert (reading.outcome, "neither content nor tokens" in reading.reason) == ("reader_error", True)


@pytest.mark.parametrize("reason", ["length", "max_tokens", "model_length"])
def test_cut_answer_keeps_its_text(reason: str) -> None:
    reading = read(chat("Par", reason))
    assert isinstance(reading, Failure)
    assert (reading.outcome, reading.text) == ("truncated", "Par")


def test_budget_spent_on_thinking_is_truncated_though_called_complete() -> None:
    body = chat("", "stop", usage={"completion_tokens": 50})
    assert getattr(read(body, max_tokens=50), "outcome", None) == "truncated"
    assert isinstance(read(body, max_tokens=51), Answer)


@pytest.mark.parametrize(
    "body",
    [
        chat("I", "content_filter"),
        chat("", "SAFETY"),
        chat(None, "stop", message={"refusal": "I will not."}),
    ],
)
def test_refusals(body: object) -> None:
    assert getattr(read(body), "outcome", None) == "refused"


def test_refusals_words_are_the_reason() -> None:
    assert getattr(read(chat(None, message={"refusal": "I will\nnot."})), "reason", "") == "I will not."


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([], "no JSON object"),
        ("Paris", "no JSON object"),
        ({}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": "Paris"}, "no choices"),
        ({"choices": ["Paris"]}, "no message"),
        ({"choices": [{"message": "Paris", "finish_reason": "stop"}]}, "no message"),
        (chat(["Paris"]), "content is a list"),
        (chat(7), "content is a int"),
        (chat("", None), "finish_reason missing"),
        (chat("Paris", "tool_calls"), "finish_reason tool_calls"),
        (chat("Paris", ["stop"]), "finish_reason"),
    ],
)
def test_replies_that_are_none(body: object, reason: str) -> None:
    reading = read(body)
    assert isinstance(reading, Failure)
    assert reading.outcome == "reader_error"
    assert reason in reading.reason


def test_usage_from_openai() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 8}}
    assert usage_in({"usage": usage}) == Usage(9, 4, 8)


def test_usage_from_llama_cpp_timings() -> None:
    assert usage_in({"timings": {"prompt_n": 3, "cache_n": 40, "predicted_n": 7}}) == Usage(43, 7, 40)


@pytest.mark.parametrize(
    "body",
    [{}, {"usage": None}, {"usage": [1]}, {"usage": {"prompt_tokens": "9", "completion_tokens": -1}}],
)
def test_usage_that_nobody_gave_is_unknown(body: dict[str, Any]) -> None:
    assert usage_in(body) == Usage(None, None, None)


OPENAI = {"error": {"message": "Too long.", "type": "bad", "code": "context_length_exceeded"}}
LLAMA_CPP = {"error": {"code": 400, "message": "request (9 tokens) ...", "type": "exceed_context_size_error"}}
VLLM = {"object": "error", "message": "This model's maximum context length is 4096 tokens. However, you"}
ANTHROPIC = {"type": "error", "error": {"type": "bad", "message": "prompt is too long: 9 > 8"}}
GEMINI = {"error": {"message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}}


@pytest.mark.parametrize("body", [OPENAI, LLAMA_CPP, VLLM, ANTHROPIC, GEMINI])
def test_prompts_longer_than_the_window_overflow(body: object) -> None:
    assert fault_in_reply(400, body).outcome == "overflow"


def test_an_overflow_stays_one_whatever_the_status() -> None:
    fault = fault_in_reply(500, LLAMA_CPP)
    assert fault.outcome == "overflow"
    assert not fault.transient


def test_the_word_context_alone_is_no_overflow() -> None:
    assert fault_in_reply(503, VLLM).outcome == "reader_error"
    assert fault_in_reply(400, {"error": {"message": "no context given"}}).outcome == "reader_error"


@pytest.mark.parametrize(
    "error",
    [
        {"code": "content_filter", "message": "filtered"},
        {"code": "invalid_prompt", "message": "flagged"},
        {"code": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "filtered"},
    ],
)
def test_filters_that_reject_the_request_refuse(error: object) -> None:
    assert fault_in_reply(400, {"error": error}).outcome == "refused"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529, None])
def test_transient(status: int | None) -> None:
    assert Fault("busy", status).transient


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_final(status: int) -> None:
    assert not Fault("no", status).transient


def test_an_exhausted_account_is_no_rate_limit() -> None:
    assert not fault_in_reply(429, {"error": {"code": "insufficient_quota", "message": "pay"}}).transient


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "bad"}}, "bad"),
        ({"error": "bad"}, "bad"),
        ({"detail": "bad"}, "bad"),
        ({"error": {}}, "no message"),
        ("<html>bad</html>", "<html>bad</html>"),
        ("", "no message"),
        ([1], "[1]"),
    ],
)
def test_what_error_bodies_say(body: object, message: str) -> None:
    assert fault_in_reply(404, body).message == message


def test_gateways_that_wrap_errors_into_a_success() -> None:
    wrapped = read({"error": {"code": 429, "message": "slow down"}})
    assert isinstance(wrapped, Fault)
    assert (wrapped.status, wrapped.message) == (429, "slow down")
    assert getattr(read({"error": "oops"}), "status", None) == 502


def test_a_failure_tells_attempts_wait_and_status_in_one_line() -> None:
    fault = Fault("slow\ndown", 429, retry_after_s=3600.0, latency_s=0.5)
    assert failure(fault, attempts=4) == Failure(
        "reader_error", "after 4 attempts: asked to wait 3600 s: HTTP 429: slow down", latency_s=0.5
    )


def test_one_line_is_short_and_printable() -> None:
    assert one_line("a\x1b[31m\n\tb") == "a [31m b"
    assert len(one_line("word " * 1000)) == 240


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


def test_an_answer_cut_among_its_thoughts_says_what_to_do() -> None:
    reading = read(chat("<think>" + "y" * 33, "length", usage=USED))
    assert isinstance(reading, Failure)
    assert reading.reason == f"finish_reason length after 40 tokens, 40 of them thoughts: {MORE_ROOM}"


def test_a_plain_completion() -> None:
    reading = read({"choices": [{"text": " Paris", "finish_reason": "stop"}]})
    assert isinstance(reading, Answer)
    assert reading.text == " Paris"
