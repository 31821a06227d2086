"""Prompt tokens that the embedded reader really reads, and CPU seconds, by the order in which trials come.

    python -m tests.bench.bench_prefix [whole]

One needle set at two lengths, with "whole" at three, and ten depths, each answer cut after a few tokens: in
the order of the suite, in the order of runs, and without any prompt cache. Answers must be the same in all
three.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from itertools import product

from niah import weights
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.readers import Reader
from niah.readers.embedded.embedded import EmbeddedReader
from niah.readers.embedded.server_process import ServerProcess
from niah.readers.http.openai_compatible import OpenAICompatibleReader
from niah.runs.execution.prepare import prepare
from niah.runs.prefix_order import in_prefix_order
from niah.runs.trial import Trial
from niah.strategies.strategy import parse

LENGTHS = (600, 1200, 2400)
"""The last with "whole" alone."""

DEPTHS = range(10, 101, 10)
ANSWER = 4
CONTEXT = 4096


@dataclass(frozen=True)
class Pass:
    """All trials asked once; ``tokens`` are those of prompts that no cache held."""

    tokens: int
    texts: dict[str, str]


def main() -> None:
    planned = sweep(LENGTHS if "whole" in sys.argv else LENGTHS[:-1])
    orders = {"order of runs": in_prefix_order(planned), "order of the suite": planned}
    passes = {name: told(name, with_cache(trials)) for name, trials in orders.items()}
    passes["no cache"] = told("no cache", without_cache(planned))
    assert len({tuple(sorted(each.texts.items())) for each in passes.values()}) == 1


def told(name: str, asking: Coroutine[None, None, Pass]) -> Pass:
    """The server is a child, and has ended: the seconds hold its start, too."""
    before = cpu_seconds()
    taken = asyncio.run(asking)
    seconds = cpu_seconds() - before
    print(f"prefix: {name}: {taken.tokens:,} prompt tokens read, {seconds:.0f} CPU s", flush=True)
    return taken


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def sweep(lengths: Sequence[int]) -> list[Trial]:
    """In the order of a suite."""
    cases = [Case("three-gates", "essays", length, depth) for length, depth in product(lengths, DEPTHS)]
    return [Trial(sample_of(case), parse("lc"), "smollm2", 0, ANSWER) for case in cases]


async def with_cache(trials: Sequence[Trial]) -> Pass:
    async with EmbeddedReader(context=CONTEXT) as reader:
        return await asked(reader, trials)


async def without_cache(trials: Sequence[Trial]) -> Pass:
    server = await ServerProcess.start(weights.ensure_weights("smollm2"), "smollm2", CONTEXT)
    extra = {"cache_prompt": False}
    try:
        async with OpenAICompatibleReader("smollm2", server.base_url, server.api_key, extra=extra) as reader:
            return await asked(reader, trials)
    finally:
        await server.stop()


async def asked(reader: Reader, trials: Sequence[Trial]) -> Pass:
    requests = {trial.sample.sample_id: prepare(trial, print).request for trial in trials}
    readings = {case_id: await reader.read(request) for case_id, request in requests.items()}
    assert all(reading.text for reading in readings.values())
    usages = [reading.usage for reading in readings.values()]
    tokens = sum((usage.prompt_tokens or 0) - (usage.cached_tokens or 0) for usage in usages)
    return Pass(tokens, {case_id: r.text for case_id, r in readings.items()})


if __name__ == "__main__":
    main()
