"""What a handful of nights tell of nights' luck: coverage of 95 % intervals of a night's difference.

    OMP_NUM_THREADS=1 python -m tests.bench.bench_known_nights [HISTORIES [NIGHTS]]

Nights' means are normal, and what clusters vary by is as good as known: 400 of them, each of a seed of its
own. So the law of ``niah.analysis.compare.significance.luck_estimate`` is alone. Luck of a night is in
standard deviations of what its clusters vary by, in a night's mean. Against the night before, against that
night as if nothing had been seen of it, and against the mean of all. Without HISTORIES, 300; 1,000 take a
minute of CPU.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from niah.analysis.compare.significance.luck_estimate import LuckEstimate, luck_estimate
from niah.analysis.compare.significance.shared_luck import SharedLuck, shared_luck

LUCK = (0.0, 0.7, 1.0, 1.4, 1.7, 2.4, 4.5)
CLUSTERS, DRAWS = 400, 999
OWN = 0.05
"""Standard deviation, in logits, of a night's mean by its clusters alone."""

NOISE = np.random.default_rng(1).permuted(np.tile(ndtri((np.arange(DRAWS) + 0.5) / DRAWS), (2, 1)), axis=1)
"""Normal, and the same for all histories: so it has the very quantiles of a normal distribution."""


def main() -> None:
    histories, *some = (int(each) for each in sys.argv[1:] or ["300"])
    print(f"{histories} histories; luck of a night: {', '.join(map(str, LUCK))}")
    for nights in some or (3, 5, 10):
        held = np.array([_coverage(nights, luck, histories) for luck in LUCK])
        for name, each in zip(("night before", "as if unseen", "mean of all"), held.T, strict=True):
            print(
                f"  {nights:2d} nights, {name}: " + ", ".join(f"{100 * one:.1f}" for one in each), flush=True
            )


def _coverage(nights: int, luck: float, histories: int) -> NDArray[np.float64]:
    """Against the night before, the same as if it were unseen, and against the mean of all."""
    rng = np.random.default_rng([nights, int(100 * luck)])
    clusters, worth = np.arange(CLUSTERS), np.ones(CLUSTERS)
    held = np.zeros(3)
    for _ in range(histories):
        scores = OWN * np.sqrt(CLUSTERS) * rng.normal(size=(nights + 1, CLUSTERS))
        scores += OWN * luck * rng.normal(size=(nights + 1, 1))
        found, means = luck_estimate(scores, worth, clusters, clusters), scores.mean(axis=1)
        one, all_ = abs(means[-1] - means[-2]), abs(means[-1] - means[:-1].mean())
        held += (
            one <= _reach(found, 1, found.seen_of_reference),
            one <= _reach(found, 1),
            all_ <= _reach(found, nights),
        )
    return held / histories


def _reach(found: LuckEstimate, reference_nights: int, seen: float = 0.0) -> float:
    """How far the interval reaches on either side, as ``niah.analysis.compare.moments`` has it."""
    scale = found.drawn(DRAWS, reference_nights, np.random.default_rng(0))[1]
    draws, square = scale * NOISE[0], OWN**2 * (1 + 1 / reference_nights)
    shared = shared_luck(draws[:, None], np.array([CLUSTERS]), np.array([seen]))
    left = 1.0 if shared is None else _left(shared, square)
    return float(np.sqrt(left) * np.quantile(np.abs(np.sqrt(square) * NOISE[1] + draws), 0.95))


def _left(shared: SharedLuck, square: float) -> float:
    return float(shared.left(np.array([square]))[0])


if __name__ == "__main__":
    main()
