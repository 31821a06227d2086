"""The one loop that asks endpoints again: a limit ("429") is waited out and uses up no attempt, and where an
endpoint seems to be gone, one short question is repeated in place of all requests.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from math import inf
from typing import TypeVar

from niah.readers.dialect import rejected_parameter
from niah.readers.log import log_request
from niah.readers.outcomes import EXHAUSTED_CODES, Fault, failure
from niah.readers.patience import Patience
from niah.readers.reader import Answer, Failure, Lasting, Request, Response, Traffic

_T = TypeVar("_T")
Attempt = Callable[[], Awaitable[_T | Fault]]

_LONGEST_UNASKED_S, _LONGEST_BETWEEN_S, _PROBE_LIMIT_S = 30.0, 15.0, 10.0
_FIRST_GAP_S, _LONGEST_GAP_S = 0.02, 2.0  # between two requests, after the first limit and at most
_SEVERAL = 3  # faults in a row, with no reply between them, that are no accident


_FEW, _MANY = 3, 10  # faults of the account, the key or the address; faults of requests, by their words
_UNKNOWN_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|not available|unknown|invalid)"
    r"|(unknown|invalid|no such|not a valid) model\b",
    re.I | re.S,
)
_MODEL_CODES = frozenset({"model_not_found", "invalid_model", "deploymentnotfound"})
_SILENT = "See whether the server runs and sends JSON; --wait 10m waits for it, --timeout gives replies time."
_MALFORMED = Lasting(_MANY, "See whether the address is an OpenAI-compatible endpoint's, with its /v1.")
_LIMITED = "Come back when the limit is over, or wait longer: --wait 30m (wait: in a run config)."
_NO_KEY = "It was asked without a key: name the variable that holds one as the reader's key_variable."
_NAME = "Correct the model's name, or the endpoint's address: most end in /v1."
_MOVED = "Give the address that it points to, if it is to be trusted: keys follow no redirect."


def lasting_fault(fault: Fault) -> Lasting | None:
    """What a fault that is not tried again says of all other requests; None where it is this one's own."""
    status, names = fault.status, fault.key_variables
    if status is None or fault.outcome != "reader_error":
        return None
    if fault.codes & EXHAUSTED_CODES or status == 402:
        return Lasting(_FEW, "Fill up the account, or raise its limit.")
    if fault.limited:
        return Lasting(_FEW, _LIMITED)
    if status in (401, 403, 407):
        key = f"Set {' or '.join(names)} to a key" if names else "Set a key"
        return Lasting(_FEW, _NO_KEY if names == () else f"{key} that the endpoint accepts, for this model.")
    is_unknown = status < 500 and (fault.codes & _MODEL_CODES or _UNKNOWN_MODEL.search(fault.message))
    if status == 404 or is_unknown:
        return Lasting(_FEW, _NAME, is_mistake=True)
    if 300 <= status < 400:
        return Lasting(_FEW, _MOVED)
    return Lasting(_MANY, "Look what the endpoint dislikes in these requests.") if status < 500 else None


@dataclass(frozen=True)
class StoppedReader:
    """Why a reader was asked no further: so many failures in a row, the last for ``reason``."""

    failures: int
    reason: str
    remedy: str
    is_mistake: bool = False


class FaultStreak:
    """Counts lasting failures of one reader in a row; ``stopped`` says why it is asked no more."""

    def __init__(self) -> None:
        self.stopped: StoppedReader | None = None
        self._row: list[tuple[str, str]] = []

    def note(self, response: Response) -> bool:
        """Count a response; whether it adds nothing, the reader being stopped for the same."""
        if isinstance(response, Answer) or (lasting := response.lasting) is None:
            if not (isinstance(response, Answer) and response.cached):  # the cache says nothing of the reader
                self.clear()
            return False
        if self.stopped:
            return True
        words = "" if lasting.in_a_row <= _FEW else re.sub(r"\d+", "#", response.reason)
        kind = lasting.remedy, words
        self._row = [each for each in self._row if each == kind] + [kind]
        if len(self._row) >= lasting.in_a_row:
            self.stopped = StoppedReader(len(self._row), response.reason, lasting.remedy, lasting.is_mistake)
        return False

    def clear(self) -> None:
        """End the row: a trial came out otherwise."""
        self._row = []


class Endpoint:
    """The requests of one reader, by its ``name`` in the log: how many at once, and how far apart.

    ``probe`` is a short question that every endpoint in good health answers at once.
    """

    def __init__(
        self, name: str, patience: Patience, concurrency: int, probe: Attempt[object] | None = None
    ) -> None:
        self.name, self.patience, self.concurrency, self._probe = name, patience, concurrency, probe
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lanes = asyncio.Semaphore(concurrency)
        self._running = self._readings = self._retries = self._faults_in_row = 0
        self._gap_s, self._next_send, self._slowed_at, self._gone_until = 0.0, -inf, -inf, -inf
        self.last_fault = Fault("no reply")
        self._probing: asyncio.Task[bool] | None = None

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return Traffic(self._running, self._readings - self._running, self._retries)

    async def ask(self, attempt: Attempt[_T]) -> _T | Failure:
        """What an attempt gives in the end; a Failure once no attempt or time is left."""
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._loop, self._lanes, self._probing = loop, asyncio.Semaphore(self.concurrency), None
        self._readings += 1
        try:
            return await self._ask(attempt)
        finally:
            self._readings -= 1

    async def _ask(self, attempt: Attempt[_T]) -> _T | Failure:
        tried, limits, limited_s = 0, 0, 0.0
        while True:
            async with self._lanes:
                if self._faults_in_row >= _SEVERAL and not await self._is_up():
                    return self._gone()
                while (early_s := self._next_send - _now()) > 0:
                    await asyncio.sleep(early_s)
                sent_at, self._next_send = _now(), _now() + self._gap_s
                result = await self._timed(attempt, self.patience.timeout_s)
            if not isinstance(result, Fault):
                return self._received(result, tried + limits + 1)
            self.last_fault = result
            tried, limits = tried + (not result.limited), limits + result.limited
            wait = _wait_after(result, self.patience, tried, limits, limited_s)
            self._log(result, tried + limits, wait)
            if (result.limited or result.status == 503) and sent_at > self._slowed_at:
                # Send further apart, after the wait asked for. What was sent before says nothing of it.
                self._slowed_at = _now()
                self._gap_s = min(_LONGEST_GAP_S, max(_FIRST_GAP_S, self._gap_s * 1.5))
                asked_s = wait if result.retry_after_s and wait else 0.0
                self._next_send = _now() + max(self._gap_s, asked_s)
            if result.limited or not result.transient:
                self._faults_in_row = 0
            else:
                self._faults_in_row += 1
                if wait is None and not await self._is_up():
                    return self._gone()
            if wait is None:
                failed = failure(result, tried + result.limited)
                waited = f"limited for {limited_s:.0f} s: " if result.limited and limited_s else ""
                return replace(failed, reason=waited + failed.reason, lasting=lasting_fault(result))
            limited_s += wait if result.limited else 0.0
            self._retries += 1
            await asyncio.sleep(wait)

    def _received(self, result: _T, attempt: int) -> _T:
        """The reply; one that is no completion is marked as one that other requests would meet."""
        self._faults_in_row = 0
        self._gap_s = self._gap_s * 0.98 if self._gap_s > _FIRST_GAP_S / 4 else 0.0
        self._log(result, attempt)
        if isinstance(result, Failure) and result.outcome == "reader_error" and result.lasting is None:
            return replace(result, lasting=_MALFORMED)
        return result

    async def _timed(self, attempt: Attempt[_T], limit_s: float) -> _T | Fault:
        """One attempt, broken off after ``limit_s``."""
        self._running += 1
        try:
            async with asyncio.timeout(limit_s):
                return await attempt()
        except TimeoutError:
            return Fault(f"no complete reply within {round(limit_s, 2):g} s", latency_s=limit_s)
        finally:
            self._running -= 1

    async def _is_up(self) -> bool:
        """Whether the endpoint answers a short question, now or within patience. One question for all."""
        if self._probe is None or not self.patience.gone_s:
            return True
        if self._probing is None or self._probing.done():
            self._probing = asyncio.ensure_future(self._comes_back(self._probe))
        return await asyncio.shield(self._probing)

    async def _comes_back(self, probe: Attempt[object]) -> bool:
        pause_s, until = self.patience.first_wait_s / 2, _now() + self.patience.gone_s
        while self._faults_in_row and _now() >= self._gone_until:
            reply = await self._timed(probe, _PROBE_LIMIT_S)
            self._log(reply, 0)
            if not isinstance(reply, Fault) or (reply.status or 500) < 500:
                self._faults_in_row = 0
            elif (left_s := until - _now()) <= 0:
                self._gone_until = _now() + _LONGEST_BETWEEN_S
            else:
                await asyncio.sleep(min(pause_s, left_s))
                pause_s = min(2 * pause_s, _LONGEST_BETWEEN_S)
        return not self._faults_in_row

    def _gone(self) -> Failure:
        last = failure(self.last_fault)
        reason = f"the endpoint answers no short question either: {last.reason}"
        return replace(last, outcome="reader_error", reason=reason, lasting=Lasting(1, _SILENT))

    def _log(self, result: object, attempt: int, wait: float | None = None) -> None:
        if self.name and isinstance(result, Fault | Answer | Failure):
            log_request(self.name, result, attempt, wait)


def _wait_after(fault: Fault, patience: Patience, tried: int, limits: int, limited_s: float) -> float | None:
    """Seconds from an attempt that met a fault to the next one, growing; None where there is none."""
    first, asked = patience.first_wait_s, fault.retry_after_s
    if fault.limited:
        doubled = 2.0 ** min(limits - 1, 10)
        if asked is None:
            wait = min(first / 2 * doubled, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)
        else:  # it grows after "Retry-After: 0", or a date that has passed, too
            wait = max(asked, min(first / 40 * doubled, first)) * random.uniform(1, 1.1)
        return wait if limited_s + wait <= patience.limited_s else None
    if not fault.transient or tried >= patience.attempts or (asked or 0) > patience.longest_wait_s:
        return None
    growing = first * 2.0 ** (tried - 1) * random.uniform(1, 1.5)
    return max(asked or 0.0, min(growing, patience.longest_wait_s))


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the headers of a reply ask to wait; None where they do not say.

    A date counts from the reply's own, or else from ``now`` (seconds since the epoch): this machine's clock
    may be another.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            if 0 <= (asked := float(headers.get(name, "")) / unit) < inf:
                return asked
    with suppress(ValueError, OverflowError):  # a year may have any number of digits
        until = parsedate_to_datetime(headers.get("retry-after") or "").timestamp()
        with suppress(ValueError, OverflowError):
            now = parsedate_to_datetime(headers.get("date") or "").timestamp()
        return max(0.0, until - now)
    return None


def _now() -> float:
    return asyncio.get_running_loop().time()


class RetryingReader(Endpoint):
    """What readers over the network have in common: a model, a name, a dialect, and the one loop."""

    def __init__(
        self, model: str, *, name: str = "", concurrency: int = 8, patience: Patience | None = None
    ) -> None:
        probe = Request("Say OK.", max_tokens=16)
        super().__init__(name or model, patience or Patience(), concurrency, lambda: self._negotiated(probe))
        self._model, self._provider = model, model.partition("/")[0]
        self._rejected, self._secrets = frozenset[str](), frozenset[str]()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        return await self.ask(lambda: self._negotiated(request))

    @property
    def _not_sent(self) -> dict[str, str | int]:
        """What the endpoint turned out to reject, for ``settings``; empty while it has rejected nothing."""
        return {"not_sent": ", ".join(sorted(self._rejected))} if self._rejected else {}

    async def _negotiated(self, request: Request) -> Response | Fault:
        """One attempt, repeated at once while the endpoint rejects one more field; what helped stays out."""
        sent = self._rejected
        while True:
            started = time.perf_counter()
            result = await self._attempt(request, sent)
            result = replace(result, latency_s=time.perf_counter() - started)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                break
            sent |= {parameter} | self._rejected  # others that ask at the same time may have learnt more
        if not isinstance(result, Fault) or result.outcome == "overflow":
            self._rejected |= sent
        return result

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected; its latency is the caller's to note."""
        raise NotImplementedError
