"""A whole run against a real endpoint that misbehaves on purpose: every trial ends, and ends rightly."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.registry import resolve_judge
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.reader import Patience
from niah.runs.execution.ask import Asking, Progress
from niah.runs.execution.prepare import prepare
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Outcome, Trial, TrialResult, rows_of
from niah.strategies.strategy import parse
from tests import loopback

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

ANSWER = "The access code of the copper gate is 50317, of the willow gate 82946, of the granite gate 17685."
ROOM = 80
PATIENCE = Patience(attempts=3, timeout_s=1.0, first_wait_s=0.01, limited_s=0.5)
# A fault that lasts longer than anybody waits, and the limit that tells a run that ends from one that hangs:
# far more than all attempts and waits on a busy machine, far less than the fault.
FOR_EVER_S = 3600.0
LIMIT_S = 300.0


def completion(content: object = ANSWER, finish_reason: object = "stop", **more: object) -> dict[str, Any]:
    made = loopback.completion("", 700, 30)
    made["choices"][0] |= {"message": {"content": content}, "finish_reason": finish_reason}
    return made | more


def says(body: object, status: int = 200, **headers: str) -> Handler:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = {"content-type": "application/json"} | {key.replace("_", "-"): v for key, v in headers.items()}

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(body=data, status=status, headers=kind)

    return handler


def raw(data: bytes) -> Handler:
    """Bytes in place of an HTTP reply, then the end of the connection."""

    async def handler(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(data)
        request.transport.close()
        return web.Response()

    return handler


async def hang(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(FOR_EVER_S)
    return web.Response()


async def slow_drip(request: web.Request) -> web.StreamResponse:
    """A byte now and then, which no limit between two bytes ever meets."""
    response = web.StreamResponse(headers={"content-type": "application/json"})
    await response.prepare(request)
    for _ in range(round(FOR_EVER_S / 0.1)):
        await response.write(b" ")
        await asyncio.sleep(0.1)
    return response


async def flood(request: web.Request) -> web.StreamResponse:
    """A reply that has no end, as fast as it is read."""
    response = web.StreamResponse(headers={"content-type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" " * 2**20)


async def drop(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def drop_midway(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-length": "1000", "content-type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    return await drop(request)


WHOLE = json.dumps(completion()).encode()
HUGE = {"prompt_tokens": 10**30, "completion_tokens": 2**63, "prompt_tokens_details": {"cached_tokens": -1}}

# Of two good replies and of those that are no completion: tests/golden.py and contract/test_running.py.
BEHAVIOURS: dict[str, tuple[Outcome, tuple[Handler, ...]]] = {
    # Right at once, or after a fault that passes.
    "a hang, then an answer": ("scored", (hang, says(completion()))),
    "a dropped connection, then an answer": ("scored", (drop, says(completion()))),
    "an answer with counts no database can hold": ("scored", (says(completion(usage=HUGE)),)),
    "an answer with half a character": ("scored", (says(completion(ANSWER + " \ud83d")),)),
    "an unknown charset": ("scored", (says(WHOLE, Content_Type="application/json; charset=hex"),)),
    "an answer cut short, then a whole one": ("scored", (says(WHOLE[:-9]), says(completion()))),
    # Faults that stay.
    "a hang": ("reader_error", (hang,)),
    "a slow drip": ("reader_error", (slow_drip,)),
    "a flood": ("reader_error", (flood,)),
    "a dropped connection": ("reader_error", (drop,)),
    "a connection dropped midway": ("reader_error", (drop_midway,)),
    "no HTTP": ("reader_error", (raw(b"SSH-2.0-OpenSSH_9.6\r\n"),)),
    "a header without end": ("reader_error", (raw(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000),)),
    "a status of no meaning": ("reader_error", (raw(b"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n"),)),
    # Replies that are no completion.
    "an answer with a byte that is no text": ("reader_error", (says(WHOLE.replace(b"code", b"\xffode")),)),
    "a bomb": ("reader_error", (says(gzip.compress(b" " * 2**24, 1), Content_Encoding="gzip"),)),
    "zipped, it says": ("reader_error", (says(WHOLE, Content_Encoding="gzip"),)),
    "a number without end": ("reader_error", (says(b'{"choices": ' + b"9" * 10_000 + b"}"),)),
    "a choice of a wrong type": ("reader_error", (says({"choices": [ANSWER]}),)),
    "content of a wrong type": ("reader_error", (says(completion(["a", {"b": 1}])),)),
    "a finish_reason of a wrong type": ("reader_error", (says(completion(finish_reason={"a": 1})),)),
    # The last, since others would be sent more slowly; three in a row would stop the reader.
    "429 for ever": ("reader_error", (says({"error": {"message": "slow down"}}, 429),)),
}

TRIALS = [
    Trial(sample_of(Case("three-gates", "essays", 600 + place, 50)), parse("lc"), "simulated", 0, ROOM)
    for place in range(len(BEHAVIOURS))
]


class Silent(Progress):
    """Nobody watches; that no trial ends twice is noted."""

    def __init__(self) -> None:
        self.done: set[str] = set()
        self.said = list[str]()

    def say(self, text: str) -> None:
        self.said.append(text)

    def finished(self, trial: Trial, result: TrialResult) -> None:
        assert trial.trial_id not in self.done
        self.done.add(trial.trial_id)


@asynccontextmanager
async def misbehaving() -> AsyncIterator[str]:
    """The endpoint: each prompt meets the behaviour that is its own; the last handler of it stays."""
    ways = {
        prepare(trial, print).request.prompt: handlers
        for trial, (_, handlers) in zip(TRIALS, BEHAVIOURS.values(), strict=True)
    }
    asked: Counter[str] = Counter()

    async def handle(request: web.Request) -> web.StreamResponse:
        prompt = (await request.json())["messages"][0]["content"]
        # The short question is answered: only the trials' own requests meet faults.
        handlers = ways.get(prompt, (says(completion("OK.")),))
        asked[prompt] += 1
        return await handlers[min(asked[prompt], len(handlers)) - 1](request)

    app = web.Application(client_max_size=2**24)
    app.router.add_post("/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    try:
        yield f"http://{host}:{port}/v1"
    finally:
        await runner.cleanup()


def test_every_trial_ends_and_ends_rightly(tmp_path: Path) -> None:
    """One test, since one run tells it all."""
    path, silent = tmp_path / "run.sqlite", Silent()

    async def run() -> None:
        async with misbehaving() as base:
            reader = OpenAICompatibleReader("simulated", base, concurrency=4, patience=PATIENCE)
            asking = Asking(store, silent, resolve_judge("rubric"))
            await asyncio.wait_for(asking.ask([reader], TRIALS), LIMIT_S)

    with open_for_writing(path) as store:
        store.begin({"judge": "rubric"}, TRIALS)
        asyncio.run(run())
    records: dict[str, Any] = dict(zip(BEHAVIOURS, rows_of(read_run(path).trials), strict=True))
    wrong = {
        behaviour: (record.outcome, record.reason)
        for behaviour, record in records.items()
        if record.outcome != BEHAVIOURS[behaviour][0]
    }
    assert wrong == {}
    assert "starting simulated" in silent.said
    for behaviour, record in records.items():
        assert record.score == (10 if record.outcome == "scored" else None), behaviour
        judged = (record.score, record.judge_scores, record.self_doubt, record.error_type)
        assert (record.outcome == "scored") == any(part is not None for part in judged), behaviour
