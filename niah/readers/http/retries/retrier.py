"""Trying again: capped, with growing waits, and only where the same request may succeed later.

A fault is the request's own until the endpoint turns out to be in trouble: then one short question is asked
again and again in place of all requests, for as long as patience lasts. A limit ("429") is nobody's fault: it
is waited out without using up an attempt, while other requests go on, further apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

from niah.readers.http.awake_clock import TICK_S, AwakeClock
from niah.readers.http.health import EndpointHealth
from niah.readers.http.lasting import SILENCES, lasting_silence, with_lasting
from niah.readers.http.outcomes import LATE, Fault, failure
from niah.readers.http.pacing import Pace
from niah.readers.http.retries.patience import Patience, Waits
from niah.readers.http.throttle import Throttle
from niah.readers.reader import Answer, Failure, Response, Traffic
from niah.readers.request_log import log_request

_TOO_MANY_REQUESTS = 429
_SHORT_LIMIT_S = 10.0
_THERE_LIMIT_S = 3.0
_LONGEST_BETWEEN_S = 15.0

Ask = Callable[[], Awaitable[Response | Fault]]


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
                if isinstance(result, Answer) or result.lasting not in SILENCES:  # of which nothing was asked
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
            return Fault(f"{LATE} {round(limit_s, 2):g} s", latency_s=limit_s)
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
        lasting = lasting_silence(self._last_fault)
        return Failure("reader_error", reason, latency_s=told.latency_s, lasting=lasting)


def _is_alive(reply: Response | Fault) -> bool:
    """Whether somebody is there who replies, if only that this question is not to their liking."""
    return not isinstance(reply, Fault) or (reply.status is not None and reply.status < 500)
