"""The one loop that asks endpoints again: for readers, judges, embedders, rerankers and services.

A limit ("429") uses up no attempt: it is waited out, and all requests of the reader go on further apart. A
fault is the request's own as long as the endpoint answers a short question; where it does not, that question
alone is repeated, in place of all requests.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TypeVar

from niah.readers.dialect import Negotiation
from niah.readers.fatal import lasting_fault, lasting_silence, with_lasting
from niah.readers.log import log_request
from niah.readers.outcomes import LATE, Fault, failure
from niah.readers.patience import Patience
from niah.readers.reader import Answer, Failure, Request, Response, Traffic

_T = TypeVar("_T")
Attempt = Callable[[], Awaitable[_T | Fault]]

_LONGEST_UNASKED_S = 30.0
_LONGEST_BETWEEN_S = 15.0
_SHORT_LIMIT_S = 10.0
# Requests at once to begin with, so that a key that is refused is not sent sixty-four times.
_FIRST_LANES = 4
# Seconds between two requests, after the first limit and at most.
_FIRST_GAP_S, _LONGEST_GAP_S = 0.02, 2.0
# Faults of so many readings with no reply between them are no accident.
_SEVERAL = 3


class Waits:
    """The waits of one reading, from fault to fault.

    Attributes:
        tried: attempts so far; those that met a limit do not count.
        limits: limits met.
        limited_s: spent on them since the first, waits and attempts.
    """

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.tried = self.limits = 0
        self.limited_s = 0.0

    def after(self, fault: Fault) -> float | None:
        """Seconds from an attempt that met this fault to the next one; None when there is none."""
        patience, asked = self._patience, fault.retry_after_s
        if not fault.limited:
            self.tried += 1
            if not fault.transient or self.tried >= patience.attempts:
                return None
            growing = patience.first_wait_s * 2.0 ** (self.tried - 1) * random.uniform(1, 1.5)
            wait = max(asked or 0.0, min(growing, patience.longest_wait_s))
            return wait if (asked or 0.0) <= patience.longest_wait_s else None
        if self.limits:
            self.limited_s += fault.latency_s
        doubled = 2.0 ** min(self.limits, 10)
        self.limits += 1
        if asked is not None:  # a wait grows after "Retry-After: 0", or a date that has passed, too
            least = min(patience.first_wait_s / 40 * doubled, patience.first_wait_s)
            wait = max(asked, least) * random.uniform(1, 1.1)
        else:
            wait = min(patience.first_wait_s / 2 * doubled, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)
        if self.limited_s + wait > patience.limited_s:
            return None
        self.limited_s += wait
        return wait

    def failure(self, fault: Fault) -> Failure:
        """The failure of a fault that is not tried again, and what it says of other requests."""
        failed = failure(fault, self.tried + fault.limited)
        waited = f"limited for {self.limited_s:.0f} s: " if fault.limited and self.limited_s else ""
        return replace(failed, reason=waited + failed.reason, lasting=lasting_fault(fault))


class Endpoint:
    """The requests of one reader: how many at once, from when on, and whether anything answers.

    Requests at once grow by one a reply, and by one for a full round of replies once they were halved; the
    time between two shrinks by 2 % a reply and grows by half after a limit (Chiu and Jain, 1989). What was
    sent before a cut says nothing of what comes after it (RFC 6582, 3.2).

    Args:
        name: of the reader, for the log; "" writes nothing there.
        concurrency: requests under way at once, at most.
        probe: a short question that every endpoint in good health answers at once; None asks none.
    """

    def __init__(
        self, name: str, patience: Patience, concurrency: int, probe: Attempt[object] | None = None
    ) -> None:
        self.name, self.patience, self._most, self._probe = name, patience, concurrency, probe
        self._lanes, self._cuts, self._replies = min(concurrency, _FIRST_LANES), 0, 0
        self._taken = self._running = self._readings = self._retries = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._gap_s, self._next_send = 0.0, float("-inf")
        self._given_up = float("-inf")
        self._trouble_since: float | None = None
        self._in_trouble: set[Waits] = set()
        self._is_down, self._returns = False, 0
        self._probing: asyncio.Task[bool] | None = None
        self._last_fault = Fault("no reply")

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return Traffic(self._running, self._readings - self._running, self._retries)

    async def ask(self, attempt: Attempt[_T]) -> _T | Failure:
        """What an attempt gives in the end; a Failure once no attempt or time is left."""
        self._readings += 1
        try:
            return await self._ask(attempt)
        finally:
            self._readings -= 1

    async def _ask(self, attempt: Attempt[_T]) -> _T | Failure:
        waits, spent_s = Waits(self.patience), 0.0
        while True:
            await self._take_lane(again=spent_s > 0)
            try:
                if (self._is_down or len(self._in_trouble) >= _SEVERAL) and not await self._is_up():
                    return self._gone()
                cuts, sent_at = await self._time_to_send(), _now()
                left_s = max(0.0, self.patience.total_s - spent_s)
                result = await self._timed(attempt, min(self.patience.timeout_s, left_s))
            finally:
                self._free_lane()
            if not isinstance(result, Fault):
                self._replied(cuts)
                self._log(result, waits)
                return with_lasting(result) if isinstance(result, Failure) else result
            wait = waits.after(result)
            self._log(result, waits, wait)
            if result.limited or result.asks_for_less:
                self._slow_down(result, waits, cuts, wait)
            if not result.transient or result.limited:
                self._note_life()
            else:
                self._last_fault = result
                self._in_trouble.add(waits)
                self._trouble_since = min(self._trouble_since or sent_at, sent_at)
                if waits.tried > 1 or wait is None or self._is_down or len(self._in_trouble) >= _SEVERAL:
                    returns = self._returns
                    if not await self._is_up():
                        return self._gone()
                    if (
                        wait is None and self._returns > returns
                    ):  # the attempts were used up on a dead endpoint
                        wait = self.patience.first_wait_s
            spent_s += _now() - sent_at
            if wait is None or wait >= self.patience.total_s - spent_s:
                return waits.failure(result)
            spent_s += wait
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

    async def _take_lane(self, *, again: bool) -> None:
        """Wait for a turn, first come first served; a request that is sent again comes first."""
        if self._taken < self._lanes and (again or not self._queue):
            self._taken += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.insert(0 if again else len(self._queue), turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the turn came and is not used
                self._free_lane()
            raise

    def _free_lane(self) -> None:
        self._taken -= 1
        self._admit()

    def _admit(self) -> None:
        while self._queue and self._taken < self._lanes:
            turn = self._queue.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)

    def _replied(self, cuts: int) -> None:
        self._note_life()
        if cuts != self._cuts:
            return
        self._replies += 1
        self._gap_s = self._gap_s * 0.98 if self._gap_s > _FIRST_GAP_S / 4 else 0.0
        if self._lanes < self._most and (not cuts or self._replies % self._lanes == 0):
            self._lanes += 1
            self._admit()

    async def _time_to_send(self) -> int:
        """Wait until the next request may be sent; the number of cuts that it is sent under."""
        while True:
            cuts, at = self._cuts, max(_now(), self._next_send)
            self._next_send = at + self._gap_s
            if (early_s := at - _now()) > 0:
                await asyncio.sleep(early_s)
            if cuts == self._cuts:
                return cuts

    def _slow_down(self, fault: Fault, waits: Waits, cuts: int, wait: float | None) -> None:
        """After an overload half as many at once; after a limit further apart, after the wait asked for.

        A reading that meets one limit after another while others get replies is limited by itself.
        """
        by_itself = fault.limited and waits.limits > 1 and self._replies > 0
        if cuts != self._cuts or by_itself:
            return
        self._cuts, self._replies = cuts + 1, 0
        if fault.asks_for_less:
            self._lanes = max(1, self._lanes // 2)
        else:
            self._gap_s = min(_LONGEST_GAP_S, max(_FIRST_GAP_S, self._gap_s * 1.5))
            asked_s = wait or 0.0 if fault.retry_after_s else 0.0  # too long a wait ends this reading alone
            self._next_send = _now() + max(self._gap_s, asked_s)

    def _note_life(self) -> None:
        """The endpoint said something that is no fault of its own."""
        self._is_down, self._trouble_since = False, None
        self._in_trouble.clear()

    async def _is_up(self) -> bool:
        """Whether the endpoint answers a short question, now or within patience. One question for all."""
        if self._probe is None or not self.patience.gone_s:
            return True
        if self._probing is None or self._probing.done():
            self._probing = asyncio.ensure_future(self._comes_back(self._probe))
        return await asyncio.shield(self._probing)

    async def _comes_back(self, probe: Attempt[object]) -> bool:
        pause_s = self.patience.first_wait_s / 2
        while (since := self._trouble_since) is not None:
            if _now() - self._given_up < _LONGEST_BETWEEN_S:
                return False
            reply = await self._timed(probe, _SHORT_LIMIT_S)
            self._log(reply)
            if not isinstance(reply, Fault) or (reply.status is not None and reply.status < 500):
                self._returns += self._is_down
                self._note_life()
                break
            self._is_down = True
            left_s = since + self.patience.gone_s - _now()
            if left_s <= 0:
                self._given_up = _now()
                return False
            await asyncio.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, _LONGEST_BETWEEN_S)
        return True

    def _gone(self) -> Failure:
        last = failure(self._last_fault)
        reason = f"the endpoint answers no short question either: {last.reason}"
        return replace(last, outcome="reader_error", reason=reason, lasting=lasting_silence(self._last_fault))

    def _log(self, result: object, waits: Waits | None = None, wait: float | None = None) -> None:
        if self.name and isinstance(result, Fault | Answer | Failure):
            more = not isinstance(result, Fault)
            log_request(self.name, result, waits.tried + waits.limits + more if waits else 0, wait)


class RetryingReader:
    """What readers over the network have in common: a model, a name, a dialect, and an ``Endpoint``.

    Args:
        model: as the endpoint or provider knows it.
        name: stable name of the reader; the model's where it is empty.
        concurrency: how many requests may be under way at once.
        patience: limits of retries and time.
    """

    def __init__(self, model: str, name: str, concurrency: int, patience: Patience | None) -> None:
        self._model = model
        self.name = name or model
        self.concurrency = concurrency
        self._negotiation = Negotiation()
        probe = Request("Say OK.", max_tokens=16)
        self._endpoint = Endpoint(
            self.name, patience or Patience(), concurrency, lambda: self._negotiated(probe)
        )

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return self._endpoint.traffic

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        return await self._endpoint.ask(lambda: self._negotiated(request))

    async def _negotiated(self, request: Request) -> Response | Fault:
        return await self._negotiation.ask(self._attempt, request)

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected."""
        raise NotImplementedError


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an endpoint asks to wait; None where it does not say.

    Args:
        headers: of the reply; ``retry-after-ms``, then ``retry-after`` in seconds or as a date, which counts
            from the reply's own ``date``: this machine's clock may be another.
        now: seconds since the epoch, for a reply without one.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    until, sent = _moment(asked), _moment(headers.get("date"))
    return None if until is None else max(0.0, until - (now if sent is None else sent))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _moment(date: str | None) -> float | None:
    """Seconds since the epoch."""
    try:
        return parsedate_to_datetime(date or "").timestamp()
    except (ValueError, OverflowError):  # a year may have any number of digits
        return None


def _now() -> float:
    return asyncio.get_running_loop().time()
