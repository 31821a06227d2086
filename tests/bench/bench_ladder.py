"""How often the suite `frontier` puts three readers in their order, at the trials that it plans.

    python -m tests.bench.bench_ladder [RUNS]

Readers are planted (`simulated`): the chance of a right answer falls with what a needle set asks for at once
(its K), with hops, across languages and with length. In every run each case has luck of its own that all
readers share, and each seed of a needle set has more. Order is that of the readers' means.
"""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from niah.cases.suite import load_suite

_PER_HOP = ("hash-hop", "graph-frontier", "babilong")
SHARED_LUCK, CASE_LUCK = 0.6, 0.4
"""Standard deviations, in logits, of a needle set x seed and of a case."""


def harder_than_one_fact(needle_set: str, tokens: float) -> float:
    """How much harder a case is than a single fact at 8k, in logits."""
    family, _, size = needle_set.partition("@")
    asked = np.log2(max(1, int(size)))
    hops = asked if family.startswith(_PER_HOP) else 0.0
    across = 1.0 if "asked-in" in family else 0.0
    return float(0.35 * asked + 0.5 * hops + 0.6 * across + 0.25 * np.log2(tokens / 8000))


def difficulties(suite: str) -> tuple[NDArray[np.float64], list[tuple[str, int]]]:
    """Of each case how much harder it is; and its needle set and seed."""
    cases = load_suite(suite).cases
    harder = [harder_than_one_fact(case.needle_set, case.context_length) for case in cases]
    return np.array(harder), [(case.needle_set, case.seed) for case in cases]


def share_in_order(suite: str, skills: tuple[float, ...], runs: int, seed: int) -> tuple[float, list[float]]:
    """Share of runs whose means are in the order of the skills, the best first; and the means of all runs."""
    harder, clusters = difficulties(suite)
    names = sorted(set(clusters))
    of = np.array([names.index(cluster) for cluster in clusters])
    rng = np.random.default_rng(seed)
    means = np.empty((runs, len(skills)))
    for run in range(runs):
        luck = rng.normal(0, SHARED_LUCK, len(names))[of] + rng.normal(0, CASE_LUCK, len(of))
        for reader, skill in enumerate(skills):
            chance = 1 / (1 + np.exp(harder + luck - skill))
            means[run, reader] = np.where(rng.random(len(of)) < chance, 10, 1).mean()
    right = np.mean([all(better > worse for better, worse in pairwise(row)) for row in means])
    return float(right), [float(mean) for mean in means.mean(0)]


def main(runs: int) -> None:
    """Print a row for each distance between neighbours."""
    cases = len(load_suite("frontier").cases)
    print(f"frontier: {cases} trials a reader, {runs} runs; goal: in order in 95 %, 1 point apart")
    print("| logits apart | means | in order |\n| --- | --- | --- |")
    for apart in (0.3, 0.45, 0.6, 0.9):
        skills = (2.0 + apart, 2.0, 2.0 - apart)
        right, means = share_in_order("frontier", skills, runs, seed=25)
        print(f"| {apart} | {', '.join(f'{mean:.1f}' for mean in means)} | {right:.1%} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
