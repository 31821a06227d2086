"""Nights with the embedded model: the first, one just like it, and one behind a proxy that truncates.

A real llama.cpp server reads; a proxy stands before it, which in some nights forwards only a third of each
context. `niah nightly` must end with 0, 0 and 1, and name the reader and the strategy. Then a night like the
first and a truncated one again, both with --adaptive: 0, with fewer trials, and 1.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

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
CONFIG = "suite: grid.yaml\nreaders: [{{model: small, api_base: {base}, concurrency: 1}}]\nstrategies: [lc]\n"
NIGHTS: tuple[tuple[int, bool, list[str]], ...] = (
    (20, False, []),
    (21, False, []),
    (22, True, []),
    (23, False, ["--adaptive"]),
    (24, True, ["--adaptive"]),
)
EXPECTED = (0, 0, 1, 0, 1)
FIRST = "night-2026-11-20"


@dataclass
class Proxy:
    """Forwards to the server, whole prompts or, once it is handicapped, the beginning of their contexts."""

    server: ServerProcess
    handicapped: bool = False

    def forwarded(self, body: dict[str, object]) -> bytes:
        if self.handicapped:
            messages = body["messages"]
            assert isinstance(messages, list)
            context, question, asked = messages[0]["content"].rpartition("Question:")
            messages[0]["content"] = context[: len(context) // 3] + question + asked
        request = urllib.request.Request(
            f"{self.server.base_url}/chat/completions",
            json.dumps(body | {"cache_prompt": False}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.server.api_key}"},
        )
        with urllib.request.urlopen(request) as reply:
            data: bytes = reply.read()
        return data


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        asyncio.run(nights())


async def nights() -> None:
    server = await ServerProcess.start(weights.ensure_weights("smollm2"), "small", 4096)
    try:
        proxy = Proxy(server)
        with replying(lambda post: Reply(proxy.forwarded(post.body))) as address:
            Path("grid.yaml").write_text(SUITE)
            Path("night.yaml").write_text(CONFIG.format(base=f"{address}/v1"))
            codes = []
            for day, handicapped, more in NIGHTS:
                proxy.handicapped = handicapped
                against = ["--baseline", FIRST] if more else []
                arguments = ["nightly", "night.yaml", "--date", f"2026-11-{day}", *more, *against]
                codes.append(await asyncio.to_thread(niah, arguments))
        print(f"nights: exit codes {tuple(codes)}, expected {EXPECTED}")
        for day, *_ in NIGHTS[1:]:
            print(f"night {day}: {told(day)}")
    finally:
        await server.stop()


def told(day: int) -> str:
    """What a night came to: how many trials it took, and who got worse."""
    night = json.loads(Path(f"plots/night-2026-11-{day}/verdict.json").read_text())
    lines = [f"{night['kind']}, {night['scored']} of {night['trials']} trials scored"]
    for role, comparison in night["comparisons"].items():
        worse = [" ".join(row["parts"].values()) for row in comparison["verdict"]["regressions"]]
        lines.append(f"against {role}: {', '.join(worse) or 'nothing worse'}")
    return "; ".join(lines)


if __name__ == "__main__":
    main()
