"""Readers on which effective lengths were tried while they were made: ``planted_lengths`` are the check.

Slopes steep and shallow, the worst depth last or first, a base of 0.6, grids with other lengths, luck that is
none or great. ``any_reader`` draws all of that at random, and what it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.analysis.planted_lengths import scored

Scores = tuple[NDArray[np.float64], int, NDArray[np.int64]]
"""Scores, shape (seeds, depths, lengths), how many lengths truly hold, and the lengths in tokens."""
_DOUBLED, _COARSE = np.arange(8.0), 2 * np.arange(5.0)
_UNEVEN = np.log2([1, 2, 3, 4, 6, 8, 16, 32, 64])
OTHERS = (
    "steep slope", "shallow slope", "worst last", "worst first", "one bad depth", "base 0.6",
    "base 0.6 cliff", "coarse grid", "uneven grid", "slope to a part", "slope without luck",
    "slope with great luck", "any reader",
)  # fmt: skip


def other(kind: str, trials: int, depths: int, rng: np.random.Generator) -> Scores:
    """Of a reader of this kind."""
    if kind == "any reader":
        return any_reader(trials, depths, rng)
    along = np.linspace(0, 1, depths)
    dip, doublings = {
        "worst last": (2.5 * along**2, _DOUBLED),
        "worst first": (2 * (1 - along), _DOUBLED),
        "one bad depth": (2.0 * (np.arange(depths) == rng.integers(depths)), _DOUBLED),
        "coarse grid": (0 * along, _COARSE),
        "uneven grid": (0 * along, _UNEVEN),
    }.get(kind, (0 * along, _DOUBLED))
    low, high, slope = {
        "steep slope": (2, 6, 2.5),
        "shallow slope": (4, 8, 0.8),
        "worst last": (4.5, 6, 2.0),
        "worst first": (4, 6, 4.0),
        "one bad depth": (4, 6, 3.0),
        "base 0.6 cliff": (1, 6, 12.0),
        "coarse grid": (2, 7, 1.2),
        "uneven grid": (2, 6, 1.5),
        "slope to a part": (2, 5, 2.0),
    }.get(kind, (3, 6, 1.5))
    scores, truth = scored(
        rng.uniform(low, high) - dip,
        slope,
        doublings,
        rng,
        trials,
        top=0.6 if kind.startswith("base") else 0.96,
        left=0.4 if kind == "slope to a part" else 0.0,
        luck={"slope without luck": 0.0, "slope with great luck": 1.2}.get(kind, 0.6),
    )
    return scores, truth, _tokens(doublings)


def any_reader(trials: int, depths: int, rng: np.random.Generator) -> Scores:
    """Slope, top, floor, luck, grid and how depths differ: at random."""
    doublings = (_DOUBLED, _COARSE, _UNEVEN, _DOUBLED[:6])[rng.integers(4)]
    along = np.linspace(0, 1, depths)
    shapes = [0 * along, 1 - (2 * along - 1) ** 2, along**2, (1 - along) ** 2, rng.normal(0, 0.5, depths)]
    scores, truth = scored(
        rng.uniform(0.5, doublings[-1] + 1)
        - rng.uniform(0.5, 3) * shapes[rng.choice(5, p=[0.4, *[0.15] * 4])],
        float(np.exp(rng.uniform(np.log(0.7), np.log(12)))),
        doublings,
        rng,
        trials,
        top=rng.uniform(0.55, 0.99),
        left=rng.uniform(0, 0.5) if rng.random() < 0.35 else 0.0,
        luck=float(rng.choice([0.0, 0.3, 0.6, 1.0])),
    )
    return scores, truth, _tokens(doublings)


def _tokens(doublings: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.round(1000 * 2**doublings).astype(np.int64)
