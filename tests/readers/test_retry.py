"""Attempts and the waits between them, in virtual time: limits, overloads, endpoints that are gone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import pytest

from niah.readers.limits import Share, heard
from niah.readers.outcomes import Fault
from niah.readers.reader import Answer, Failure, Patience, Request, Response, Usage
from niah.readers.retry import Endpoint, Reader, ReaderOfPackage
from tests.readers.conftest import reason
from tests.virtual_time import VirtualTime

GOOD = Answer("Paris", Usage(), 0.1)
QUICK = Patience(attempts=4, timeout_s=0.2, first_wait_s=0.001, gone_s=0.3, limited_s=1.0)
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


async def _ask(asked: Endpoint, attempt: Script) -> Response:
    return await asked.ask(attempt)


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
            said = f"answers no short question either: {'HTTP 500: ' * bool(fault.status)}"
            assert said in reason(response)
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


@dataclass
class Limit:
    """An endpoint's limit of tokens: they come back evenly, or ``at_once`` when a window ends."""

    size: int
    minute_s: float = 60.0
    at_once: bool = False
    others: float = 0.0  # the share of what comes back that other processes take
    asked: int = 0
    refused: int = 0
    taken: int = 0

    def ask(self, tokens: int) -> tuple[float | None, dict[str, str]]:
        """Seconds to wait, None where the tokens are given, and headers."""
        now, rate = clock.time(), self.size / self.minute_s
        if not self.asked:
            self.began, self.at, self.left = now, now, float(self.size)
        window = (now - self.began) // self.minute_s
        is_new = window > (self.at - self.began) // self.minute_s
        back = self.size * is_new if self.at_once else (now - self.at) * rate * (1 - self.others)
        self.left, self.at = min(self.size, self.left + back), now
        self.asked, enough = self.asked + 1, self.left >= tokens
        self.left -= tokens * enough
        self.taken += tokens * enough
        self.refused += not enough
        end_s = self.began + (window + 1) * self.minute_s - now
        full_s = end_s if self.at_once else (self.size - self.left) / rate
        headers = {"limit": self.size, "remaining": int(self.left), "reset": f"{1000 * full_s:.0f}ms"}
        wait_s = None if enough else end_s if self.at_once else (tokens - self.left) / rate
        return wait_s, {f"x-ratelimit-{name}-tokens": str(value) for name, value in headers.items()}


@pytest.mark.parametrize(
    ("size", "prompt", "at_once", "others"),
    [
        (100_000, 2_000, False, 0.0),
        (100_000, 2_000, True, 0.0),
        (2_000_000, 128_000, False, 0.0),
        pytest.param(100_000, 2_000, False, 0.5, marks=pytest.mark.slow),
    ],
)
def test_prompts_of_any_length_keep_to_limits_of_all_kinds(
    size: int, prompt: int, at_once: bool, others: float
) -> None:
    class Limited(Reader):
        async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
            tokens = len(request.prompt) // 4 + 9
            wait_s, headers = limit.ask(tokens + request.max_tokens)
            heard.set(headers)
            if wait_s is not None:
                return Fault("slow down", 429, retry_after_s=wait_s)
            await asyncio.sleep(0.5 + tokens / 8000)
            return Answer("Paris", Usage(tokens, 3), 1.0)

    async def main() -> None:
        readers = [Limited(f"m{n}") for n in range(8)]
        for reader in readers:
            reader._share = Share("one")
        request = Request("x" * (4 * prompt), 100)
        replies = await asyncio.gather(*(each.read(request) for each in readers * (size // prompt)))
        assert all(isinstance(reply, Answer) for reply in replies)
        # At most 2 % refused, 5 % next to others; at least 90 % of what was allowed used.
        minutes = (clock.time() - limit.began) / limit.minute_s * (1 - others)
        assert limit.refused <= (0.05 if others else 0.02) * limit.asked
        assert limit.taken >= 0.9 * size * (minutes if at_once else minutes + 1)

    limit = Limit(size, at_once=at_once, others=others)
    clock.run(main())


class Slow(Reader):
    """Replies after so many seconds, with headers; notes when it was asked."""

    seconds, headers, asked = 60.0, dict[str, str](), list[float]()

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        self.asked.append(clock.time())
        await asyncio.sleep(self.seconds)
        heard.set(self.headers)
        return GOOD


def test_a_key_without_limits_is_waited_for_once_and_not_for_long() -> None:
    async def main() -> list[float]:
        began, reader.asked = clock.time(), []
        await asyncio.gather(*(reader.read(Request("x", 1)) for _ in range(8)))
        return [at - began for at in reader.asked]

    reader = Slow("m")
    reader._share = Share("slow")
    first, *others = clock.run(main())
    assert first < 0.1
    assert all(14 < at < 18 for at in others)


HOSTILE = ["-1", "0", "nan", "inf", "1e-320", "1e308", "1.2.3s", "0001-01-01", "9" * 400, f"{'9' * 400}s"]


@pytest.mark.parametrize("reset", [*HOSTILE, "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("size", HOSTILE)
def test_no_header_hangs_or_breaks_a_run(size: str, reset: str) -> None:
    async def main() -> None:
        began = clock.time()
        assert all([isinstance(await reader.read(Request("x", 1)), Answer) for _ in range(9)])
        assert clock.time() - began < 9 * 121

    reader = Slow("m")
    reader._share, reader.seconds = Share("hostile"), 0.1
    reader.headers = {f"x-ratelimit-{name}-tokens": size for name in ("limit", "remaining")}
    reader.headers |= {"x-ratelimit-reset-tokens": reset, "x-ratelimit-remaining-requests": "0"}
    reader.headers |= {"x-ratelimit-limit-requests": "3", "x-ratelimit-reset-requests": reset}
    clock.run(main())


class Told:
    """A package's reader that returns what it was made of."""

    def __init__(self, response: Any) -> None:
        self.response = response

    async def read(self, request: Request) -> Any:
        return self.response


def read_of_package(response: Any) -> Response:
    return asyncio.run(
        ReaderOfPackage("told", "told", "told 1", Told(response), 1).read(Request("Where?", 9))
    )


def test_a_package_s_reader_that_counts_what_cannot_be_has_not_counted() -> None:
    kept = Answer("Paris", Usage(10, 2, 0, 1), 0.5)
    assert read_of_package(kept) == kept
    wrong: Any = Usage(-1, nan, "7", 10**15)  # type: ignore[arg-type]
    assert read_of_package(Answer("Paris", wrong, 0.5)).usage == Usage()
    no_usage: Any = None
    assert read_of_package(Failure("truncated", "cut", usage=no_usage)).usage == Usage(stored_tokens=None)
    no_time: Any = None
    for latency in (nan, inf, -1.0, no_time):
        assert 0 <= read_of_package(Answer("Paris", Usage(), latency)).latency_s < 1


def test_a_package_s_reader_that_gives_no_text_gives_no_answer() -> None:
    no_text: Any = None
    assert "gave a NoneType as text" in reason(read_of_package(Answer(no_text, Usage(), 0.1)))
    assert read_of_package(Answer("half \ud83d", Usage(), 0.1)).text == "half ?"
