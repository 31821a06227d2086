"""Request bodies, and what endpoints reject of them."""

from __future__ import annotations

import pytest

from niah.readers.dialect import rejected_parameter
from niah.readers.outcomes import Fault
from niah.readers.reader import Request

NOT_MAX_TOKENS = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
NOT_TEMPERATURE = "Unsupported value: 'temperature' does not support 0. Only the default (1) is supported."
NOT_SEED = "[{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]"
TOO_LARGE = "'max_tokens' is too large: 20000. This model supports at most 16384 completion tokens."
REQUEST = Request("Why?", 50, system="Reply in JSON.", schema={"type": "object"})


@pytest.mark.parametrize(
    ("status", "message", "parameters"),
    [
        (400, NOT_MAX_TOKENS, ["max_tokens"]),
        (400, NOT_TEMPERATURE, ["temperature"]),
        (422, NOT_SEED, ["seed"]),
        (400, TOO_LARGE, []),
        (500, NOT_MAX_TOKENS, ["max_tokens"]),
        (429, NOT_MAX_TOKENS, []),
        (400, "model 'x' is not supported", []),
        (400, "This response_format type is unavailable now", ["json_schema", "json_object"]),
        (400, "'response_format.type' must be 'json_schema' or 'text'", ["json_schema", "json_object"]),
        (400, "does not support response format `json_schema`.", ["json_schema", "json_object"]),
        (400, "failed to parse grammar", ["json_schema", "json_object"]),
        (500, "Jinja Exception: System role not supported", ["system"]),
    ],
)
def test_what_is_left_out_one_by_one(status: int, message: str, parameters: list[str]) -> None:
    rejected = frozenset[str]()
    for parameter in parameters:
        assert rejected_parameter(Fault(message, status), REQUEST, rejected) == parameter
        rejected |= {parameter}
    assert rejected_parameter(Fault(message, status), REQUEST, rejected) is None
