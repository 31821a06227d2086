"""Attempts, waits and limits."""

from __future__ import annotations

import asyncio
import time

import pytest

from niah.readers.http.outcomes import Fault
from niah.readers.http.retrying import Patience, Retrier, retry_after_s
from niah.readers.reader import Answer, Failure, Response, Traffic, Usage

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, longest_wait_s=1.0)


class Script:
    """An attempt that plays back results and notes when it was called."""

    def __init__(self, *results: Response | Fault) -> None:
        self.results = list(results)
        self.called: list[float] = []

    async def __call__(self) -> Response | Fault:
        self.called.append(time.monotonic())
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def read(script: Script, patience: Patience = QUICK) -> Response:
    return asyncio.run(Retrier(patience, 8).read(script))


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
    async def hang() -> Response | Fault:
        await asyncio.sleep(60)
        return GOOD

    reading = asyncio.run(Retrier(Patience(attempts=2, timeout_s=0.05, first_wait_s=0.001), 8).read(hang))
    assert reading == Failure(
        "reader_error", "after 2 attempts: no complete reply within 0.05 s", latency_s=0.05
    )


@pytest.mark.parametrize("fault", [Fault("busy", 503), Fault("busy", 503, retry_after_s=0.2)])
def test_attempts_and_waits_together_have_a_limit(fault: Fault) -> None:
    patience = Patience(attempts=1000, timeout_s=1, first_wait_s=0.05, longest_wait_s=0.3, total_s=0.5)
    started = time.monotonic()
    reading = read(Script(fault), patience)
    assert isinstance(reading, Failure)
    assert "HTTP 503: busy" in reading.reason
    assert time.monotonic() - started < 1


def test_an_attempt_has_what_is_left_of_the_total() -> None:
    async def hang() -> Response | Fault:
        await asyncio.sleep(60)
        return GOOD

    patience = Patience(attempts=9, timeout_s=0.2, first_wait_s=0.001, total_s=0.5)
    started = time.monotonic()
    assert isinstance(asyncio.run(Retrier(patience, 8).read(hang)), Failure)
    assert 0.4 <= time.monotonic() - started < 1


def test_waiting_for_a_turn_does_not_count() -> None:
    async def slow() -> Response | Fault:
        await asyncio.sleep(0.1)
        return GOOD

    async def main() -> None:
        retrier = Retrier(Patience(total_s=0.25), 1)
        assert await asyncio.gather(*(retrier.read(slow) for _ in range(5))) == [GOOD] * 5

    asyncio.run(main())


def test_a_rate_limit_narrows_and_successes_widen() -> None:
    most_at_once = under_way = 0

    async def main() -> None:
        retrier = Retrier(QUICK, 8)
        limited = Script(Fault("slow down", 429, retry_after_s=0.05), GOOD)
        assert await retrier.read(limited) == GOOD

        async def attempt() -> Response | Fault:
            nonlocal most_at_once, under_way
            under_way += 1
            most_at_once = max(most_at_once, under_way)
            await asyncio.sleep(0.01)
            under_way -= 1
            return GOOD

        await asyncio.gather(*(retrier.read(attempt) for _ in range(4)))
        assert most_at_once == 4
        await asyncio.gather(*(retrier.read(attempt) for _ in range(100)))
        assert most_at_once == 8

    asyncio.run(main())


def test_what_it_is_at() -> None:
    async def main() -> None:
        retrier = Retrier(QUICK, 1)
        gate = asyncio.Event()

        async def wait() -> Response | Fault:
            await gate.wait()
            return GOOD

        readings = [asyncio.ensure_future(retrier.read(wait)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert retrier.traffic == Traffic(running=1, waiting=2)
        gate.set()
        await asyncio.gather(*readings)
        limited = asyncio.ensure_future(retrier.read(Script(Fault("slow", 429, retry_after_s=0.3), GOOD)))
        await asyncio.sleep(0.05)
        other = asyncio.ensure_future(retrier.read(Script(GOOD)))
        await asyncio.sleep(0.01)
        assert retrier.traffic == Traffic(running=0, waiting=2, retries=1)
        await asyncio.gather(limited, other)
        assert retrier.traffic == Traffic(retries=1)

    asyncio.run(main())


def test_cancelling_passes_through() -> None:
    async def main() -> None:
        reading = asyncio.ensure_future(
            Retrier(Patience(first_wait_s=60), 8).read(Script(Fault("busy", 503)))
        )
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(main())


def test_a_rate_limit_holds_back_the_readers_other_requests() -> None:
    limited = Script(Fault("slow down", 429, retry_after_s=0.3), GOOD)
    other = Script(GOOD)

    async def main() -> float:
        retrier = Retrier(QUICK, 8)
        first = asyncio.ensure_future(retrier.read(limited))
        await asyncio.sleep(0.05)
        started = time.monotonic()
        await asyncio.gather(first, retrier.read(other))
        assert retrier.traffic.retries == 1
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
        ({"retry-after": f"Mon, 01 Jan {'9' * 21} 00:00:00 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=40.0) == seconds
