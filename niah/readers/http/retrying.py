"""Trying again: capped, with growing waits, and only where the same request may succeed later."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from niah.readers.http.outcomes import Fault, failure
from niah.readers.http.throttle import Throttle
from niah.readers.reader import Response, Traffic

_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True)
class Patience:
    """How often and how long a reader tries.

    Attributes:
        attempts: requests at most per reading.
        timeout_s: total limit of one attempt, from sending to the last byte.
        first_wait_s: wait before the second attempt; it doubles from there, plus up to a half at random.
        longest_wait_s: no wait is longer. Where an endpoint asks for more, the reading fails at once.
        total_s: limit of one reading, all its attempts and waits together. Only the wait for a turn does
            not count, which is others' doing.
    """

    attempts: int = 4
    timeout_s: float = 600.0
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    total_s: float = 3600.0

    def wait_s(self, fault: Fault, tried: int) -> float | None:
        """Seconds from the attempt number ``tried``, from 1, to the next one; None when there is none."""
        if not fault.transient or tried == self.attempts:
            return None
        asked = fault.retry_after_s or 0.0
        if asked > self.longest_wait_s:
            return None
        growing = self.first_wait_s * 2.0 ** (tried - 1)
        return max(asked, min(growing * random.uniform(1, 1.5), self.longest_wait_s))


class Retrier:
    """The attempts of one reader. A rate limit that one request meets holds back the others too.

    Args:
        patience: limits of retries and time.
        concurrency: requests under way at once, at most; fewer while the endpoint asks for less.
    """

    def __init__(self, patience: Patience, concurrency: int) -> None:
        self._retries = 0
        self._readings = 0
        self._patience = patience
        self._throttle = Throttle(concurrency)
        self._held_back = 0
        self._not_before = 0.0

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        running = self._throttle.under_way - self._held_back
        return Traffic(running, self._readings - running, self._retries)

    async def read(self, attempt: Callable[[], Awaitable[Response | Fault]]) -> Response:
        """Attempt until there is a reading, a fault that stays, or no attempt or time left."""
        self._readings += 1
        try:
            return await self._read(attempt)
        finally:
            self._readings -= 1

    async def _read(self, attempt: Callable[[], Awaitable[Response | Fault]]) -> Response:
        tried, spent_s = 0, 0.0
        while True:
            tried += 1
            result, took_s = await self._in_turn(attempt, self._patience.total_s - spent_s)
            if not isinstance(result, Fault):
                return result
            spent_s += took_s
            wait = self._patience.wait_s(result, tried)
            if wait is None or wait >= self._patience.total_s - spent_s:
                return failure(result, tried)
            spent_s += wait
            await self._pause(result, wait)

    async def _in_turn(
        self, attempt: Callable[[], Awaitable[Response | Fault]], left_s: float
    ) -> tuple[Response | Fault, float]:
        """One attempt, and the seconds that it took; waiting for a turn does not count."""
        sent_under = await self._throttle.take()
        started = time.monotonic()
        try:
            await self._hold_back()
            result = await self._limited(attempt, left_s - (time.monotonic() - started))
            if not isinstance(result, Fault):
                self._throttle.succeeded(sent_under)
            elif result.asks_for_less:
                self._throttle.limited(sent_under)
            return result, time.monotonic() - started
        finally:
            self._throttle.give_back()

    async def _limited(
        self, attempt: Callable[[], Awaitable[Response | Fault]], left_s: float
    ) -> Response | Fault:
        limit = max(0.0, min(self._patience.timeout_s, left_s))
        try:
            async with asyncio.timeout(limit):
                return await attempt()
        except TimeoutError:
            return Fault(f"no complete reply within {round(limit, 2):g} s", latency_s=limit)

    async def _pause(self, fault: Fault, wait: float) -> None:
        self._retries += 1
        if fault.status == _TOO_MANY_REQUESTS:
            self._not_before = max(self._not_before, time.monotonic() + wait)
        await asyncio.sleep(wait)

    async def _hold_back(self) -> None:
        """Wait until a rate limit ends, plus some random time, so that not all requests start at once."""
        held = self._not_before - time.monotonic()
        if held > 0:
            self._held_back += 1
            try:
                await asyncio.sleep(held * random.uniform(1, 1.25))
            finally:
                self._held_back -= 1


class RetryingReader:
    """What readers over the network have in common: a model, a name, and a ``Retrier``.

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
        self._retrier = Retrier(patience or Patience(), concurrency)

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


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an endpoint asks to wait; None when it does not say.

    Args:
        headers: of the reply; ``retry-after-ms``, then ``retry-after`` in seconds or as a date.
        now: seconds since the epoch.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    return seconds if seconds is not None else _until(asked, now)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _until(date: str | None, now: float) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date or "").timestamp() - now)
    except (ValueError, OverflowError):  # a year may have any number of digits
        return None
