"""Attempts, and the waits between them."""

from __future__ import annotations

import asyncio

import pytest

from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience
from niah.readers.reader import Failure, Response, Traffic
from tests.readers.http.retries.scripted import GOOD, QUICK, Script, clock, read, retrier, summary


def test_transient_faults_are_tried_again() -> None:
    script = Script(Fault("busy", 503), Fault("dropped"), GOOD)
    assert read(script) == GOOD
    assert len(script.called) == 3


def test_attempts_are_capped() -> None:
    script = Script(Fault("busy", 503))
    assert read(script) == Failure("reader_error", "after 4 attempts: HTTP 503: busy")
    assert len(script.called) == 4


def test_beyond_its_attempts_nothing_waits_for_another() -> None:
    """Who waits for an endpoint that is gone may count on past them."""
    patience = Patience(attempts=2)
    assert [patience.wait_s(Fault("gone", 500), tried) is None for tried in (1, 2, 3, 9)] == [
        False, True, True, True,
    ]  # fmt: skip


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
    response = read(script)
    assert summary(response) == ("reader_error", "asked to wait 3600 s: HTTP 429: quota of the day")
    assert isinstance(response, Failure)
    assert response.lasting is not None, "others would be asked to wait as long"
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

    patience = Patience(attempts=2, timeout_s=0.05, first_wait_s=0.001)
    reading = clock.run(retrier(patience).read(hang))
    assert reading == Failure(
        "reader_error", "after 2 attempts: no complete reply within 0.05 s", latency_s=0.05
    )


@pytest.mark.parametrize("fault", [Fault("busy", 503), Fault("busy", 503, retry_after_s=0.2)])
def test_attempts_and_waits_together_have_a_limit(fault: Fault) -> None:
    patience = Patience(attempts=1000, timeout_s=1, first_wait_s=0.05, longest_wait_s=0.3, total_s=0.5)
    started = clock.time()
    reading = read(Script(fault), patience)
    assert isinstance(reading, Failure)
    assert "HTTP 503: busy" in reading.reason
    assert clock.time() - started < 1


def test_an_attempt_has_what_is_left_of_the_total() -> None:
    async def hang() -> Response | Fault:
        await asyncio.sleep(60)
        return GOOD

    patience = Patience(attempts=9, timeout_s=0.2, first_wait_s=0.001, total_s=0.5)
    started = clock.time()
    assert isinstance(clock.run(retrier(patience).read(hang)), Failure)
    assert 0.4 <= clock.time() - started < 1


def test_waiting_for_a_turn_does_not_count() -> None:
    async def slow() -> Response | Fault:
        await asyncio.sleep(0.1)
        return GOOD

    async def main() -> None:
        one = retrier(Patience(total_s=0.25), 1)
        assert await asyncio.gather(*(one.read(slow) for _ in range(5))) == [GOOD] * 5

    clock.run(main())


def test_what_it_is_at() -> None:
    async def main() -> None:
        asked = retrier(QUICK, 1)
        gate = asyncio.Event()

        async def wait() -> Response | Fault:
            await gate.wait()
            return GOOD

        readings = [asyncio.ensure_future(asked.read(wait)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert asked.traffic == Traffic(running=1, waiting=2)
        gate.set()
        await asyncio.gather(*readings)
        limited = asyncio.ensure_future(asked.read(Script(Fault("slow", 429, retry_after_s=0.3), GOOD)))
        await asyncio.sleep(0.05)
        assert asked.traffic == Traffic(running=0, waiting=1, retries=1)
        await limited
        assert asked.traffic == Traffic(retries=1)

    clock.run(main())


def test_cancelling_passes_through() -> None:
    async def main() -> None:
        asked = retrier(Patience(first_wait_s=60))
        reading = asyncio.ensure_future(asked.read(Script(Fault("busy", 503))))
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    clock.run(main())


def test_a_retrier_serves_one_event_loop_after_another() -> None:
    async def crowd() -> None:
        assert set(await asyncio.gather(*(asked.read(Script(GOOD)) for _ in range(20)))) == {GOOD}

    asked = retrier()
    asyncio.run(crowd())
    asyncio.run(crowd())
