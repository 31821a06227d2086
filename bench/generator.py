"""Cases per second, against the plain cost of copying and hashing the same bytes in this process.

    python -m bench.generator [harder [NEEDLE_SET ...]]

With ``harder`` a table of the harder kinds: cases that were built before, and others of the same haystacks;
beside them the floor, which is copying each context's bytes and drawing a number for each of its needles.
Last the mix: as many cases of each kind, one kind after the other.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case

SETS = ("ferry-lanterns", "pizza-ingredients", "rainbow-potion", "academy-courses", "graduation-trials")
LENGTHS = (1000, 2000, 4000, 6000, 8000, 12000, 16000, 24000, 32000, 48000, 64000, 96000, 128000)
DEPTHS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
ROUNDS = 7
HARDER = {
    "ruler-niah-multikey-1@4": ("essays", 2000),
    "ruler-niah-multikey-3@1": ("entries", 8000),
    "ruler-vt@4": ("noise", 2000),
    "ruler-cwe@15": ("entries", 8000),
    "ruler-fwe@20": ("entries", 8000),
    "hash-hop@1": ("entries", 8000),
    "hash-hop@4": ("entries", 8000),
    "graph-parents@4": ("entries", 8000),
    "graph-frontier@4": ("entries", 8000),
    "ledger-sums@20": ("entries", 8000),
    "recall@4": ("entries", 8000),
    "babilong-qa3@16": ("essays", 4000),
    "positions@24": ("essays", 8000),
    "latent@1": ("essays", 2000),
    "boats-zh-asked-in-en@8": ("essays", 4000),
}
"""By needle set: its haystack, and the least length that it is built at."""


def main() -> None:
    cases = [
        Case(needle_set, "essays", max(length, 5000 if "trials" in needle_set else 2000), depth, repeat=True)
        for needle_set, length, depth in product(SETS, LENGTHS, DEPTHS)
    ]
    first = seconds(lambda: stream(cases))
    print(f"650 cases, whole process: {time.process_time():.3g}")
    built = median(lambda: stream(cases))
    contiguous = [replace(case, mode="contiguous") for case in cases]
    stream(contiguous)
    unbroken = median(lambda: stream(contiguous))
    longest = [case for case in cases if case.context_length == max(LENGTHS)]
    long = median(lambda: stream(longest)) / len(longest)
    texts = [build_context(case).text.encode() for case in cases]
    tokens = sum(build_context(case).tokens for case in cases)
    copied = median(lambda: [bytes(bytearray(text)) for text in texts]) / 2
    hashed = median(lambda: [hashlib.sha256(text).digest() for text in texts])
    print(
        f"generator: {len(cases)} cases, {tokens:,} tokens in {built:.3f} s = "
        f"{len(cases) / built:,.0f} cases/s, "
        f"{tokens / built / 1e6:,.0f} Mtok/s; {built / copied:.1f} x copying, {built / hashed:.2f} x sha256; "
        f"{long * 1000:.3f} ms a case of 128k; first round {first:.2f} s"
    )
    contexts = [build_context(case) for case in cases]

    def audit() -> None:
        for case, context in zip(cases, contexts, strict=True):
            audit_context(case, context)

    print(f"audit of 650 cases: {tokens / seconds(audit) / 1e6:.3g}")
    print(f"audit: the same cases again, {tokens / seconds(audit) / 1e6:.1f} Mtok/s")
    print(f"generator: the same cases contiguous in {unbroken:.3f} s = {unbroken / built:.2f} x exact")
    for length in (1_000_000, 10_000_000):
        case = Case("rainbow-potion", "essays", length, 50, repeat=True)
        build_context(case)
        print(f"generator: {length:,} tokens in {median(partial(build_context, case)):.4f} s")


def print_harder_kinds(needle_sets: Sequence[str]) -> None:
    """A row a kind of the harder ones, over the same lengths; depths to 40 %, which there is room for."""
    print("| needle set | haystack | cases/s again | cases/s at new depths | floor |")
    print("| --- | --- | --- | --- | --- |")
    rates = []
    for needle_set in needle_sets:
        haystack, shortest = HARDER[needle_set]
        lengths = [length for length in LENGTHS if length >= shortest]
        depths = [*range(0, 41, 10), *(depth for depth in range(5, 40) if depth % 10)]
        cases = [
            Case(needle_set, haystack, length, depth, accidents="avoid", repeat=True)
            for length, depth in product(lengths, depths)
        ]
        some = [case for case in cases if case.depth % 10 == 0]
        others = [case for case in cases if case.depth % 10]
        stream(some)
        again = len(some) * ROUNDS / median(partial(stream, some * ROUNDS), 3)
        new = len(others) / seconds(partial(stream, others))
        rates.append((again, new, 1 / floor_of(some)))
        row = " | ".join(f"{rate:,.0f}" for rate in rates[-1])
        print(f"| {needle_set} | {haystack} | {row} |", flush=True)
    mix = " | ".join(f"{statistics.harmonic_mean(column):,.0f}" for column in zip(*rates, strict=True))
    print(f"| as many of each | | {mix} |")


def floor_of(cases: Sequence[Case]) -> float:
    """Seconds a case that copying its context's bytes, and a random number for each needle, take."""
    contexts = [build_context(case) for case in cases]
    texts = [context.text.encode() for context in contexts]
    needles = [range(len(context.needles)) for context in contexts]

    def copy_and_draw() -> None:
        for text, each in zip(texts, needles, strict=True):
            bytearray(text)
            rng = random.Random(7)
            for _ in each:
                rng.random()

    return median(copy_and_draw) / len(cases)


def stream(cases: list[Case]) -> None:
    for case in cases:
        build_context(case)


def median(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    return statistics.median(seconds(work) for _ in range(rounds))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    if sys.argv[1:2] == ["harder"]:
        print_harder_kinds(sys.argv[2:] or list(HARDER))
    else:
        main()
