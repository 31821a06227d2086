"""Attempts and the waits between them, in virtual time: limits, overloads, endpoints that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from niah.readers.outcomes import Fault
from niah.readers.reader import Answer, Failure, Response, Usage
from niah.readers.retry import Endpoint, Patience, retry_after_s
from tests.virtual_time import VirtualTime

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, longest_wait_s=1.0, gone_s=0.3, limited_s=1.0)
clock = VirtualTime()


class Script:
    """An attempt that plays back results; the last one stays."""

    def __init__(self, *results: Response | Fault) -> None:
        self.results = list(results)
        self.called: list[float] = []

    async def __call__(self) -> Response | Fault:
        self.called.append(clock.time())
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def endpoint(patience: Patience = QUICK, concurrency: int = 8) -> Endpoint:
    """One that answers short questions."""
    return Endpoint("r", patience, concurrency, Script(GOOD))


async def _ask(asked: Endpoint, attempt: Callable[[], Awaitable[Response | Fault]]) -> Response:
    return await asked.ask(attempt)


def reason(response: Response) -> str:
    assert isinstance(response, Failure)
    assert response.outcome == "reader_error"
    return response.reason


@pytest.mark.parametrize(
    ("results", "calls", "said"),
    [
        ([Fault("busy", 503), Fault("dropped"), GOOD], 3, ""),
        ([Fault("busy", 503)], 4, "after 4 attempts: HTTP 503: busy"),
        ([Fault("server disconnected")], 4, "after 4 attempts: server disconnected"),
        ([Fault("no", 401)], 1, "HTTP 401: no"),
        ([Failure("reader_error", "no choices")], 1, "no choices"),
        ([Fault("quota", 429, retry_after_s=3600)], 1, "asked to wait 3600 s: HTTP 429: quota"),
        ([Fault("quota", 503, retry_after_s=3600)], 1, "asked to wait 3600 s: HTTP 503: quota"),
        ([Fault("slow down", 429, retry_after_s=0.1)] * 6 + [GOOD], 7, ""),
        ([Fault("slow down", 429, retry_after_s=0.1)], 10, "limited for 1 s"),
    ],
)
def test_attempts(results: list[Response | Fault], calls: int, said: str) -> None:
    script = Script(*results)
    response = clock.run(_ask(endpoint(), script))
    assert said in reason(response) if said else response == GOOD
    assert abs(len(script.called) - calls) <= (1 if calls == 10 else 0)


@pytest.mark.parametrize(
    ("lanes", "per_second", "burst"), [(1, 100, 5), (64, 100, 5), (64, 1, 1), (64, 1, 60)]
)
def test_a_rate_is_found_and_no_reading_is_lost(lanes: int, per_second: float, burst: int) -> None:
    """A bucket of requests, filled so fast; what it refuses says nothing of how long to wait."""
    tokens, last, refused = float(burst), clock.time(), 0

    async def bucket() -> Response | Fault:
        nonlocal tokens, last, refused
        await asyncio.sleep(0.01)
        tokens, last = min(burst, tokens + (clock.time() - last) * per_second), clock.time()
        if tokens >= 1:
            tokens -= 1
            return GOOD
        refused += 1
        return Fault("slow down", 429)

    async def main() -> None:
        asked, started = endpoint(Patience(), lanes), clock.time()
        assert set(await asyncio.gather(*(asked.ask(bucket) for _ in range(200)))) == {GOOD}
        assert clock.time() - started < 4 + 1.6 * 200 / per_second
        assert refused < 200

    clock.run(main())


@pytest.mark.parametrize("concurrency", [1, 8, 64])
@pytest.mark.parametrize("fault", [Fault("connection refused"), Fault("oops", 500)])
def test_an_endpoint_that_answers_nothing_is_waited_for_once(fault: Fault, concurrency: int) -> None:
    async def main() -> None:
        script = Script(fault)
        asked, started = Endpoint("r", QUICK, concurrency, Script(fault)), clock.time()
        responses = await asyncio.gather(*(_ask(asked, script) for _ in range(100)))
        assert clock.time() - started < 3 * QUICK.gone_s
        assert len(script.called) <= max(3, concurrency)
        for response in responses:
            assert f"answers no short question either: {'HTTP 500: ' * bool(fault.status)}" in reason(
                response
            )
            assert isinstance(response, Failure)
            assert response.lasting
            assert response.lasting.in_a_row == 1

    clock.run(main())


@pytest.mark.parametrize("attempts", [1, 4])
def test_an_endpoint_that_comes_back_loses_nothing(attempts: int) -> None:
    async def main() -> None:
        long, short = Script(Fault("connection refused")), Script(Fault("connection refused"))
        asked = Endpoint("r", Patience(attempts, first_wait_s=0.01, gone_s=30.0), 8, short)
        reading = asyncio.gather(*(asked.ask(long) for _ in range(50)))
        await asyncio.sleep(5)
        assert not reading.done()
        assert len(long.called) <= 8
        long.results, short.results = [GOOD], [GOOD]
        assert await reading == [GOOD] * 50

    clock.run(main())


def test_cancelling_passes_through_and_one_event_loop_comes_after_another() -> None:
    async def main() -> None:
        reading = asyncio.ensure_future(asked.ask(Script(Fault("busy", 503))))
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert set(await asyncio.gather(*(asked.ask(Script(GOOD)) for _ in range(20)))) == {GOOD}

    asked = endpoint(Patience(first_wait_s=60))
    clock.run(main())
    clock.run(main())


DATE, SENT = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:27:30 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": DATE, "date": SENT}, 30),
        ({"retry-after": DATE}, 10),
        ({"retry-after": "soon"}, None),
        ({"retry-after": f"Mon, 01 Jan {'9' * 21} 00:00:00 GMT"}, None),
    ],
)
def test_how_long_an_endpoint_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=1445412470.0) == seconds
