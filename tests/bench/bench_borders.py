"""Sentence borders by language: ours, ICU's and sentencex's, on our own texts.

Run: python -m tests.bench.bench_borders     (pip install icu4py sentencex, or they are left out)

For each: borders found of those that are there, borders that are none of those given, and CPU seconds a MB.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from niah.text.sentences import sentence_spans
from tests.script_texts import LANGUAGES, compose, separator

CODES = dict(
    zip(
        LANGUAGES, ["ar", "zh", "en", "fr", "de", "el", "hi", "ja", "ko", "fa", "ru", "es", "th"], strict=True
    )
)
Splitter = Callable[[str, str], list[int]]


def ours(text: str, language: str) -> list[int]:
    """Where sentences end."""
    return [end for _, end in sentence_spans(text, 0, len(text))]


def _by_icu(breakers: Any) -> Splitter:
    def ends(text: str, language: str) -> list[int]:
        segments = breakers.SentenceBreaker(text, language).segments()
        return [start + len(text[start:end].rstrip()) for start, end in segments]

    return ends


def _by_sentencex(sentencex: Any) -> Splitter:
    def ends(text: str, language: str) -> list[int]:
        found = [
            (each["start_index"], each["end_index"])
            for each in sentencex.get_sentence_boundaries(language, text)
        ]
        return [start + len(text[start:end].rstrip()) for start, end in found]

    return ends


def splitters() -> dict[str, Splitter]:
    """Ours, and of the other libraries those that are installed."""
    found: dict[str, Splitter] = {"ours": ours}
    for name, module, of in (
        ("icu4py", "icu4py.breakers", _by_icu),
        ("sentencex", "sentencex", _by_sentencex),
    ):
        try:
            found[name] = of(importlib.import_module(module))
        except ImportError:
            continue
    return found


def measure(language: str, ends_of: Splitter, paragraphs: int = 150) -> tuple[float, float, float]:
    """Share of the true borders that were found, share of the given ones that are false, CPU seconds a MB."""
    right = true = given = size = 0
    between, seconds = separator(language), 0.0
    for sentences in compose(language, paragraphs, seed=3):
        text = between.join(sentences)
        stops = list(accumulate(len(sentence) + len(between) for sentence in sentences[:-1]))
        borders = {stop - len(between) for stop in stops}
        begun = time.process_time()
        found = set(ends_of(text, CODES[language])) - {len(text)}
        seconds += time.process_time() - begun
        right, true, given = right + len(borders & found), true + len(borders), given + len(found)
        size += len(text.encode())
    return right / true, 1 - right / given if given else 0.0, seconds / size * 1e6


def main() -> None:
    """Print a Markdown table."""
    every = splitters()
    print("| | " + " | ".join(every) + " |\n| --- |" + " ---: |" * len(every))
    for language in LANGUAGES:
        cells = [
            f"{found:.0%}, {false:.0%}, {pace:.2f} s"
            for found, false, pace in (measure(language, ends_of) for ends_of in every.values())
        ]
        print(f"| {language} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
