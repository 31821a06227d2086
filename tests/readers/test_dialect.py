"""Request bodies, and what endpoints reject of them."""

from __future__ import annotations

import pytest

from niah.readers.dialect import chat_body, rejected_parameter
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


def test_plain_body() -> None:
    assert chat_body("m", Request("Why?", 50, temperature=0.5, seed=3), frozenset()) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Why?"}],
        "max_tokens": 50,
        "temperature": 0.5,
        "seed": 3,
    }


def test_body_of_a_reasoning_model() -> None:
    assert chat_body("o3", Request("Why?", 50), frozenset({"max_tokens", "temperature"})) == {
        "model": "o3",
        "messages": [{"role": "user", "content": "Why?"}],
        "max_completion_tokens": 50,
        "seed": 0,
    }


@pytest.mark.parametrize(
    ("status", "message", "parameter"),
    [
        (400, NOT_MAX_TOKENS, "max_tokens"),
        (400, NOT_TEMPERATURE, "temperature"),
        (422, NOT_SEED, "seed"),
        (400, TOO_LARGE, None),
        (400, "'max_completion_tokens' is not supported", None),
        (500, NOT_MAX_TOKENS, None),
        (400, "model 'x' is not supported", None),
    ],
)
def test_rejected_parameter(status: int, message: str, parameter: str | None) -> None:
    assert rejected_parameter(Fault(message, status)) == parameter
