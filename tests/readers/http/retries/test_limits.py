"""Limits and overloads: waited out, with fewer requests at once and further apart."""

from __future__ import annotations

import asyncio

import pytest

from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience
from niah.readers.reader import Failure, Response
from tests.readers.http.retries.scripted import GOOD, QUICK, Script, clock, read, retrier


def test_an_overload_narrows_and_successes_widen() -> None:
    most_at_once = under_way = 0

    async def main() -> None:
        asked = retrier()
        overloaded = Script(Fault("slow down", 503, retry_after_s=0.05), GOOD)
        assert await asked.read(overloaded) == GOOD

        async def attempt() -> Response | Fault:
            nonlocal most_at_once, under_way
            under_way += 1
            most_at_once = max(most_at_once, under_way)
            try:
                await asyncio.sleep(0.01)
            finally:  # broken off, too, where a machine stalls
                under_way -= 1
            return GOOD

        await asyncio.gather(*(asked.read(attempt) for _ in range(2)))
        assert most_at_once == 2
        for _ in range(10):  # attempts may end before others begin
            await asyncio.gather(*(asked.read(attempt) for _ in range(100)))
            if most_at_once == 8:
                break
        assert most_at_once == 8

    clock.run(main())


def test_a_limit_uses_up_no_attempt_and_holds_back_no_other_reading() -> None:
    limited = Script(*[Fault("slow down", 429, retry_after_s=0.1)] * 6, GOOD)
    other = Script(GOOD)

    async def main() -> None:
        asked = retrier()
        first = asyncio.ensure_future(asked.read(limited))
        await asyncio.sleep(0.02)
        started = clock.time()
        assert await asked.read(other) == GOOD
        assert clock.time() - started < 0.1
        assert await first == GOOD
        assert asked.traffic.retries == 6 > QUICK.attempts

    clock.run(main())


def test_a_limit_without_end_is_waited_for_so_long_and_lasts() -> None:
    started = clock.time()
    response = read(Script(Fault("slow down", 429, retry_after_s=0.2)))
    assert clock.time() - started < 1.5
    assert isinstance(response, Failure)
    assert "limited for 1 s" in response.reason
    assert response.lasting is not None


def allowing(per_second: float) -> tuple[Script, list[int]]:
    """An endpoint that allows so many requests in a second, five at once, and tells to wait one; 429s too."""
    tokens, last, refused = 5.0, clock.time(), [0]

    class Bucket(Script):
        async def __call__(self) -> Response | Fault:
            nonlocal tokens, last
            now = clock.time()
            tokens, last = min(5.0, tokens + (now - last) * per_second), now
            if tokens >= 1:
                tokens -= 1
                return GOOD
            refused[0] += 1
            return Fault("slow down", 429, retry_after_s=0.1)

    return Bucket(GOOD), refused


@pytest.mark.parametrize("lanes", [1, 8, 64])
def test_a_rate_is_found_and_kept_to(lanes: int) -> None:
    bucket, refused = allowing(per_second=100)

    async def main() -> None:
        asked = retrier(Patience(limited_s=20.0), lanes)
        started = clock.time()
        assert set(await asyncio.gather(*(asked.read(bucket) for _ in range(200)))) == {GOOD}
        assert clock.time() - started < 2 * (200 / 100)
        assert refused[0] < 200

    clock.run(main())


def test_an_endpoint_that_counts_what_it_refuses_as_well_is_given_time() -> None:
    """Where every request under way is one that was refused before, the pace has to give way all the same."""
    came = [float("-inf")]

    class Strict(Script):
        async def __call__(self) -> Response | Fault:
            came.append(clock.time())
            return GOOD if came[-1] - came[-2] >= 0.1 else Fault("slow down", 429, retry_after_s=0.01)

    async def main() -> None:
        asked = retrier(Patience(first_wait_s=0.4, limited_s=1.0))  # no wait is forced that is longer
        assert set(await asyncio.gather(*(asked.read(Strict(GOOD)) for _ in range(4)))) == {GOOD}

    clock.run(main())
