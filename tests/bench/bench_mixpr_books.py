"""Whether MixPR finds in real books what its plain form finds.

    python -m tests.bench.bench_mixpr_books CORPORA

CORPORA is a folder of books as .txt files. Each text begins with another of the first five and goes on with
the others: its first 128k tokens, where all pairs of sentences are formed and multiplied, and its first
million, where the plain form multiplies by sparse factors. Both take 18 steps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np

from niah.retrieval.mixpr.mixpr import MixPR
from niah.text.scanning.short_sentences import short_sentences
from tests.bench.bench_mixpr import LOCAL, plain, without_a

CHARACTERS_A_TOKEN = 4.3
BOOKS = 5
SIZES = ((128_000, plain), (1_000_000, without_a))


def main(folder: Path) -> None:
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        sys.exit(f"{folder} holds no .txt files. Give a folder of books.")
    books = [path.read_text("utf-8") for path in paths]
    for place, path in islice(enumerate(paths), BOOKS):
        text = "\n\n".join(books[place:] + books[:place])
        found = ", ".join(
            f"{tokens:,} tokens {same_ranks(text[: int(tokens * CHARACTERS_A_TOKEN)], other)} of 100"
            for tokens, other in SIZES
        )
        print(f"mixpr, from {path.stem} on, the same sentence at the same rank: {found}", flush=True)


def same_ranks(text: str, other: Callable[[str], np.ndarray]) -> int:
    """At how many ranks ours is the other form's sentence."""
    ours = zip(*(part.tolist() for part in MixPR().best_spans(LOCAL, text)), strict=True)
    chunks = short_sentences(text)
    return sum(span == chunks[best] for span, best in zip(ours, other(text), strict=True))


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        print("skipped: needs a folder of books: python -m tests.bench.bench_mixpr_books CORPORA")
