"""Where the level of a series changes: binary segmentation, every split with a permutation test.

Vostrikova (1981) for the segmentation, Antoch and Huskova (2001) for the permutations. In a flat series any
order of the values is as likely as any other, if nights do not depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEAST = 2
"""Values on either side of a change: one alone is an outlier."""

_SLACK = 1e-9


@dataclass(frozen=True)
class ChangePoint:
    """The level is another from here on.

    Attributes:
        place: of the first value of the new level, counted from 0.
        p: of no change in the part that was split here; the search for the place is paid for.
        level: what p was held against.
    """

    place: int
    p: float
    level: float


def change_points(
    values: ArrayLike, *, alpha: float = 0.05, draws: int = 1999, seed: int = 0
) -> list[ChangePoint]:
    """All changes of a series of shape (n,), in its order.

    Each part is tested at alpha times its share of the values, so that the chance of a false change anywhere
    stays near alpha. Raises ValueError where a value is not finite.
    """
    series = np.asarray(values, dtype=np.float64)
    if not np.isfinite(series).all():
        raise ValueError("a value is not a finite number; a missing night is a break, not a value.")
    found = _split(series, 0, alpha / max(len(series), 1), draws, seed)
    return sorted(found, key=lambda change: change.place)


def _split(
    part: NDArray[np.float64], begin: int, alpha_each: float, draws: int, seed: int
) -> Iterator[ChangePoint]:
    if len(part) < 2 * LEAST:
        return
    p, place = best_split(part, draws, seed)
    level = alpha_each * len(part)
    if p > level:
        return
    yield ChangePoint(begin + place, p, level)
    yield from _split(part[:place], begin, alpha_each, draws, seed)
    yield from _split(part[place:], begin + place, alpha_each, draws, seed)


def best_split(part: NDArray[np.float64], draws: int, seed: int) -> tuple[float, int]:
    """The p-value of the most marked change of a part, and its place."""
    centred = part - part.mean()
    contrasts = _contrasts(centred)
    shuffled = np.random.default_rng(seed).permuted(np.tile(centred, (draws, 1)), axis=1)
    reached = _contrasts(shuffled).max(axis=1) >= contrasts.max() - _SLACK
    return (int(reached.sum()) + 1) / (draws + 1), int(contrasts.argmax()) + LEAST


def _contrasts(centred: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (..., splits): the difference of the two means, over its standard error for a variance of 1."""
    n = centred.shape[-1]
    left = np.arange(LEAST, n - LEAST + 1)
    sums = centred.cumsum(axis=-1)[..., left - 1]
    contrasts: NDArray[np.float64] = np.abs(sums) / np.sqrt(left * (n - left) / n)
    return contrasts
