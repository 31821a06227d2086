"""Faults that the next request would meet as well: what they are known by, and what to do. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from niah.readers.http.outcomes import EXHAUSTED_CODES, Fault
from niah.readers.reader import Failure, Lasting, Response

# Of the account, the key, the address or the model: these say nothing of the request.
_FEW = 3
# Of the request, by their words, though every request gets them.
_MANY = 10

_UNKNOWN_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|not available|unknown|invalid)"
    r"|(unknown|invalid|no such|not a valid) model\b",
    re.I | re.S,
)
_MODEL_CODES = frozenset({"model_not_found", "invalid_model", "deploymentnotfound"})

_MALFORMED = Lasting(_MANY, "See whether the address is an OpenAI-compatible endpoint's, with its /v1.")
_KEY = Lasting(_FEW, "Set a key that the endpoint accepts, for this model.")
_NO_KEY = (
    "It was asked without a key: set one in an environment variable, and name that as key_variable of the "
    "reader in the run config."
)
_WAIT = "one that comes back by itself is waited for: --wait 10m, or wait: 10m in a run config."
_GONE = Lasting(1, f"See whether the server runs; {_WAIT}")
_LATE = Lasting(
    1,
    "A longer --timeout (timeout: in a run config) gives replies more time; or see whether the server runs: "
    f"{_WAIT}",
)
_GARBLED = Lasting(
    1,
    "The server runs, and what it sends is no JSON: look at such a reply (curl), at the server's log, and "
    "whether something in between, such as a proxy, answers in its place.",
)
SILENCES = (_GONE, _LATE, _GARBLED)
"""Of an endpoint that answers not even a short question."""
_ACCOUNT = Lasting(_FEW, "Fill up the account, or raise its limit.")
_MODEL = Lasting(_FEW, "Correct the model's name, or the endpoint's address.", is_mistake=True)
_MOVED = Lasting(_FEW, "Give the address that it points to, if it is to be trusted: keys follow no redirect.")
_LIMITED = Lasting(
    _FEW, "Come back when the limit is over, or wait longer: --wait 30m (wait: 30m in a run config)."
)
_REFUSED = Lasting(_MANY, "Look what the endpoint dislikes in these requests.")


def with_lasting(response: Response) -> Response:
    """The response; where it is a reply of no use, with what that says of all other requests."""
    if isinstance(response, Failure) and response.outcome == "reader_error" and response.lasting is None:
        return replace(response, lasting=_MALFORMED)
    return response


def lasting_fault(fault: Fault) -> Lasting | None:
    """What a fault that is not tried again says of all other requests; None where it is this one's own."""
    status = fault.status
    if status is None or fault.outcome != "reader_error":
        return None
    if fault.codes & EXHAUSTED_CODES or status == 402:
        return _ACCOUNT
    if fault.limited:
        return _LIMITED
    if status in (401, 403, 407):
        return _of_key(fault.key_variables)
    if status == 404 or is_unknown_model(fault):
        return _MODEL
    if 300 <= status < 400:
        return _MOVED
    return _REFUSED if status < 500 else None


def lasting_silence(fault: Fault) -> Lasting:
    """What to do about an endpoint that answers not even a short question, by the last fault of a request."""
    if fault.is_garbled:
        return _GARBLED
    return _LATE if fault.is_late else _GONE


def _of_key(variables: tuple[str, ...] | None) -> Lasting:
    """By the environment variables that the key may come from."""
    if variables is None:
        return _KEY
    if not variables:
        return replace(_KEY, remedy=_NO_KEY)
    return replace(
        _KEY, remedy=f"Set {' or '.join(variables)} to a key that the endpoint accepts, for this model."
    )


def is_unknown_model(fault: Fault) -> bool:
    """Whether the endpoint says in so many words that it has no model of that name."""
    says_so = fault.codes & _MODEL_CODES or _UNKNOWN_MODEL.search(fault.message)
    return fault.status is not None and fault.status < 500 and bool(says_so)
