"""Request bodies, and what endpoints reject of them."""

from __future__ import annotations

import pytest

from niah.readers.dialect import rejected_parameter
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
