"""Attempts, waits and limits."""

from __future__ import annotations

import asyncio
import time

import pytest

from niah.readers.outcomes import Fault
from niah.readers.reader import Answer, Failure, Reading, Usage
from niah.readers.retrying import Patience, Retrier, retry_after_s

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, longest_wait_s=1.0)


class Script:
    """An attempt that plays back results and notes when it was called."""

    def __init__(self, *results: Reading | Fault) -> None:
        self.results = list(results)
        self.called: list[float] = []

    async def __call__(self) -> Reading | Fault:
        self.called.append(time.monotonic())
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def read(script: Script, patience: Patience = QUICK) -> Reading:
    return asyncio.run(Retrier(patience).read(script))


def test_transient_faults_are_tried_again() -> None:
    script = Script(Fault("busy", 503), Fault("dropped"), GOOD)
    assert read(script) == GOOD
    assert len(script.called) == 3


def test_attempts_are_capped() -> None:
    script = Script(Fault("busy", 503))
    assert read(script) == Failure("reader_error", "after 4 attempts: HTTP 503: busy")
    assert len(script.called) == 4


def test_final_faults_and_failures_are_not_tried_again() -> None:
    for result in (Fault("no", 401), Failure("truncated", "cut")):
        script = Script(result)
        assert isinstance(read(script), Failure)
        assert len(script.called) == 1


def test_retry_after_is_honoured() -> None:
    script = Script(Fault("busy", 503, retry_after_s=0.3), GOOD)
    assert read(script) == GOOD
    assert script.called[1] - script.called[0] >= 0.3


def test_a_wait_beyond_patience_fails_at_once() -> None:
    script = Script(Fault("quota of the day", 429, retry_after_s=3600))
    assert read(script) == Failure("reader_error", "asked to wait 3600 s: HTTP 429: quota of the day")
    assert len(script.called) == 1


def test_waits_grow() -> None:
    script = Script(Fault("busy", 503))
    read(script, Patience(attempts=3, timeout_s=1, first_wait_s=0.1, longest_wait_s=1))
    first, second, third = script.called
    assert second - first >= 0.1
    assert third - second >= 0.2


def test_waits_are_capped() -> None:
    script = Script(Fault("busy", 503))
    read(script, Patience(attempts=3, timeout_s=1, first_wait_s=50, longest_wait_s=0.05))
    assert script.called[-1] - script.called[0] < 10


def test_hanging_is_limited_and_told() -> None:
    async def hang() -> Reading | Fault:
        await asyncio.sleep(60)
        return GOOD

    reading = asyncio.run(Retrier(Patience(attempts=2, timeout_s=0.05, first_wait_s=0.001)).read(hang))
    assert reading == Failure(
        "reader_error", "after 2 attempts: no complete reply within 0.05 s", latency_s=0.05
    )


def test_cancelling_passes_through() -> None:
    async def main() -> None:
        reading = asyncio.ensure_future(Retrier(Patience(first_wait_s=60)).read(Script(Fault("busy", 503))))
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(main())


def test_a_rate_limit_holds_back_the_readers_other_requests() -> None:
    limited = Script(Fault("slow down", 429, retry_after_s=0.3), GOOD)
    other = Script(GOOD)

    async def main() -> float:
        retrier = Retrier(QUICK)
        first = asyncio.ensure_future(retrier.read(limited))
        await asyncio.sleep(0.05)
        started = time.monotonic()
        await asyncio.gather(first, retrier.read(other))
        assert retrier.retries == 1
        return other.called[0] - started

    assert asyncio.run(main()) >= 0.2


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 60.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=40.0) == seconds
