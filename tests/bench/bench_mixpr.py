"""MixPR from text to the best 100 sentences: ours, a plain reference at 128k tokens, scipy without A at 1M.

    python tests/bench/bench_mixpr.py [--100m] [--500m]

Every length has a process of its own, for its peak memory. Warm kernels; compiling is apart. The goal is one
of the clock, which threads shorten: the best of several rounds. All else is seconds of CPU.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.sparse import diags_array

from niah.haystacks.load import load_corpus
from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr.graph import StreamGraph
from niah.retrieval.mixpr.mixpr import ALPHAS, ITERATIONS, MixPR, best_first
from niah.retrieval.mixpr.term_stream import Chunked, term_stream
from niah.retrieval.mixpr.walk import local_scores
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.short_spans import short_byte_spans
from niah.text.scanning.threads import parts_for
from niah.text.scanning.utf8 import Utf8
from tests.bench.goals import GOALS, beside_goal
from tests.retrieval.mixpr.reference_pagerank import personalised_pagerank

LOCAL = "Who was the composer of the quartet that was performed in the church at the lake?"
WHOLE = "Summarise the whole text."
K, M = 1_000, 1_000_000
THRESHOLD = 0.27  # the paper's


def recombined(tokens: int) -> str:
    """A text of about so many tokens: the essays' sentences, drawn anew, in paragraphs of eight."""
    essays = load_corpus("essays", "cl100k")
    sentences = [essays.text[start:end] for start, end in short_sentences(essays.text)]
    each = essays.tokens[-1] / len(sentences)
    draw = random.Random(tokens)
    paragraphs = (" ".join(draw.choices(sentences, k=8)) for _ in range(int(tokens / each / 8)))
    return "\n\n".join(paragraphs)


def recombined_file(path: Path, tokens: int) -> None:
    """A file of about so many tokens, written a million at a time."""
    with path.open("w", encoding="utf-8") as file:
        for part in range(tokens // M):
            file.write(recombined(M + part) + "\n\n")


def plain(text: str) -> np.ndarray:
    """The best 100 as one would write it: form A, multiply."""
    texts = [text[start:end] for start, end in short_sentences(text)]
    rows = tfidf_rows([*texts, LOCAL])
    similar = rows @ rows.T
    a = similar @ diags_array(1 / np.asarray(similar.sum(axis=0)).ravel())
    p = np.zeros(len(texts) + 1)
    p[-1] = 1
    pi = np.full(len(p), 1 / len(p))
    for _ in range(ITERATIONS):
        pi = (1 - ALPHAS["local"]) * (a @ pi) + ALPHAS["local"] * p
    return best_first(pi[:-1], 100)


def without_a(text: str) -> np.ndarray:
    """The best 100 by scikit-learn and scipy, A being a product."""
    texts = [text[start:end] for start, end in short_sentences(text)]
    p = np.zeros(len(texts) + 1)
    p[-1] = 1
    pi = personalised_pagerank(tfidf_rows([*texts, LOCAL]), p, ALPHAS["local"], ITERATIONS, tolerance=0)
    return best_first(pi[:-1], 100)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def median(work: Callable[[], object], rounds: int = 7) -> float:
    return statistics.median(seconds(work) for _ in range(rounds))


def best_wall(work: Callable[[], object], rounds: int) -> float:
    """Of so many rounds, by the clock."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(rounds))


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def stages(text: str) -> str:
    """What each part takes."""
    encoded = Utf8.of(text)
    starts, ends = short_byte_spans(encoded)
    stream = term_stream(Chunked(encoded, starts, ends))
    graph = StreamGraph.of(stream)
    _, steps = local_scores(graph, 1, ALPHAS["local"], 100, ITERATIONS)
    parts = {
        "split": lambda: short_byte_spans(encoded),
        "terms": lambda: term_stream(Chunked(encoded, starts, ends)),
        "norms": lambda: StreamGraph.of(stream),
        f"{steps} steps": lambda: local_scores(graph, 1, ALPHAS["local"], 100, ITERATIONS),
    }
    return ", ".join(f"{name} {median(work, 3):.4f}" for name, work in parts.items())


def measure(tokens: int) -> None:
    text = recombined(tokens)
    retriever = MixPR()
    retriever.best_spans(LOCAL, "A short text. With two sentences.")
    retriever.best_spans(WHOLE, "A short text. With two sentences.")
    before = peak_mb()
    rounds = 3 if tokens > 10 * M else 7
    local = median(lambda: retriever.best_spans(LOCAL, text), rounds)
    wall = best_wall(lambda: retriever.best_spans(LOCAL, text), 3 * rounds)
    whole = median(lambda: retriever.best_spans(WHOLE, text), rounds)
    print(
        f"mixpr {tokens:>11,} tokens: local {local:.4f} s ({wall:.4f} by the clock, with"
        f" {parts_for(len(text))} threads), global {whole:.4f} s, "
        f"peak {peak_mb():,.0f} MB (before the first call {before:,.0f}); {stages(text)}"
    )
    if (name := f"mixpr, {tokens // M}M tokens") in GOALS:
        print(beside_goal(name, wall))
    spans = list(zip(*(part.tolist() for part in retriever.best_spans(LOCAL, text)), strict=True))
    if tokens <= M:
        name, other = ("plain, A formed", plain) if tokens < M else ("scipy, A a product", without_a)
        start = time.process_time()
        best = other(text)
        took = time.process_time() - start
        chunks = short_sentences(text)
        same = sum(a == b for a, b in zip(spans, (chunks[place] for place in best), strict=True))
        print(f"    {name}: {took:.2f} s, {took / local:,.0f} x ours; same chunk at {same} of 100 ranks")
        thresholded = MixPR(threshold=THRESHOLD)
        thresholded.best_spans(LOCAL, "A short text. With two sentences.")
        took = seconds(lambda: thresholded.best_spans(LOCAL, text))
        others = zip(*(part.tolist() for part in thresholded.best_spans(LOCAL, text)), strict=True)
        common = len(set(spans) & set(others))
        print(f"    similarities from {THRESHOLD} only: {took:.2f} s; {common} of 100 chunks in common")


def measure_file(tokens: int) -> None:
    """A text that stays in its file; the wall's seconds, since reading is waited for."""
    MixPR().best_spans(LOCAL, "A short text. With two sentences.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        recombined_file(path, tokens)
        before, start, cpu = peak_mb(), time.perf_counter(), time.process_time()
        MixPR().best_in_file(LOCAL, path)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        size = path.stat().st_size / 10**9
    print(
        f"mixpr, file of {tokens:,} tokens ({size:.1f} GB): {wall:.1f} s ({cpu:.1f} s of CPU), peak"
        f" {peak_mb() / 1000:.1f} GB, pages of the file included ({before / 1000:.1f} GB before)"
    )
    if tokens == 500 * M:
        print(beside_goal("mixpr, 500M tokens of a file", wall))


def first_call(text: str) -> None:
    print(f"{seconds(lambda: MixPR().best_spans(LOCAL, text)):.2f}")


def main(with_100m: bool, with_500m: bool) -> None:
    def run(*arguments: str, **environment: str) -> str:
        command = [sys.executable, __file__, *arguments]
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment
        ).stdout.strip()

    with tempfile.TemporaryDirectory() as folder:
        compiled, loaded = (run("first", NUMBA_CACHE_DIR=folder, NIAH_COMPILE="now") for _ in range(2))
        plainly = run("first", "128000", NIAH_COMPILE="never")
    print(
        f"mixpr first call: {compiled} s with compiling, which nobody waits for; {loaded} s in each later"
        f" process; meanwhile {plainly} s for 128,000 tokens, in plain SciPy"
    )
    print(beside_goal("mixpr, a machine's first question", float(plainly)))
    for tokens in (128 * K, M, 10 * M, *([100 * M] if with_100m else [])):
        print(run(str(tokens), NIAH_COMPILE="now"))
    if with_500m:
        print(run("file", str(500 * M), NIAH_COMPILE="now"))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["first"]:
            first_call("A short text. With two sentences.")
        case ["first", tokens]:
            first_call(recombined(int(tokens)))
        case ["file", tokens]:
            measure_file(int(tokens))
        case [tokens] if tokens.isdigit():
            measure(int(tokens))
        case arguments:
            main("--100m" in arguments, "--500m" in arguments)
