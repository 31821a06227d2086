"""Crossovers in planted worlds: how often within one length of the truth, how often the interval holds it.

    PYTHONPATH=. python tests/bench/bench_crossover.py [RUNS]

Simulated readers (``tests/analysis/crossover/planted_crossovers.py``), whose full context falls behind at a
planted length. Goal: within one length in 95 of 100. Without RUNS, 30; docs have 100, which take two minutes
of CPU.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from niah.analysis.crossover.crossover import crossovers
from niah.analysis.frame import trial_frame
from tests.analysis.crossover.planted_crossovers import LENGTHS, WORLDS, planted


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    places = [*LENGTHS, None]
    print(f"{runs} simulated runs each: two needle sets, three depths, six lengths")
    for (world, (_, truth)), seeds in product(WORLDS.items(), (3, 5, 8, 15)):
        found = [
            crossing
            for run in range(runs)
            for crossing in crossovers(trial_frame(planted(world, seeds, np.random.default_rng(run))))
        ]
        off = [abs(places.index(each.length) - places.index(truth)) for each in found]
        held = [
            places.index(each.earliest) <= places.index(truth) <= places.index(each.latest) for each in found
        ]
        lead = [each.above is not None and (each.above.low or 0) > 0 for each in found]
        print(
            f"  {world:18s} {seeds:2d} seeds: exact {np.mean([each == 0 for each in off]):4.0%},"
            f" within one length {np.mean([each <= 1 for each in off]):4.0%},"
            f" interval holds it {np.mean(held):4.0%}, lead told as clear {np.mean(lead):4.0%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
