"""Readers whose scores fall at a planted length: 1k to 128k tokens, tens and ones.

A seed has a trial in every cell, and its own luck, 0.6 in log-odds. Cliffs stand in the middle between two
lengths, where they are told most surely, those anywhere do not. ``tests/analysis/other_lengths.py`` has more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from niah.runs.trial import TrialRecord

LENGTHS = 1000 * 2 ** np.arange(8)
WORLDS = ("cliff", "cliff anywhere", "cliff to a part", "slope", "lost in the middle", "holds everywhere")
_LUCK = 0.6
_QUANTILES = np.linspace(-2.5, 2.5, 41)
_WEIGHTS = np.exp(-(_QUANTILES**2) / 2) / np.exp(-(_QUANTILES**2) / 2).sum()


def planted(
    kind: str, trials: int, depths: int, rng: np.random.Generator, sets: int = 1
) -> tuple[NDArray[np.float64], int]:
    """Scores, shape (seeds x sets, depths, lengths), and how many lengths truly hold.

    A seed's ``sets`` needle sets all have its luck.
    """
    thresholds, slope, left = curves(kind, depths, rng)
    return scored(thresholds, slope, np.arange(8.0), rng, trials, left=left, sets=sets)


def curves(
    kind: str, depths: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], float, NDArray[np.float64] | float]:
    """Thresholds of depths in doublings of the first length, the slope there, and what is left beyond."""
    along = np.linspace(0, 1, depths)
    thresholds, slope = {
        "cliff": (np.full(depths, rng.choice([2.5, 3.5, 4.5])), 12.0),
        "cliff anywhere": (np.full(depths, rng.uniform(1, 6)), 12.0),
        "cliff to a part": (np.full(depths, rng.choice([2.5, 3.5, 4.5])), 12.0),
        "slope": (np.full(depths, rng.uniform(3, 6)), 1.2),
        "lost in the middle": (rng.uniform(4.5, 6) - 2.5 * (1 - (2 * along - 1) ** 2), 3.0),
        "holds everywhere": (np.full(depths, 20.0), 3.0),
    }[kind]
    # What is left of the answers, however long the context is: least of those in the middle.
    left = 0.1 + 0.35 * (2 * along[:, None] - 1) ** 2 if kind == "cliff to a part" else 0.0
    return thresholds, slope, left


def scored(
    thresholds: NDArray[np.float64],
    slope: float,
    doublings: NDArray[np.float64],
    rng: np.random.Generator,
    trials: int,
    *,
    top: float = 0.96,
    left: NDArray[np.float64] | float = 0.0,
    luck: float = _LUCK,
    sets: int = 1,
) -> tuple[NDArray[np.float64], int]:
    """As ``planted``: thresholds of depths are doublings of the first length, as the lengths are."""
    odds, means = odds_and_means(thresholds, slope, doublings, top=top, left=left, luck=luck)
    own = luck * np.repeat(rng.standard_normal(trials), sets)
    return answered(odds, own, rng), lengths_held(means, means[:, 0].mean())


def odds_and_means(
    thresholds: NDArray[np.float64],
    slope: float,
    doublings: NDArray[np.float64],
    *,
    top: float = 0.96,
    left: NDArray[np.float64] | float = 0.0,
    luck: float = _LUCK,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log-odds of a right answer, and the mean score over seeds' luck; both of shape (depths, lengths)."""
    falls = 1 / (1 + np.exp(np.minimum(slope * (doublings - thresholds[:, None]), 50)))
    right = top * (left + (1 - left) * falls)
    odds = np.log(np.clip(right, 0.002, 0.998) / (1 - np.clip(right, 0.002, 0.998)))
    over_luck = 1 / (1 + np.exp(-(odds + luck * _QUANTILES[:, None, None])))
    return odds, 1 + 9 * (_WEIGHTS[:, None, None] * over_luck).sum(axis=0)


def lengths_held(means: NDArray[np.float64], base: float) -> int:
    """How many lengths truly hold against a base."""
    return int(np.cumprod((means >= 0.85 * base).all(axis=0)).sum())


def answered(
    odds: NDArray[np.float64], own: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Scores, shape (clusters, depths, lengths), where each cluster has its ``own`` luck."""
    chance = 1 / (1 + np.exp(-(odds + own[:, None, None])))
    return np.where(rng.random(chance.shape) < chance, 10.0, 1.0)


def as_records(scores: NDArray[np.float64], lengths: NDArray[np.int64] = LENGTHS) -> list[TrialRecord]:
    """A trial for each score."""
    depths = scores.shape[1]
    return [
        TrialRecord(
            f"{seed} {depth} {place}", "c", "planted", "essays", int(lengths[place]),
            100.0 * depth / (depths - 1), seed, "lc", "simulated", 0, "scored",
            score=float(scores[seed, depth, place]),
        )
        for seed, depth, place in np.ndindex(*scores.shape)
    ]  # fmt: skip
