"""MixPR from sentences to the best 100 of them, and the same by SciPy.

    python -m bench.mixpr [TOKENS ...] [--books FOLDER]

Seconds of CPU, the median of seven rounds, everything warm. --books compares the best 100 of five books with
those of SciPy.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from niah.haystacks.corpus import load_corpus
from niah.retrieval.mixpr.graph import MatrixGraph, personalised
from niah.retrieval.mixpr.mixpr import MixPR
from niah.text.sentences import short_sentences

LOCAL = "Who was the composer of the quartet that was performed in the church at the lake?"
CHARACTERS_A_TOKEN = 4.3


def recombined(tokens: int) -> str:
    """A text of about so many tokens: the essays' sentences, drawn anew, in paragraphs of eight."""
    essays = load_corpus("essays", "cl100k")
    sentences = [essays.text[start:end] for start, end in short_sentences(essays.text)]
    draw = random.Random(tokens)
    paragraphs = int(tokens / (essays.tokens[-1] / len(sentences)) / 8)
    return "\n\n".join(" ".join(draw.choices(sentences, k=8)) for _ in range(paragraphs))


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in short_sentences(text)]


def by_scipy(texts: list[str]) -> list[int]:
    """The best 100 sentences by 18 steps over SciPy's matrix."""
    pi = personalised(MatrixGraph([*texts, LOCAL]), 1, 0.6)
    return list(map(int, np.argsort(-pi[:-1], kind="stable")[:100]))


def ours(texts: list[str]) -> list[int]:
    return MixPR().best(LOCAL, texts)


def seconds(work: Callable[[], object], rounds: int = 7) -> float:
    def once() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return statistics.median(once() for _ in range(rounds))


def measure(tokens: int) -> None:
    text = sentences(recombined(tokens))
    ours(text)
    took, scipy = seconds(lambda: ours(text)), seconds(lambda: by_scipy(text), 1)
    same = int(np.sum([one == other for one, other in zip(ours(text), by_scipy(text), strict=True)]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"mixpr {tokens:>11,} tokens: {took:.4f} s, SciPy {scipy:.2f} s ({scipy / took:.0f} x), "
        f"the same sentence at {same} of 100 ranks, peak {peak:,.0f} MB"
    )


def compare(folder: Path) -> None:
    books = [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]
    for place in range(min(5, len(books))):
        text = sentences("\n\n".join(books[place:] + books[:place])[: int(1_000_000 * CHARACTERS_A_TOKEN)])
        same = sum(one == other for one, other in zip(ours(text), by_scipy(text), strict=True))
        print(f"mixpr, a million tokens from book {place + 1} on: the same at {same} of 100 ranks")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--books"]:
        compare(Path(sys.argv[2]))
    else:
        for tokens in map(int, sys.argv[1:] or ("128000", "1000000", "10000000")):
            measure(tokens)
