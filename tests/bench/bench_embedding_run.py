"""What embedding takes of a whole run: seconds, and the tokens that the packaged model reads, cold and warm.

    PYTHONPATH=. python tests/bench/bench_embedding_run.py

Three needle sets of u-niah in essays, 1k to 32k, ten depths, no distractors, under topk, dos, vanilla, half
and mixpr, asked of an endpoint that answers at once. First with nothing embedded, then again with what the
first left on disk. Kept answers are not used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah import paths, weights
from niah.text.embedding.sentence_encoder import SentenceEncoder, TextSide
from tests.bench.bench_runner import start_stub

STARTED = time.perf_counter()

if TYPE_CHECKING:
    from collections.abc import Sequence

SUITE = """\
haystacks: [essays]
needle_sets: [pizza-ingredients, rainbow-potion, academy-courses]
lengths: [1000, 2000, 4000, 8000, 16000, 32000]
depths: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
shortest: {academy-courses: 2000}
skip: impossible
"""

STRATEGIES = "topk,dos,vanilla,half,mixpr"


class ReadTokens:
    """Counts what encoders read, tokens that they put around a text left out."""

    def __init__(self) -> None:
        self.texts = self.tokens = 0
        self.seconds = 0.0
        self._encode = SentenceEncoder.encode

    def encode(self, encoder: SentenceEncoder, texts: Sequence[str], side: TextSide) -> list[Any]:
        """In place of ``SentenceEncoder.encode``."""
        started = time.process_time()
        vectors = self._encode(encoder, texts, side)
        self.seconds += time.process_time() - started
        self.texts += len(texts)
        encoded = encoder._model.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        self.tokens += sum(map(len, encoded))
        return vectors


def run(turn: str, base: str) -> None:
    """One run of the command in this process; prints what it took, imports and pictures too."""
    from niah.cli.main import main as niah

    read = ReadTokens()
    SentenceEncoder.encode = lambda *asked: read.encode(*asked)  # type: ignore[method-assign]
    options = ["--suite", "suite.yaml", "--model", "openai/stub", "--api-base", base]
    niah(
        ["run", *options, "--strategies", STRATEGIES, "--out", f"{turn}.sqlite"],
    )
    print(
        f"{turn}: {time.perf_counter() - STARTED:.1f} s, {time.process_time():.1f} s of CPU; embedded"
        f" {read.texts:,} texts, {read.tokens:,} tokens, in {read.seconds:.1f} s of CPU",
        file=sys.stderr,
        flush=True,
    )


def main() -> None:
    """Both turns, each a process of its own, with a cache folder of their own."""
    weights.ensure_weights("minilm")
    here = os.environ | {"OPENAI_API_KEY": "none", "PYTHONPATH": str(Path.cwd())}
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        cache.mkdir()
        (cache / "weights").symlink_to(paths.cache() / "weights")
        (Path(folder) / "suite.yaml").write_text(SUITE)
        base, stub = start_stub()
        try:
            for turn in ("cold", "warm"):
                command = [sys.executable, str(Path(__file__).resolve()), turn, base]
                environment = here | {"NIAH_CACHE": str(cache)}
                subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        finally:
            stub.terminate()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(*sys.argv[1:])
    else:
        main()
