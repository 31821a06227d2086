"""What MiniLM retrieves in bfloat16 against float32, and what either takes.

    PYTHONPATH=. python -m tests.bench.bench_bfloat16 [LONGEST]

``chains`` at 8k and 32k tokens, two seeds; ``u-niah`` at 4k to 32k in both haystacks, depths 10, 50 and 90 %;
nothing above LONGEST (32,000). For each strategy the share of needles that are retrieved whole, and the share
of float32's chunks that are retrieved too; before that CPU seconds for all texts, in one thread.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from niah import weights
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.cases.samples import context_of, samples_of
from niah.retrieval.dense import DenseRetriever
from niah.strategies.facts import Selection
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.embedding.embedder import Embedder
from niah.text.embedding.sentence_encoder import SentenceEncoder, TextSide
from niah.text.embedding.vector_cache import DiskVectors
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from niah.text.embedding.vector_cache import Vectors

STRATEGIES = (
    *("topk", "topk@600-100", "half", "dos", "rag-dense"),
    *("minilm/top-5/norm@100", "minilm/top-10/norm@100"),
)
WAYS = ("float32", "bfloat16")


def samples(longest: int) -> dict[str, tuple[Sample, ...]]:
    """By suite."""
    chains = product([f"chain@{k}" for k in range(1, 7)], (8_000, 32_000), (0, 50), (1, 2))
    u_niah = product(
        ("pizza-ingredients", "rainbow-potion", "academy-courses"),
        ("essays", "starlight"),
        (4_000, 8_000, 16_000, 32_000),
        (10, 50, 90),
    )
    cases = {
        "chains": [
            Case(name, "essays", length, depth, seed=seed, distractors=4, distractor_hardness="hard")
            for name, length, depth, seed in chains
            if length <= longest
        ],
        "u-niah": [
            Case(name, haystack, length, depth, distractors=4)
            for name, haystack, length, depth in u_niah
            if length <= longest
        ],
    }
    return {suite: tuple(samples_of(each, "impossible")[0]) for suite, each in cases.items()}


class _Encoder(SentenceEncoder):
    """MiniLM without padding, in either arithmetic, so that nothing else differs; sums up what it takes."""

    def __init__(self, way: str) -> None:
        super().__init__(weights.ensure_weights("minilm"), way, in_bfloat16=True)
        self._way = way
        self.seconds = 0.0

    def load(self) -> None:
        if self._model is None:
            self._in_bfloat16 = self._way == "bfloat16"
            super().load()
            self._in_bfloat16 = True

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        began = time.process_time()
        vectors = super().encode(texts, side)
        self.seconds += time.process_time() - began
        return vectors


def selections(retriever: DenseRetriever, each: Sequence[Sample], strategy: str) -> list[Selection]:
    return [
        select(
            parse(strategy),
            context_of(sample),
            sample.key.question,
            get_tokenizer(sample.tokenizer),
            sample.context_room,
            lambda name: retriever,
        )
        for sample in each
    ]


def whole(found: Sequence[Selection], each: Sequence[Sample]) -> float:
    """Share of all needles that are retrieved whole, in %."""
    facts = [selection.facts for selection in found if selection.facts]
    held = sum((one.completeness or 0) * len(sample.needles) for one, sample in zip(facts, each, strict=True))
    return 100 * held / sum(len(sample.needles) for sample in each)


def common(exact: Sequence[Selection], other: Sequence[Selection]) -> float:
    """Share of the first's chunks that are among the other's, in %."""
    pairs = [
        ({one.chunk for one in first.chunks}, {one.chunk for one in second.chunks})
        for first, second in zip(exact, other, strict=True)
    ]
    return 100 * sum(len(a & b) for a, b in pairs) / sum(len(a) for a, _ in pairs)


def main(longest: int) -> None:
    """Print all of it."""
    torch.set_num_threads(1)
    found: dict[str, dict[tuple[str, str], list[Selection]]] = {}
    suites = samples(longest)
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            encoder = _Encoder(way)
            encoder.encode(["The model is loaded."], "passage")
            embedder = Embedder("minilm", encoder, DiskVectors(Path(folder) / f"{way}.sqlite"))
            retriever, encoder.seconds = DenseRetriever(embedder, in_sentences=True), 0.0
            found[way] = {
                (suite, strategy): selections(retriever, each, strategy)
                for suite, each in suites.items()
                for strategy in STRATEGIES
            }
            print(f"{way}: {encoder.seconds:.1f} s of CPU to embed", flush=True)
    for suite, each in suites.items():
        if not each:
            continue
        needles = sum(len(sample.needles) for sample in each)
        print(f"{suite}: {len(each)} cases, {needles} needles; retrieved whole, and float32's chunks, in %")
        for strategy in STRATEGIES:
            exact, other = (found[way][suite, strategy] for way in WAYS)
            print(
                f"  {strategy:<24}float32 {whole(exact, each):5.1f}   bfloat16 {whole(other, each):5.1f}"
                f"   chunks {common(exact, other):5.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 32_000)
