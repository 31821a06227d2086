"""Faults that the next request would meet as well: what to do about them, and when a reader is stopped."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from niah.readers.outcomes import EXHAUSTED_CODES, Fault
from niah.readers.reader import Answer, Failure, Lasting, Response

# Of the account, the key, the address or the model, whatever the request; and of the request, by its words.
_FEW, _MANY = 3, 10
_UNKNOWN_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|not available|unknown|invalid)"
    r"|(unknown|invalid|no such|not a valid) model\b",
    re.I | re.S,
)
_MODEL_CODES = frozenset({"model_not_found", "invalid_model", "deploymentnotfound"})
_DIGITS = re.compile(r"\d+")

SILENT = Lasting(
    1,
    "See whether the server runs and sends JSON: one that comes back is waited for, --wait 10m (wait: in a "
    "run config), and --timeout gives replies more time.",
)
"""Of an endpoint that answers not even a short question."""
_MALFORMED = Lasting(_MANY, "See whether the address is an OpenAI-compatible endpoint's, with its /v1.")
_ACCOUNT = Lasting(_FEW, "Fill up the account, or raise its limit.")
_LIMITED = Lasting(
    _FEW, "Come back when the limit is over, or wait longer: --wait 30m (wait: in a run config)."
)
_MODEL = Lasting(
    _FEW, "Correct the model's name, or the endpoint's address: most end in /v1.", is_mistake=True
)
_MOVED = Lasting(_FEW, "Give the address that it points to, if it is to be trusted: keys follow no redirect.")
_REFUSED = Lasting(_MANY, "Look what the endpoint dislikes in these requests.")
_NO_KEY = "It was asked without a key: name the variable that holds one as the reader's key_variable."


def with_lasting(failure: Failure) -> Failure:
    """The failure; a reply that is no completion is marked as one that other requests would meet."""
    if failure.outcome == "reader_error" and failure.lasting is None:
        return replace(failure, lasting=_MALFORMED)
    return failure


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
        names = fault.key_variables
        key = f"Set {' or '.join(names)} to a key" if names else "Set a key"
        return Lasting(_FEW, _NO_KEY if names == () else f"{key} that the endpoint accepts, for this model.")
    if status == 404 or is_unknown_model(fault):
        return _MODEL
    if 300 <= status < 400:
        return _MOVED
    return _REFUSED if status < 500 else None


def is_unknown_model(fault: Fault) -> bool:
    """Whether the endpoint says that it has no model of that name."""
    says_so = fault.codes & _MODEL_CODES or _UNKNOWN_MODEL.search(fault.message)
    return fault.status is not None and fault.status < 500 and bool(says_so)


@dataclass(frozen=True)
class StoppedReader:
    """Why a reader was asked no further: so many failures in a row, the last for ``reason``."""

    failures: int
    reason: str
    remedy: str
    is_mistake: bool = False


class FaultStreak:
    """Counts lasting failures of one reader in a row; ``stopped`` says why it is asked no more, or is None.

    Any other response ends the row; answers from the response cache say nothing.
    """

    def __init__(self) -> None:
        self.stopped: StoppedReader | None = None
        self._kind, self._count = ("", ""), 0

    def note(self, response: Response) -> bool:
        """Count a response; whether it adds nothing, the reader being stopped for the same."""
        if isinstance(response, Answer) and response.cached:
            return False
        lasting = response.lasting if isinstance(response, Failure) else None
        if lasting is None:
            self.clear()
            return False
        if self.stopped:
            return True
        # What is of the endpoint is one fault whatever the words; what is of a request, by its words.
        words = "" if lasting.in_a_row <= _FEW else _DIGITS.sub("#", response.reason)  # type: ignore[union-attr]
        kind = lasting.remedy, words
        self._count = self._count + 1 if kind == self._kind else 1
        self._kind = kind
        if self._count >= lasting.in_a_row:
            self.stopped = StoppedReader(self._count, response.reason, lasting.remedy, lasting.is_mistake)  # type: ignore[union-attr]
        return False

    def clear(self) -> None:
        """End the row: a trial came out otherwise."""
        self._kind, self._count = ("", ""), 0
