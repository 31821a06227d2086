"""Hash-Hop through niah's own runner: the whole of it to a reader, or what MixPR keeps of it.

    python -m tests.bench.bench_hash_hop [TOKENS] [STRATEGY] [HOPS]

The reader is a model of a real HTTP endpoint that follows the lines it is sent, as far as they are there.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path

import niah
from niah.cases.questions.hash_hop import HashHop, write_hash_hop
from tests.loopback import Post, Reply, completion, replying

_LINE = re.compile(r"\b(\w{16}) -> (\w{16})\b")
_HASH = re.compile(r"\b\w{16}\b")
_QUESTIONS = 3


def follow(post: Post, hops: int) -> Reply:
    """Where so many hops lead from the hash that the question names, or as far as the lines go."""
    prompt = post.body["messages"][-1]["content"]
    leads = dict(_LINE.findall(prompt))
    at = _HASH.findall(prompt)[-1]
    for _ in range(hops):
        at = leads.get(at, at)
    return Reply(completion(at))


def main(tokens: int, strategy: str, hops: int) -> None:
    """Goal: read whole, every answer right; of MixPR, what its walk over like lines comes to."""
    os.chdir(tempfile.mkdtemp(prefix="niah-hash-hop-"))
    os.environ.update(NIAH_CACHE=str(Path.cwd() / "cache"))
    begun = time.process_time()
    lines = write_hash_hop(Path("hops.jsonl"), HashHop(tokens, hops, _QUESTIONS, False, 1, "cl100k"))
    Path("hops.yaml").write_text("questions: hops.jsonl\n")
    with replying(lambda post: follow(post, hops)) as address:
        frame = niah.run(
            "hops.yaml",
            readers=[{"name": "follower", "model": "follower", "api_base": f"{address}/v1"}],
            strategies=[strategy],
            out="hops.sqlite",
            progress=False,
        ).frame()
    print(
        f"{tokens:,} tokens in {lines:,} lines, {hops} hops, {strategy}: "
        f"{frame.outcome.astype(str).tolist()}, scores {frame.score.tolist()}, "
        f"{frame.context_tokens.tolist()} tokens of context sent, {time.process_time() - begun:.0f} s of CPU"
    )


if __name__ == "__main__":
    main(
        int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else 1_000_000,
        sys.argv[2] if len(sys.argv) > 2 else "lc",
        int(sys.argv[3]) if len(sys.argv) > 3 else 3,
    )
