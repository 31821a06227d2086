"""Trying again: capped, with growing waits, and only where the same request may succeed later.

A fault is the request's own until the endpoint turns out to be in trouble: then one short question is asked
again and again in place of all requests, for as long as patience lasts. A limit ("429") is nobody's fault: it
is waited out without using up an attempt, while other requests go on, further apart.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from itertools import count

from niah.readers.http.awake_clock import TICK_S, AwakeClock
from niah.readers.http.dialect import Negotiation
from niah.readers.http.health import EndpointHealth
from niah.readers.http.lasting import lasting_fault, with_lasting
from niah.readers.http.outcomes import Fault, failure
from niah.readers.http.pacing import Pace
from niah.readers.http.throttle import Throttle
from niah.readers.reader import Answer, Failure, Lasting, Request, Response, Traffic
from niah.readers.request_log import log_request

_TOO_MANY_REQUESTS = 429
_SHORT_QUESTION = Request("Say OK.", max_tokens=16)
_SHORT_LIMIT_S = 10.0
_THERE_LIMIT_S = 3.0
_LONGEST_BETWEEN_S = 15.0
_LONGEST_UNASKED_S = 30.0
# Letters of a prompt that take about as long to read as one token takes to write.
_LETTERS_PER_TOKEN = 40
_GONE = Lasting(1, "See whether the server runs; one that comes back by itself is waited for: --wait 10m.")

Ask = Callable[[], Awaitable[Response | Fault]]


@dataclass(frozen=True)
class Patience:
    """How often and how long a reader tries.

    Attributes:
        attempts: requests at most per reading, those not counted that met a limit.
        timeout_s: total limit of one attempt, from sending to the last byte.
        first_wait_s: wait before the second attempt; it doubles from there, plus up to a half at random.
        longest_wait_s: no wait is longer. Where an endpoint asks for more, the reading fails at once.
        total_s: limit of one reading, all its attempts and waits together. Only the wait for a turn does
            not count, which is others' doing.
        gone_s: how long an endpoint is waited for that answers nothing; 0 leaves it to the attempts.
        limited_s: how long a reading waits for an endpoint that asks for patience.
    """

    attempts: int = 4
    timeout_s: float = 600.0
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    total_s: float = 3600.0
    gone_s: float = 15.0
    limited_s: float = 120.0

    def wait_s(self, fault: Fault, tried: int) -> float | None:
        """Seconds from the attempt number ``tried``, from 1, to the next one; None when there is none."""
        if not fault.transient or tried >= self.attempts:
            return None
        asked = fault.retry_after_s or 0.0
        if asked > self.longest_wait_s:
            return None
        growing = self.first_wait_s * 2.0 ** (tried - 1)
        return max(asked, min(growing * random.uniform(1, 1.5), self.longest_wait_s))

    def limit_wait_s(self, fault: Fault, met: int) -> float:
        """Seconds to wait out a limit that a reading meets for the ``met``-th time, from 1: as asked."""
        if fault.retry_after_s is not None:
            return fault.retry_after_s * random.uniform(1, 1.1)
        growing = self.first_wait_s / 2 * 2.0 ** min(met - 1, 10)
        return min(growing, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)


class Waits:
    """The waits of one reading, from fault to fault.

    Attributes:
        tried: attempts so far, those not counted that met a limit.
        limits: limits met.
        limited_s: waited for them.
    """

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.tried = self.limits = 0
        self.limited_s = 0.0

    def after(self, fault: Fault) -> float | None:
        """Seconds from an attempt that met this fault to the next one; None when there is none."""
        if not fault.limited:
            self.tried += 1
            return self._patience.wait_s(fault, self.tried)
        self.limits += 1
        wait = self._patience.limit_wait_s(fault, self.limits)
        if self.limited_s + wait > self._patience.limited_s:
            return None
        self.limited_s += wait
        return wait

    def failure(self, fault: Fault) -> Failure:
        """The failure of a fault that is not tried again, and what it says of other requests."""
        failed = failure(fault, self.tried + fault.limited)
        waited = f"limited for {self.limited_s:.0f} s: " if fault.limited and self.limited_s else ""
        return replace(failed, reason=waited + failed.reason, lasting=lasting_fault(fault))


class Retrier:
    """The attempts of one reader.

    Args:
        patience: limits of retries and time.
        concurrency: requests under way at once, at most; fewer while the endpoint asks for less.
        short_question: asks something that every endpoint in good health answers at once.
        name: of the reader, for the log.
        is_there: whether the endpoint lists its models, which takes no model: where none has replied yet,
            one may be loading.
    """

    def __init__(
        self,
        patience: Patience,
        concurrency: int,
        short_question: Ask,
        name: str = "",
        is_there: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._retries = 0
        self._readings = 0
        self._patience = patience
        self._short_question = short_question
        self._name = name
        self._is_there = is_there
        self._was_there: bool | None = None if is_there else False
        self._throttle = Throttle(concurrency)
        self._clock = AwakeClock()
        self._health = EndpointHealth()
        self._pace = Pace()
        self._pacing = Throttle(1)
        self._last_sent = float("-inf")
        self._held_back = 0
        self._numbers = count()
        self._looking = Throttle(1)
        self._given_up = float("-inf")
        self._last_fault = Fault("no reply")

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        running = self._throttle.under_way - self._held_back
        return Traffic(running, self._readings - running, self._retries)

    async def read(self, attempt: Ask, size: int = 0) -> Response:
        """Attempt until there is a reading, a fault that stays, or no attempt or time left.

        Args:
            attempt: one request.
            size: of the request, in any unit that its time grows with; 0 where nobody knows.
        """
        self._readings += 1
        try:
            return await self._read(attempt, size)
        finally:
            self._readings -= 1

    async def _read(self, attempt: Ask, size: int) -> Response:
        number, patience = next(self._numbers), self._patience
        waits, spent_s = Waits(patience), 0.0
        while True:
            result, sent_at, paced_under = await self._in_turn(attempt, size, patience.total_s - spent_s)
            if not isinstance(result, Fault):
                if isinstance(result, Answer) or result.lasting is not _GONE:  # of which nothing was asked
                    log_request(self._name, result, waits.tried + waits.limits + 1)
                return with_lasting(result)
            if result.status == _TOO_MANY_REQUESTS and result.limited and self._is_of_all(waits):
                self._pace = self._pace.limited(paced_under, self._clock.now())
            spent_s += self._clock.now() - sent_at
            wait = waits.after(result)
            log_request(self._name, result, waits.tried + waits.limits, wait)
            passing = result.transient and not result.limited
            if passing and not await self._own_fault(result, number, waits.tried, sent_at):
                return self._gone()
            if wait is None or wait >= patience.total_s - spent_s:
                return waits.failure(result)
            spent_s += wait
            self._retries += 1
            await self._clock.sleep(wait)

    def _is_of_all(self, waits: Waits) -> bool:
        """Whether a limit is everyone's: a reading that meets one after another may be limited itself."""
        return not waits.limits or not self._pace.replies

    async def _in_turn(self, attempt: Ask, size: int, left_s: float) -> tuple[Response | Fault, float, int]:
        """One attempt, when it was sent, and at which pace; waiting for a turn does not count."""
        sent_under = await self._throttle.take()
        try:
            if self._in_trouble and not await self._is_back():
                return self._gone(), self._clock.now(), self._pace.widened
            paced_under = await self._paced()
            sent_at = self._clock.now()
            result = await self._limited(attempt, size, max(0.0, min(self._patience.timeout_s, left_s)))
            self._note(result, sent_under, sent_at, size)
            return result, sent_at, paced_under
        finally:
            self._throttle.give_back()

    def _note(self, result: Response | Fault, sent_under: int, sent_at: float, size: int) -> None:
        now = self._clock.now()
        if not isinstance(result, Fault):
            self._throttle.succeeded(sent_under)
            self._pace = self._pace.replied(now)
            self._health.replied(now, now - sent_at, size)
            return
        if result.limited or not result.transient:
            self._health.replied(now)
        if result.asks_for_less:
            self._throttle.limited(sent_under)

    async def _paced(self) -> int:
        """Wait until the next request may be sent; the pace that this one is sent under."""
        self._held_back += 1
        try:
            async with self._pacing.turn():
                while (early := self._last_sent + (gap_s := self._pace.gap_s) - self._clock.now()) > 0:
                    await self._clock.sleep(early)
                # Who is late does not make the next one late: up to a gap is made up for.
                self._last_sent = max(self._last_sent + gap_s, self._clock.now() - gap_s)
        finally:
            self._held_back -= 1
        return self._pace.widened

    async def _limited(self, attempt: Ask, size: int, limit_s: float) -> Response | Fault:
        """One attempt, broken off after ``limit_s``, or where the endpoint has fallen silent."""
        started = self._clock.now()
        task = asyncio.ensure_future(attempt())
        try:
            while (left_s := limit_s - (self._clock.now() - started)) > 0:
                done, _ = await asyncio.wait({task}, timeout=min(left_s, TICK_S))
                if done:
                    return task.result()
                if self._health.is_silent(self._clock.now(), started, size) and not await self._may_start(
                    self._clock.now() - started, size
                ):
                    self._health.faulted(-1, started)
                    if not await self._is_back(while_waiting=task):
                        waited = self._clock.now() - started
                        return Fault(f"no reply within {waited:.0f} s", latency_s=waited)
            return Fault(f"no complete reply within {round(limit_s, 2):g} s", latency_s=limit_s)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _may_start(self, waited_s: float, size: int) -> bool:
        """Whether an endpoint from which no reply has come yet is there, and may be loading its model."""
        if not self._health.may_be_starting(waited_s, size, self._patience.limited_s):
            return False
        async with self._looking.turn():
            if self._was_there is None and self._is_there is not None:
                asked = asyncio.ensure_future(self._is_there())
                done, _ = await asyncio.wait({asked}, timeout=_THERE_LIMIT_S)
                asked.cancel()
                await asyncio.gather(asked, return_exceptions=True)
                self._was_there = bool(done) and asked.result()
        return bool(self._was_there)

    @property
    def _in_trouble(self) -> bool:
        return self._health.down or self._health.suspicious

    async def _own_fault(self, fault: Fault, number: int, tried: int, sent_at: float) -> bool:
        """Whether a fault is the request's own, as far as is known: the endpoint answers others."""
        self._last_fault = fault
        self._health.faulted(number, sent_at)
        if self._patience.attempts == 1 or (tried == 1 and not self._in_trouble):
            return True
        return await self._is_back()

    async def _is_back(self, while_waiting: asyncio.Future[Response | Fault] | None = None) -> bool:
        """Whether the endpoint answers a short question, now or within patience. One of all that wait asks.

        Args:
            while_waiting: a request under way, whose reply is one as well.
        """
        if not self._patience.gone_s:
            return True
        wait_s = self._patience.first_wait_s / 2
        async with self._looking.turn():
            while (since := self._health.since) is not None:
                if self._clock.now() - self._given_up < _LONGEST_BETWEEN_S:
                    return False
                reply = await self._limited(self._short_question, 0, _SHORT_LIMIT_S)
                log_request(self._name, reply, 0)
                if (while_waiting and while_waiting.done()) or _is_alive(reply):
                    self._health.replied(self._clock.now())
                    return True
                self._health.down = True
                left_s = since + self._patience.gone_s - self._clock.now()
                if left_s <= 0:
                    self._given_up = self._clock.now()
                    return False
                await self._clock.sleep(min(wait_s, left_s))
                wait_s = min(2 * wait_s, _LONGEST_BETWEEN_S)
        return True

    def _gone(self) -> Failure:
        told = failure(self._last_fault)
        reason = f"the endpoint answers no short question either: {told.reason}"
        return Failure("reader_error", reason, latency_s=told.latency_s, lasting=_GONE)


def _is_alive(reply: Response | Fault) -> bool:
    """Whether somebody is there who replies, if only that this question is not to their liking."""
    return not isinstance(reply, Fault) or (reply.status is not None and reply.status < 500)


class RetryingReader:
    """What readers over the network have in common: a model, a name, a dialect, and a ``Retrier``.

    Args:
        model: as the endpoint or provider knows it.
        name: stable name of the reader; the model's where it is empty.
        concurrency: how many requests may be under way at once.
        patience: limits of retries and time.
    """

    def __init__(self, model: str, name: str, concurrency: int, patience: Patience | None) -> None:
        self._model = model
        self._name = name or model
        self._concurrency = concurrency
        self._negotiation = Negotiation()
        self._retrier = Retrier(
            patience or Patience(),
            concurrency,
            lambda: self._ask(_SHORT_QUESTION),
            self._name,
            self._lists_models,
        )

    @property
    def name(self) -> str:
        """Stable name, part of every trial's identity."""
        return self._name

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once."""
        return self._concurrency

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return self._retrier.traffic

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        size = len(request.text) + _LETTERS_PER_TOKEN * request.max_tokens
        return await self._retrier.read(lambda: self._ask(request), size)

    async def _lists_models(self) -> bool:
        """Whether the endpoint says which models it has; where nobody can ask it, it does not."""
        return False

    async def _ask(self, request: Request) -> Response | Fault:
        return await self._negotiation.ask(self._attempt, request)

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected."""
        raise NotImplementedError


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an endpoint asks to wait; None when it does not say.

    Args:
        headers: of the reply; ``retry-after-ms``, then ``retry-after`` in seconds or as a date, which counts
            from the reply's own ``date``: this machine's clock may be another, or be set meanwhile.
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
