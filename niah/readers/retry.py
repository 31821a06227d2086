"""The one loop that asks endpoints again: for readers, judges, embedders, rerankers and services.

A limit ("429") uses up no attempt: it is waited out, and all requests go on further apart. Where an endpoint
seems to be gone, one short question is repeated in place of all requests.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from math import inf
from typing import TypeVar

from niah.readers.dialect import rejected_parameter
from niah.readers.fatal import SILENT, lasting_fault, with_lasting
from niah.readers.log import log_request
from niah.readers.outcomes import LATE, Fault, failure
from niah.readers.patience import Patience
from niah.readers.reader import Answer, Failure, Request, Response, Traffic

_T = TypeVar("_T")
Attempt = Callable[[], Awaitable[_T | Fault]]

_LONGEST_UNASKED_S = 30.0
_LONGEST_BETWEEN_S = 15.0
_PROBE_LIMIT_S = 10.0
# Between two requests, after the first limit and at most.
_FIRST_GAP_S, _LONGEST_GAP_S = 0.02, 2.0
# Faults in a row, with no reply between them, that are no accident.
_SEVERAL = 3


@dataclass
class _Spent:
    """What one reading took: attempts, limits met, and seconds, in all and on limits since the first."""

    tried: int = 0
    limits: int = 0
    total_s: float = 0.0
    limited_s: float = 0.0

    def wait_after(self, fault: Fault, patience: Patience, took_s: float) -> float | None:
        """Seconds from an attempt that met a fault to the next one, growing; None where there is none."""
        first, asked = patience.first_wait_s, fault.retry_after_s
        self.total_s += took_s
        if not fault.limited:
            self.tried += 1
            if (
                not fault.transient
                or self.tried >= patience.attempts
                or (asked or 0) > patience.longest_wait_s
            ):
                return None
            growing = first * 2.0 ** (self.tried - 1) * random.uniform(1, 1.5)
            wait = max(asked or 0.0, min(growing, patience.longest_wait_s))
        else:
            self.limited_s += fault.latency_s if self.limits else 0.0
            doubled = 2.0 ** min(self.limits, 10)
            self.limits += 1
            if asked is None:
                wait = min(first / 2 * doubled, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)
            else:  # a wait grows after "Retry-After: 0", or a date that has passed, too
                wait = max(asked, min(first / 40 * doubled, first)) * random.uniform(1, 1.1)
            if self.limited_s + wait > patience.limited_s:
                return None
            self.limited_s += wait
        return wait if wait < patience.total_s - self.total_s else None

    def failure(self, fault: Fault) -> Failure:
        """The failure of a fault that is not tried again, and what it says of other requests."""
        failed = failure(fault, self.tried + fault.limited)
        waited = f"limited for {self.limited_s:.0f} s: " if fault.limited and self.limited_s else ""
        return replace(failed, reason=waited + failed.reason, lasting=lasting_fault(fault))


class Endpoint:
    """The requests of one reader: how many at once, how far apart, and whether anything answers.

    ``name`` is the reader's, for the log ("": none); ``probe`` a short question that every endpoint in good
    health answers at once.
    """

    def __init__(
        self, name: str, patience: Patience, concurrency: int, probe: Attempt[object] | None = None
    ) -> None:
        self.name, self.patience, self._most, self._probe = name, patience, concurrency, probe
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lanes = asyncio.Semaphore(concurrency)
        self._running = self._readings = self._retries = 0
        self._gap_s, self._next_send, self._slowed_at = 0.0, -inf, -inf
        self._faults_in_row, self._failing_since, self._last_fault = 0, inf, Fault("no reply")
        self._is_down, self._returns, self._given_up = False, 0, -inf
        self._probing: asyncio.Task[bool] | None = None

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return Traffic(self._running, self._readings - self._running, self._retries)

    async def ask(self, attempt: Attempt[_T]) -> _T | Failure:
        """What an attempt gives in the end; a Failure once no attempt or time is left."""
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._loop, self._lanes, self._probing = loop, asyncio.Semaphore(self._most), None
        self._readings += 1
        try:
            return await self._ask(attempt)
        finally:
            self._readings -= 1

    async def _ask(self, attempt: Attempt[_T]) -> _T | Failure:
        patience, spent = self.patience, _Spent()
        while True:
            async with self._lanes:
                if (self._is_down or self._faults_in_row >= _SEVERAL) and not await self._is_up():
                    return self._gone()
                await self._turn()
                sent_at = _now()
                result = await self._timed(attempt, min(patience.timeout_s, patience.total_s - spent.total_s))
            if not isinstance(result, Fault):
                self._is_alive()
                self._gap_s = self._gap_s * 0.98 if self._gap_s > _FIRST_GAP_S / 4 else 0.0
                self._log(result, spent.tried + spent.limits + 1)
                return with_lasting(result) if isinstance(result, Failure) else result
            wait = spent.wait_after(result, patience, _now() - sent_at)
            self._log(result, spent.tried + spent.limits, wait)
            if result.asks_for_less:
                self._slow_down(wait or 0.0 if result.retry_after_s else 0.0, sent_at)
            if not result.transient or result.limited:
                self._is_alive()
            else:
                self._faults_in_row += 1
                self._failing_since, self._last_fault = min(self._failing_since, sent_at), result
                if spent.tried > 1 or wait is None or self._faults_in_row >= _SEVERAL:
                    returns = self._returns
                    if not await self._is_up():
                        return self._gone()
                    if self._returns > returns and spent.total_s < patience.total_s:
                        # It was gone: these attempts say nothing of the request.
                        spent.tried, wait = 1, patience.first_wait_s
            if wait is None:
                return spent.failure(result)
            spent.total_s += wait
            self._retries += 1
            await asyncio.sleep(wait)

    async def _timed(self, attempt: Attempt[_T], limit_s: float) -> _T | Fault:
        """One attempt, broken off after ``limit_s``."""
        self._running += 1
        try:
            async with asyncio.timeout(limit_s):
                return await attempt()
        except TimeoutError:
            return Fault(f"{LATE} {round(limit_s, 2):g} s", latency_s=limit_s)
        finally:
            self._running -= 1

    async def _turn(self) -> None:
        """Wait until the next request may be sent."""
        while (early_s := self._next_send - _now()) > 0:
            await asyncio.sleep(early_s)
        self._next_send = _now() + self._gap_s

    def _slow_down(self, asked_s: float, sent_at: float) -> None:
        """Send further apart, after the wait asked for. What was sent before says nothing of it."""
        if sent_at > self._slowed_at:
            self._slowed_at = _now()
            self._gap_s = min(_LONGEST_GAP_S, max(_FIRST_GAP_S, self._gap_s * 1.5))
            self._next_send = _now() + max(self._gap_s, asked_s)

    def _is_alive(self) -> None:
        """The endpoint said something that is no fault of its own."""
        self._returns += self._is_down
        self._is_down, self._faults_in_row, self._failing_since = False, 0, inf

    async def _is_up(self) -> bool:
        """Whether the endpoint answers a short question, now or within patience. One question for all."""
        if self._probe is None or not self.patience.gone_s:
            return True
        if self._probing is None or self._probing.done():
            self._probing = asyncio.ensure_future(self._comes_back(self._probe))
        return await asyncio.shield(self._probing)

    async def _comes_back(self, probe: Attempt[object]) -> bool:
        pause_s, until = self.patience.first_wait_s / 2, self._failing_since + self.patience.gone_s
        while self._faults_in_row or self._is_down:
            if _now() - self._given_up < _LONGEST_BETWEEN_S:
                return False
            reply = await self._timed(probe, _PROBE_LIMIT_S)
            self._log(reply, 0)
            if not isinstance(reply, Fault) or (reply.status is not None and reply.status < 500):
                self._is_alive()
                break
            self._is_down = True
            if (left_s := until - _now()) <= 0:
                self._given_up = _now()
                return False
            await asyncio.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, _LONGEST_BETWEEN_S)
        return True

    def _gone(self) -> Failure:
        last = failure(self._last_fault)
        reason = f"the endpoint answers no short question either: {last.reason}"
        return replace(last, outcome="reader_error", reason=reason, lasting=SILENT)

    def _log(self, result: object, attempt: int, wait: float | None = None) -> None:
        if self.name and isinstance(result, Fault | Answer | Failure):
            log_request(self.name, result, attempt, wait)


class RetryingReader:
    """What readers over the network have in common: a model, a name, a dialect, and an ``Endpoint``."""

    def __init__(self, model: str, name: str, concurrency: int, patience: Patience | None) -> None:
        self._model, self.name, self.concurrency = model, name or model, concurrency
        self._rejected: frozenset[str] = frozenset()
        self._secrets, self._logs = frozenset[str](), ExitStack()
        probe = Request("Say OK.", max_tokens=16)
        self._endpoint = Endpoint(
            self.name, patience or Patience(), concurrency, lambda: self._negotiated(probe)
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return self._endpoint.traffic

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        return await self._endpoint.ask(lambda: self._negotiated(request))

    @property
    def _not_sent(self) -> dict[str, str | int]:
        """What the endpoint turned out to reject, for ``settings``; empty while it has rejected nothing."""
        return {"not_sent": ", ".join(sorted(self._rejected))} if self._rejected else {}

    async def _negotiated(self, request: Request) -> Response | Fault:
        """One attempt, repeated at once while the endpoint rejects one more field; what helped stays out."""
        sent = self._rejected
        while True:
            result = await self._attempt(request, sent)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                break
            sent |= {parameter} | self._rejected  # others that ask at the same time may have learnt more
        if not isinstance(result, Fault) or result.outcome == "overflow":
            self._rejected |= sent
        return result

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected."""
        raise NotImplementedError


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the headers of a reply ask to wait; None where they do not say.

    ``retry-after-ms``, then ``retry-after`` in seconds or as a date, which counts from the reply's own
    ``date``, or else from ``now`` (seconds since the epoch): this machine's clock may be another.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            asked = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= asked < inf:
            return asked
    until, sent = _moment(headers.get("retry-after")), _moment(headers.get("date"))
    return None if until is None else max(0.0, until - (now if sent is None else sent))


def _moment(date: str | None) -> float | None:
    """Seconds since the epoch."""
    try:
        return parsedate_to_datetime(date or "").timestamp()
    except (ValueError, OverflowError):  # a year may have any number of digits
        return None


def _now() -> float:
    return asyncio.get_running_loop().time()
