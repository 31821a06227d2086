"""Trials per second of a whole run against a bare AsyncOpenAI loop on the same stub, in this process.

The stub is another process, answers at once, and is asked over loopback. Both sides send the same prompts of
a context of 8,000 tokens. Then: resident memory over thousands of trials of 32,000 tokens.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path

import openai

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.registry import resolve_judge
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.runs.execution.ask import Asking, Progress
from niah.runs.execution.prepare import prepare
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse

CONCURRENCIES = (1, 32, 256)
TRIALS = 400
ROUNDS = 5
LENGTH = 8_000
MEMORY_LENGTH = 32_000
MEMORY_TRIALS = 4_000

REPLY = (
    b'{"id":"c","object":"chat.completion","created":1,"model":"stub","choices":[{"index":0,"finish_reason":'
    b'"stop","message":{"role":"assistant","content":"50317, 82946 and 17685"}}],'
    b'"usage":{"prompt_tokens":8000,"completion_tokens":12,"total_tokens":8012}}'
)


def main() -> None:
    base, stub = start_stub()
    try:
        asyncio.run(through_execute(base, plan(LENGTH, TRIALS), 8))  # imports, files, tables
        for concurrency in CONCURRENCIES:
            ours, bare = [], []
            for _ in range(ROUNDS):
                ours.append(asyncio.run(through_execute(base, plan(LENGTH, TRIALS), concurrency)))
                bare.append(asyncio.run(through_openai(base, plan(LENGTH, TRIALS), concurrency)))
            ratio = statistics.median(b / o for o, b in zip(ours, bare, strict=True))
            print(
                f"runner: concurrency {concurrency}: {TRIALS / statistics.median(ours):,.0f} trials/s, bare"
                f" {TRIALS / statistics.median(bare):,.0f} calls/s, ratio {ratio:.2f}"
            )
        print(f"runner at 256 in flight, bare client = 1: {ratio:.3g}")
        memory(base)
    finally:
        stub.terminate()


def plan(length: int, trials: int) -> list[Trial]:
    """Trials of some forty cases: lengths apart by one token, depths, repeats."""
    cases = [Case("three-gates", "essays", length - n, d) for n, d in product(range(4), range(0, 100, 10))]
    repeats = -(-trials // len(cases))
    every = [Trial(sample_of(case), parse("lc"), "stub", r, 80) for case in cases for r in range(repeats)]
    return every[:trials]


async def through_execute(
    base: str, trials: list[Trial], concurrency: int, watcher: Watcher | None = None
) -> float:
    """Seconds of the whole run: contexts, prompts, requests, verdicts, commits."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_for_writing(Path(folder) / "run.sqlite") as store,
    ):
        store.begin({"judge": "rubric"}, trials)
        reader = OpenAICompatibleReader("stub", base, concurrency=concurrency)
        start = time.perf_counter()
        await Asking(store, watcher or Watcher(), resolve_judge("rubric")).ask([reader], trials)
        return time.perf_counter() - start


async def through_openai(base: str, trials: list[Trial], concurrency: int) -> float:
    """Seconds of the requests alone, their prompts made before."""
    prompts = iter([prepare(trial, print).request.prompt for trial in trials])
    client = openai.AsyncOpenAI(
        base_url=base, api_key="none", max_retries=0, http_client=openai.DefaultAioHttpClient(), timeout=600
    )

    async def work() -> None:
        for prompt in prompts:
            await client.chat.completions.create(
                model="stub",
                messages=[{"role": "user", "content": prompt}],
                max_tokens=80,
                temperature=0,
                seed=1,
            )

    async with client:
        start = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(concurrency)))
        return time.perf_counter() - start


def memory(base: str) -> None:
    """Resident memory along a long run, at concurrency 32."""
    trials = plan(MEMORY_LENGTH, MEMORY_TRIALS)
    watcher = Watcher(every=MEMORY_TRIALS // 8)
    seconds = asyncio.run(through_execute(base, trials, 32, watcher))
    print(
        f"runner: {MEMORY_TRIALS} trials of {MEMORY_LENGTH:,} tokens in {seconds:.0f} s;"
        " resident MiB at each eighth: " + ", ".join(f"{mib:.0f}" for mib in watcher.mib)
    )


@dataclass
class Watcher(Progress):
    """Shows nothing; notes the resident memory in MiB after every so many trials."""

    every: int = 0
    done: int = 0
    mib: list[float] = field(default_factory=list)

    def finished(self, trial: Trial, result: TrialResult) -> None:
        assert result.outcome == "scored", result.reason
        self.done += 1
        if self.every and self.done % self.every == 0:
            self.mib.append(resident_mib())


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def start_stub() -> tuple[str, multiprocessing.process.BaseProcess]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    return f"http://127.0.0.1:{ours.recv()}/v1", process


def serve(parent: Connection) -> None:
    """Answer every request at once."""
    asyncio.run(_serve(parent))


class Stub(asyncio.Protocol):
    """As little HTTP as will do: reads a body of the length announced, if any is, and replies."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._head = b""
        self._left = -1

    def data_received(self, data: bytes) -> None:
        if self._left < 0:
            self._head += data
            head, end, body = self._head.partition(b"\r\n\r\n")
            if not end:
                return
            lines = head.lower().split(b"\r\n")
            length = next((line for line in lines if line.startswith(b"content-length:")), b":0")
            self._left, data = int(length.partition(b":")[2]), body
        self._left -= len(data)
        if self._left <= 0:
            self._head, self._left = b"", -1
            self._transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % len(REPLY)
                + REPLY
            )


async def _serve(parent: Connection) -> None:
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", 0, backlog=1024)
    parent.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


if __name__ == "__main__":
    main()
