"""A conversation as messages to a real endpoint of llama.cpp's, beside the same as one text.

    python -m tests.bench.bench_turns [SEEDS]

The packaged smollm2 behind the HTTP server that the embedded reader starts, asked as any endpoint is:
recall@2, with the reader option `mode: turns` and without. Prints outcomes, scores, and prompt tokens as the
endpoint counts them, which say what the chat template adds to every message. Without SEEDS, 1.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile

import niah
from niah import weights
from niah.readers.embedded.server_process import ServerProcess

LENGTH = 1000


def main(seeds: int, address: str, key: str) -> None:
    """Goal: no reader errors, and more prompt tokens with a message a turn."""
    os.environ["BENCH_TURNS_KEY"] = key
    os.chdir(tempfile.mkdtemp(prefix="niah-turns-"))
    for mode in ("turns", "chat"):
        frame = niah.run(
            "recall",
            readers=[
                {
                    "name": "smollm2",
                    "model": "smollm2",
                    "api_base": address,
                    "key_variable": "BENCH_TURNS_KEY",
                }
            ],
            strategies=["lc"],
            needle_sets=["recall@2"],
            lengths=(LENGTH,),
            seeds={"anchor": list(range(1, seeds + 1))},
            judge="mrcr",
            reader_options={"mode": mode},
            out=f"{mode}.sqlite",
            progress=False,
        ).frame()
        outcomes, scores = frame.outcome.astype(str).tolist(), frame.score.tolist()
        print(
            f"{mode}: {outcomes}, scores {scores}, prompt tokens {frame.prompt_tokens.tolist()}", flush=True
        )


async def _served(seeds: int) -> None:
    server = await ServerProcess.start(weights.ensure_weights("smollm2"), "smollm2", None)
    try:
        await asyncio.to_thread(main, seeds, server.base_url, server.api_key)
    finally:
        await server.stop()


if __name__ == "__main__":
    asyncio.run(_served(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
