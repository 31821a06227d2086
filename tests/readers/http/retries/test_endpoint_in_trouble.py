"""An endpoint that answers nobody, falls silent or has yet to load its model."""

from __future__ import annotations

import asyncio

import pytest

from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience
from niah.readers.http.retries.retrier import Retrier
from niah.readers.reader import Failure, Response
from tests.readers.http.retries.scripted import GOOD, QUICK, Script, clock, read, retrier, summary


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
