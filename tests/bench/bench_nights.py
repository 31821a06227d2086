"""Nights with the embedded model: the first, one just like it, and one behind a proxy that truncates.

    python -m tests.bench.bench_nights [whole|shipped [SERVERS|ADDRESS [FOLDER]]]

Real llama.cpp servers read; a proxy stands before them, which in some nights forwards only a third of each
context. `niah nightly` must end with 0, 0 and 1, and name the reader and the strategy. Then, with ``whole``
and with ``shipped``, a night like the first and a truncated one again, both with --adaptive: 0, with fewer
trials, and 1.

With ``shipped`` it is the run config `nightly` that ships, 756 trials a night, read by so many servers at
once (by one: half an hour of two cores a night), or by an endpoint at ADDRESS (`http://127.0.0.1:8000/v1`)
that serves the same weights as ``small``, to 64 at once. Run files and verdicts stay in FOLDER.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol

import yaml

from niah import weights
from niah.cli.main import main as niah
from niah.readers.embedded.server_process import ServerProcess
from tests.loopback import Reply, replying

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [400]
depths: [10, 90]
seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"""
CONFIG: dict[str, object] = {"suite": "grid.yaml", "strategies": ["lc"]}
Night = tuple[int, bool, list[str]]
"""Its day, whether contexts are cut on their way, and options."""

NIGHTS: tuple[Night, ...] = (
    (20, False, []),
    (21, False, []),
    (22, True, []),
    (23, False, ["--adaptive"]),
    (24, True, ["--adaptive"]),
)
EXPECTED = (0, 0, 1, 0, 1)
FIRST = "night-2026-11-20"
SHIPPED = Path(__file__).parents[2] / "runs/tonight.yaml"
_WINDOW = 8192
_AT_AN_ADDRESS = 64
_FEW = 3


class Server(Protocol):
    """Where a server is and the key that it asks for."""

    @property
    def base_url(self) -> str: ...

    @property
    def api_key(self) -> str: ...


@dataclass(frozen=True)
class Endpoint:
    """A server that somebody else started."""

    base_url: str
    api_key: str = "none"


@dataclass
class Proxy:
    """Forwards to idle servers, whole prompts or, once it is handicapped, the beginning of their contexts."""

    servers: Sequence[Server]
    handicapped: bool = False
    _idle: SimpleQueue[Server] = field(default_factory=SimpleQueue)

    def __post_init__(self) -> None:
        for server in self.servers:
            self._idle.put(server)

    def forwarded(self, body: dict[str, object]) -> bytes:
        if self.handicapped:
            messages = body["messages"]
            assert isinstance(messages, list)
            context, question, asked = messages[0]["content"].rpartition("Question:")
            messages[0]["content"] = context[: len(context) // 3] + question + asked
        server = self._idle.get()
        try:
            return _asked(server, body)
        finally:
            self._idle.put(server)


def _asked(server: Server, body: dict[str, object]) -> bytes:
    request = urllib.request.Request(
        f"{server.base_url}/chat/completions",
        json.dumps(body | {"cache_prompt": False}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {server.api_key}"},
    )
    with urllib.request.urlopen(request) as reply:
        data: bytes = reply.read()
    return data


def main(kind: str = "", servers: str = "1", folder: str = "") -> None:
    with tempfile.TemporaryDirectory() as made:
        os.chdir(folder or made)
        config = yaml.safe_load(SHIPPED.read_text()) if kind == "shipped" else CONFIG
        planned = NIGHTS if kind else NIGHTS[:_FEW]
        against = ["--baseline", FIRST] if kind != "shipped" else []
        asyncio.run(started(config, servers, planned, against))


async def started(
    config: dict[str, object], servers: str, planned: Sequence[Night], against: list[str]
) -> None:
    if servers.startswith("http"):
        await nights(config, [Endpoint(servers)] * _AT_AN_ADDRESS, planned, against)
        return
    async with AsyncExitStack() as stack:
        processes = []
        for _ in range(int(servers)):
            process = await ServerProcess.start(weights.ensure_weights("smollm2"), "small", _WINDOW)
            stack.push_async_callback(process.stop)
            processes.append(process)
        await nights(config, processes, planned, against)


async def nights(
    config: dict[str, object], servers: Sequence[Server], planned: Sequence[Night], against: list[str]
) -> None:
    proxy = Proxy(servers)
    with replying(lambda post: Reply(proxy.forwarded(post.body))) as address:
        Path("grid.yaml").write_text(SUITE)
        reader = {"model": "small", "api_base": f"{address}/v1", "concurrency": len(servers)}
        Path("night.yaml").write_text(yaml.safe_dump(config | {"readers": [reader]}))
        codes = []
        for day, handicapped, more in planned:
            proxy.handicapped = handicapped
            arguments = ["nightly", "night.yaml", "--date", f"2026-11-{day}", *more]
            codes.append(await asyncio.to_thread(niah, arguments + (against if more else [])))
    print(f"nights: exit codes {tuple(codes)}, expected {EXPECTED[: len(planned)]}")
    for day, *_ in planned[1:]:
        print(f"night {day}: {told(day)}", flush=True)


def told(day: int) -> str:
    """What a night came to: how many trials it took, and who got worse."""
    night = json.loads(Path(f"plots/night-2026-11-{day}/verdict.json").read_text())
    lines = [f"{night['kind']}, {night['scored']} of {night['trials']} trials scored"]
    for role, comparison in night["comparisons"].items():
        worse = [" ".join(row["parts"].values()) for row in comparison["verdict"]["regressions"]]
        lines.append(f"against {role}: {', '.join(worse) or 'nothing worse'}")
    return "; ".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
