"""Attempts, waits and limits."""

from __future__ import annotations

import asyncio

import pytest

from niah.readers.http.awake_clock import AwakeClock
from niah.readers.http.health import EndpointHealth
from niah.readers.http.lasting import lasting_fault
from niah.readers.http.outcomes import Fault
from niah.readers.http.retries import retrier as attempts
from niah.readers.http.retries.patience import Patience
from niah.readers.http.retries.retrier import Retrier
from niah.readers.http.retries.retry_after import retry_after_s
from niah.readers.reader import Answer, Failure, Response, Traffic, Usage
from tests.readers.http.virtual_time import VirtualTime

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, longest_wait_s=1.0, gone_s=0.3, limited_s=1.0)
clock = VirtualTime()


@pytest.fixture(autouse=True)
def virtual_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "AwakeClock", lambda: AwakeClock(clock.time))


class Script:
    """An attempt that plays back results and notes when it was called."""

    def __init__(self, *results: Response | Fault) -> None:
        self.results = list(results)
        self.called: list[float] = []

    async def __call__(self) -> Response | Fault:
        self.called.append(clock.time())
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def retrier(patience: Patience = QUICK, concurrency: int = 8, short: Script | None = None) -> Retrier:
    """Of an endpoint that answers short questions, unless ``short`` says otherwise."""
    return Retrier(patience, concurrency, short or Script(GOOD))


def read(script: Script, patience: Patience = QUICK) -> Response:
    return clock.run(retrier(patience).read(script))


def summary(response: Response) -> tuple[str, str]:
    assert isinstance(response, Failure)
    return response.outcome, response.reason


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
        asked = retrier(Patience(limited_s=1.0))
        assert set(await asyncio.gather(*(asked.read(Strict(GOOD)) for _ in range(4)))) == {GOOD}

    clock.run(main())


class Endpoint:
    """Gives the same fault to everyone, until it is mended."""

    def __init__(self, fault: Fault) -> None:
        self.reply: Response | Fault = fault
        self.asked = self.short = 0

    async def long_question(self) -> Response | Fault:
        self.asked += 1
        return self.reply

    async def short_question(self) -> Response | Fault:
        self.short += 1
        return self.reply


@pytest.mark.parametrize("concurrency", [1, 8, 64])
@pytest.mark.parametrize("fault", [Fault("connection refused"), Fault("oops", 500)])
def test_an_endpoint_that_answers_nobody_is_waited_for_once(fault: Fault, concurrency: int) -> None:
    async def main() -> None:
        endpoint = Endpoint(fault)
        asked = Retrier(QUICK, concurrency, endpoint.short_question)
        started = clock.time()
        responses = await asyncio.gather(*(asked.read(endpoint.long_question) for _ in range(100)))
        assert clock.time() - started < 3 * QUICK.gone_s
        for response in responses:
            assert isinstance(response, Failure)
            assert "answers no short question either" in response.reason
            assert fault.message in response.reason
            assert response.lasting is not None
            assert response.lasting.in_a_row == 1
        assert endpoint.asked <= max(3, concurrency), "it was known to be in trouble"

    clock.run(main())


def test_an_endpoint_that_comes_back_loses_nothing() -> None:
    async def main() -> None:
        endpoint = Endpoint(Fault("connection refused"))
        asked = Retrier(Patience(first_wait_s=0.01, gone_s=30.0), 8, endpoint.short_question)
        reading = asyncio.gather(*(asked.read(endpoint.long_question) for _ in range(50)))
        await asyncio.sleep(0.2)
        assert not reading.done()
        assert endpoint.asked <= 8
        endpoint.reply = GOOD
        assert await asyncio.wait_for(reading, 10) == [GOOD] * 50

    clock.run(main())


def test_a_request_that_an_endpoint_dies_of_is_not_the_endpoints_fault() -> None:
    poison = Script(Fault("server disconnected"))
    assert summary(read(poison)) == ("reader_error", "after 4 attempts: server disconnected")
    assert len(poison.called) == 4


def test_a_silent_endpoint_is_asked_a_short_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.readers.http.health._LEAST_SILENCE_S", 0.2)
    monkeypatch.setattr("niah.readers.http.retries.retrier.TICK_S", 0.05)
    monkeypatch.setattr("niah.readers.http.retries.retrier._SHORT_LIMIT_S", 0.1)

    async def hang() -> Response | Fault:
        await asyncio.sleep(60)
        return GOOD

    async def slow() -> Response | Fault:
        await asyncio.sleep(0.6)
        return GOOD

    async def main() -> None:
        dead = Retrier(Patience(gone_s=0.2, first_wait_s=0.01), 4, hang)
        alive = retrier(Patience(gone_s=0.2), 4)
        for asked in (dead, alive):
            for _ in range(3):
                await asked.read(Script(GOOD), size=10)
        assert await alive.read(slow, size=10) == GOOD, "slow, and yet there"
        response = await asyncio.wait_for(dead.read(hang, size=10), 5)
        assert "no reply within" in summary(response)[1]

    clock.run(main())


@pytest.mark.parametrize("lists_models", [False, True])
def test_an_endpoint_that_never_replied_is_waited_for_where_it_lists_its_models(
    lists_models: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("niah.readers.http.health._LEAST_SILENCE_S", 0.1)
    monkeypatch.setattr("niah.readers.http.retries.retrier.TICK_S", 0.05)
    monkeypatch.setattr("niah.readers.http.retries.retrier._SHORT_LIMIT_S", 0.1)
    loaded: list[float] = []

    async def loading() -> Response | Fault:
        await asyncio.sleep(60 if not loaded else 0)
        return GOOD

    async def first() -> Response | Fault:
        await asyncio.sleep(1.0)
        loaded.append(1.0)
        return GOOD

    async def is_there() -> bool:
        return lists_models

    async def main() -> None:
        asked = Retrier(Patience(gone_s=0.2, first_wait_s=0.01, limited_s=30.0), 4, loading, "r", is_there)
        response = await asyncio.wait_for(asked.read(first, size=10), 10)
        if lists_models:
            assert response == GOOD
            return
        assert isinstance(response, Failure)
        assert response.lasting is not None
        assert "no reply within" in response.reason

    clock.run(main())


def test_a_longer_prompt_may_take_longer_before_anything_is_known() -> None:
    health = EndpointHealth()
    assert health.is_silent(20.0, 0.0, 2_000)
    assert not health.is_silent(20.0, 0.0, 40_000)  # 10,000 tokens may take 100 s
    assert not health.is_silent(99.0, 0.0, 40_000)
    assert health.is_silent(101.0, 0.0, 40_000)
    assert health.may_be_starting(101.0, 40_000, 30.0)
    assert not health.may_be_starting(401.0, 40_000, 30.0)
    health.replied(102.0, 102.0, 40_000)
    assert not health.may_be_starting(103.0, 40_000, 30.0), "it has replied, so nothing is loading"


def test_a_few_slow_replies_put_off_no_end() -> None:
    """Of the first requests, say, while this machine was busy with something else."""
    health = EndpointHealth()
    for number in range(50):
        health.replied(0.0, 30.0 if number < 4 else 0.1, 2_000)
    assert not health.is_silent(9.0, 0.0, 2_000)
    assert health.is_silent(10.0, 0.0, 2_000)
    for _ in range(50):
        health.replied(0.0, 4.0, 40_000)
    assert not health.is_silent(39.0, 0.0, 40_000), "ten times what it takes of late"
    assert health.is_silent(40.0, 0.0, 40_000)
    for _ in range(100):
        health.replied(0.0, 50.0, 40_000)
    assert not health.is_silent(149.0, 0.0, 40_000), "slower than endpoints are: three times as long"
    assert health.is_silent(150.0, 0.0, 40_000)


def test_time_asleep_is_no_time() -> None:
    moments = iter([0.0, 1.0, 2.0, 3600.0, 3601.0, 3500.0, 3501.0])
    awake = AwakeClock(lambda: next(moments))
    assert [awake.now() for _ in range(6)] == [1.0, 2.0, 3.0, 4.0, 4.0, 5.0]


def test_a_retrier_serves_one_event_loop_after_another() -> None:
    async def crowd() -> None:
        assert set(await asyncio.gather(*(asked.read(Script(GOOD)) for _ in range(20)))) == {GOOD}

    asked = retrier()
    asyncio.run(crowd())
    asyncio.run(crowd())


@pytest.mark.parametrize(
    ("fault", "in_a_row"),
    [
        (Fault("Incorrect API key provided", 401), 3),
        (Fault("no access", 403), 3),
        (Fault("pay first", 402), 3),
        (Fault("you exceeded your quota", 429, frozenset({"insufficient_quota"})), 3),
        (Fault("not found", 404), 3),
        (Fault("The model `gpt-9` does not exist", 400), 3),
        (Fault("it points elsewhere", 307), 3),
        (Fault("no such parameter", 400), 10),
        (Fault("maximum context length is 9 tokens", 400), None),
        (Fault("filtered", 400, frozenset({"content_filter"})), None),
        (Fault("oops", 500), None),
    ],
)
def test_what_others_would_meet_as_well(fault: Fault, in_a_row: int | None) -> None:
    lasting = lasting_fault(fault)
    assert (lasting and lasting.in_a_row) == in_a_row


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 60.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        (
            {"retry-after": "Thu, 01 Jan 2099 00:01:40 GMT", "date": "Thu, 01 Jan 2099 00:01:30 GMT"},
            10.0,
        ),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": f"Mon, 01 Jan {'9' * 21} 00:00:00 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=40.0) == seconds
