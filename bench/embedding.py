"""How much of a sweep is embedded, against its haystack's own text, and how fast.

    python -m bench.embedding [LONGEST]

Three needle sets of u-niah in essays, 1k to LONGEST tokens (32,000), ten depths, no distractors. For each
strategy, the tokens that the packaged MiniLM reads, each text once, against those of the longest context;
first of one needle set, then of all three. Nothing is embedded for that. Then MiniLM's speed, and what
finding the same texts on disk takes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from niah import weights
from niah.cache import Cache
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.cases.samples import context_of, samples_of
from niah.retrieval.dense import DenseRetriever
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.embedding import Embedder, OnnxEncoder, TextSide
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from niah.text.embedding import Vectors

STRATEGIES = ("topk", "half", "topk@600-100", "dos", "vanilla", "rag-dense")
NEEDLE_SETS = ("pizza-ingredients", "rainbow-potion", "academy-courses")
LENGTHS = [1000 * 2**doubled for doubled in range(8)]
LONGEST = 32_000
"""Of which the goal is."""

SPEED_TEXTS = 1024


class Noting(Embedder):
    """Notes what it is given, and finds all texts alike."""

    def __init__(self) -> None:
        self.name = "noting"
        self.texts: set[str] = set()

    def embed(self, texts: Sequence[str], side: TextSide = "passage", *, anew: bool = False) -> list[Vectors]:
        self.texts.update(texts)
        return [np.ones((1, 1), dtype=np.float32)] * len(texts)


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(weights.ensure_weights("minilm") / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def tokens_of(texts: Iterable[str]) -> int:
    """MiniLM's, without the two that it puts around each text."""
    encoded = _tokenizer().encode_batch(list(texts), add_special_tokens=False)
    return sum(len(each.ids) for each in encoded)


def embedded(samples: Sequence[Sample], strategies: Sequence[str]) -> set[str]:
    """Every text that the strategies have embedded."""
    noting = Noting()
    retriever = DenseRetriever(noting, in_sentences=True)
    for strategy in strategies:
        for sample in samples:
            question, tokenizer = sample.key.question, get_tokenizer(sample.tokenizer)
            context = context_of(sample)
            select(parse(strategy), context, question, tokenizer, sample.context_room, lambda name: retriever)
    return noting.texts


def sweep(samples: Sequence[Sample], title: str) -> float:
    """Print what each strategy has embedded, and what all presets together have; return the last."""
    own = tokens_of([context_of(max(samples, key=lambda sample: sample.tokens)).text])
    print(f"{title}: {len(samples)} cases; the haystack's own text has {own:,} tokens")
    every: set[str] = set()
    for strategy in STRATEGIES:
        texts = embedded(samples, [strategy])
        every |= texts
        _print_row(strategy, texts, own)
    return _print_row("all of them", every, own)


def _print_row(name: str, texts: set[str], own: int) -> float:
    tokens = tokens_of(texts)
    print(f"  {name:<14}{len(texts):>8,} texts{tokens:>11,} tokens{tokens / own:>7.2f} times", flush=True)
    return tokens / own


def speed(samples: Sequence[Sample]) -> None:
    """Print what MiniLM takes for some texts, and what finding their vectors takes."""
    texts = sorted(embedded(samples[-1:], ["topk"]))[:SPEED_TEXTS]
    tokens = tokens_of(texts)
    with tempfile.TemporaryDirectory() as scratch:
        for turn in ("int8 ONNX", "again, from disk"):
            encoder = OnnxEncoder(weights.ensure_weights("minilm"), "bench")
            encoder.encode(["The model is loaded."], "passage")
            embedder = Embedder("minilm", encoder, Cache("vectors", path=Path(scratch) / "vectors.sqlite"))
            start = time.process_time()
            embedder.embed(texts)
            seconds = time.process_time() - start
            print(f"{turn}: {tokens:,} tokens in {seconds:.3f} s of CPU, {tokens / seconds:,.0f} a second")


def main() -> None:
    """Print all of it."""
    longest = int(sys.argv[1]) if len(sys.argv) > 1 else LONGEST
    lengths = [length for length in LENGTHS if length <= longest]
    grid = product(NEEDLE_SETS, lengths, range(10, 101, 10))
    cases = [Case(needles, "essays", length, depth) for needles, length, depth in grid]
    samples, _ = samples_of(cases, "impossible")
    one = [sample for sample in samples if sample.needle_set == NEEDLE_SETS[0]]
    sweep(one, f"up to {longest:,} tokens, {NEEDLE_SETS[0]}")
    times = sweep(samples, f"up to {longest:,} tokens, three needle sets")
    if longest == LONGEST:
        print(f"tokens embedded for three needle sets, haystack's own text = 1: {times:.3g}")
    speed(samples)


if __name__ == "__main__":
    main()
