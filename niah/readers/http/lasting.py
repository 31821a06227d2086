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
_ACCOUNT = Lasting(_FEW, "Fill up the account, or raise its limit.")
_MODEL = Lasting(_FEW, "Correct the model's name, or the endpoint's address.", is_mistake=True)
_MOVED = Lasting(_FEW, "Give the address that it points to, if it is to be trusted: keys follow no redirect.")
_LIMITED = Lasting(_FEW, "Come back when the limit is over, or wait longer: --wait 30m.")
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
        return _KEY
    if status == 404 or is_unknown_model(fault):
        return _MODEL
    if 300 <= status < 400:
        return _MOVED
    return _REFUSED if status < 500 else None


def is_unknown_model(fault: Fault) -> bool:
    """Whether the endpoint says in so many words that it has no model of that name."""
    says_so = fault.codes & _MODEL_CODES or _UNKNOWN_MODEL.search(fault.message)
    return fault.status is not None and fault.status < 500 and bool(says_so)
