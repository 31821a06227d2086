"""Request bodies, and what endpoints reject of them."""

from __future__ import annotations

import pytest

from niah.readers.dialect import rejected_parameter, request_body, template_switch
from niah.readers.outcomes import Fault
from niah.readers.reader import Request

NOT_MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model."
    " Use 'max_completion_tokens' instead."
)
NOT_TEMPERATURE = (
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported."
)
NOT_SEED = "[{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]"
TOO_LARGE = "'max_tokens' is too large: 20000. This model supports at most 16384 completion tokens."
NOT_JSON_SCHEMA = (
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
)

NONE: frozenset[str] = frozenset()
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
PLAIN = Request("Why?", 50)
STRUCTURED = Request("Why?", 50, system="Reply in JSON.", schema=SCHEMA)


def test_plain_body() -> None:
    assert request_body("m", Request("Why?", 50, temperature=0.5, seed=3), NONE) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Why?"}],
        "max_tokens": 50,
        "temperature": 0.5,
        "seed": 3,
    }


def test_body_of_a_reasoning_model() -> None:
    assert request_body("o3", Request("Why?", 50), frozenset({"max_tokens", "temperature"})) == {
        "model": "o3",
        "messages": [{"role": "user", "content": "Why?"}],
        "max_completion_tokens": 50,
        "seed": 0,
    }


def test_body_with_instructions_and_a_schema() -> None:
    assert request_body("m", STRUCTURED, NONE) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Reply in JSON."},
            {"role": "user", "content": "Why?"},
        ],
        "max_tokens": 50,
        "temperature": 0.0,
        "seed": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }


@pytest.mark.parametrize(
    ("rejected", "expected"),
    [
        (frozenset({"json_schema"}), {"response_format": {"type": "json_object"}}),
        (frozenset({"json_schema", "json_object"}), {}),
    ],
)
def test_weaker_forms_of_a_schema(rejected: frozenset[str], expected: dict[str, object]) -> None:
    body = request_body("m", STRUCTURED, rejected)
    assert {key: value for key, value in body.items() if key == "response_format"} == expected


def test_instructions_where_there_is_no_system_message() -> None:
    assert request_body("m", STRUCTURED, frozenset({"system"}))["messages"] == [
        {"role": "user", "content": "Reply in JSON.\n\nWhy?"}
    ]


@pytest.mark.parametrize(
    ("status", "message", "parameter"),
    [
        (400, NOT_MAX_TOKENS, "max_tokens"),
        (400, NOT_TEMPERATURE, "temperature"),
        (422, NOT_SEED, "seed"),
        (400, TOO_LARGE, None),
        (400, "'max_completion_tokens' is not supported", None),
        (500, NOT_MAX_TOKENS, "max_tokens"),
        (429, NOT_MAX_TOKENS, None),
        (400, "model 'x' is not supported", None),
    ],
)
def test_rejected_parameter(status: int, message: str, parameter: str | None) -> None:
    assert rejected_parameter(Fault(message, status), PLAIN, NONE) == parameter
    assert rejected_parameter(Fault(message, status), STRUCTURED, NONE) == parameter


@pytest.mark.parametrize(
    "message",
    [
        NOT_JSON_SCHEMA,
        "This response_format type is unavailable now",
        "'response_format.type' must be 'json_schema' or 'text'",
        "This model does not support response format `json_schema`. See supported models.",
        "Invalid schema for response_format 'reply': schema must have a 'type' key.",
        "failed to parse grammar",
    ],
)
def test_rejected_formats_go_down_one_by_one(message: str) -> None:
    fault = Fault(message, 400)
    assert rejected_parameter(fault, STRUCTURED, NONE) == "json_schema"
    assert rejected_parameter(fault, STRUCTURED, frozenset({"json_schema"})) == "json_object"
    assert rejected_parameter(fault, STRUCTURED, frozenset({"json_schema", "json_object"})) is None
    assert rejected_parameter(fault, PLAIN, NONE) is None


@pytest.mark.parametrize(
    "message",
    [
        "System role not supported",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
    ],
)
def test_rejected_system_messages(message: str) -> None:
    assert rejected_parameter(Fault(message, 400), STRUCTURED, NONE) == "system"
    assert rejected_parameter(Fault(message, 400), STRUCTURED, frozenset({"system"})) is None
    assert rejected_parameter(Fault(message, 400), PLAIN, NONE) is None


def test_what_was_not_sent_is_not_what_was_rejected() -> None:
    assert rejected_parameter(Fault(NOT_MAX_TOKENS, 400), PLAIN, frozenset({"max_tokens"})) is None


ASKED = Request(
    "Why?",
    4146,
    temperature=0.7,
    seed=9,
    top_p=0.9,
    stop=("\n\n",),
    thinking_tokens=4096,
    reasoning_effort="high",
    extra_body={"top_k": 20, "min_p": 0.05},
)


def test_what_a_user_asks_for_is_sent() -> None:
    assert request_body("m", ASKED, NONE) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Why?"}],
        "max_tokens": 4146,
        "temperature": 0.7,
        "seed": 9,
        "top_p": 0.9,
        "stop": ["\n\n"],
        "reasoning_effort": "high",
        "top_k": 20,
        "min_p": 0.05,
    }


@pytest.mark.parametrize(
    ("message", "parameter"),
    [
        ("Unsupported parameter: 'top_p' is not supported with this model.", "top_p"),
        ("Unrecognized request argument supplied: top_k", "top_k"),
        (
            "Unsupported value: 'reasoning_effort' does not support 'high' with this model.",
            "reasoning_effort",
        ),
        ("chat_template is not supported for Mistral tokenizers.", "chat_template_kwargs"),
        ("Unknown field: chat_template_kwargs", "chat_template_kwargs"),
        ("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
        ("Unknown field: repetition_penalty", None),
    ],
)
def test_what_a_user_asks_for_can_be_done_without(message: str, parameter: str | None) -> None:
    assert rejected_parameter(Fault(message, 400), ASKED, NONE) == parameter
    assert (
        rejected_parameter(Fault(message, 400), PLAIN, NONE) is None
    )  # of what was not sent, nobody complains
    if parameter:
        assert parameter not in request_body("m", ASKED, frozenset({parameter}))


@pytest.mark.parametrize(("tokens", "switch"), [(None, None), (0, False), (500, True)])
def test_the_switch_of_chat_templates(tokens: int | None, switch: bool | None) -> None:
    named = {"enable_thinking": switch, "thinking": switch}
    expected = {} if switch is None else {"chat_template_kwargs": named}
    assert template_switch(Request("Why?", 50, thinking_tokens=tokens)) == expected


@pytest.mark.parametrize(
    ("prompt", "text"), [("Why?", "Be brief.\n\nWhy?\n\nAnswer:"), ("Why?\nA:", "Be brief.\n\nWhy?\nA:")]
)
def test_a_plain_completion_goes_on_from_a_cue(prompt: str, text: str) -> None:
    body = request_body("m", Request(prompt, 50, system="Be brief.", mode="completion"), NONE)
    assert "messages" not in body
    assert body["prompt"] == text


@pytest.mark.parametrize(
    ("rejected", "first"),
    [
        (NONE, [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hm?"}]),
        (frozenset({"system"}), [{"role": "user", "content": "Be brief.\n\nHm?"}]),
    ],
)
def test_turns_are_messages_of_user_and_assistant(
    rejected: frozenset[str], first: list[dict[str, str]]
) -> None:
    request = Request("all of it", 50, system="Be brief.", mode="turns", turns=("Hm?", "Aha.", "Which?"))
    others = [{"role": "assistant", "content": "Aha."}, {"role": "user", "content": "Which?"}]
    assert request_body("m", request, rejected)["messages"] == [*first, *others]
