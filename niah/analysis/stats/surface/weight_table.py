"""Weights of combinations of parameters, and draws from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WeightTable:
    """Weights of a table, or sums of its rows alone.

    Attributes:
        shape: of the table.
        totals: of all weights in their order; with ``weights_of``, of each row.
        weights_of: of rows at places of shape (n,) the weights, shape (n, size of the last axis), reckoned
            only where a draw falls on them.
    """

    shape: tuple[int, ...]
    totals: Floats
    weights_of: Callable[[NDArray[np.intp]], Floats] | None = None

    @property
    def total(self) -> float:
        """Of all weights."""
        return float(self.totals.sum())

    def places_of(self, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], ...]:
        """Where draws from the table lie: of each axis an array of shape (draws,)."""
        if not draws:
            return tuple(np.zeros(0, np.intp) for _ in self.shape)
        ends = self.totals.cumsum()
        at = rng.random(draws) * ends[-1]
        place = np.minimum(np.searchsorted(ends, at), len(ends) - 1)
        if self.weights_of:
            beyond = at - (ends - self.totals)[place]
            place = place * self.shape[-1] + _within(self.weights_of, place, beyond)
        return np.unravel_index(place, self.shape)


def _within(
    weights_of: Callable[[NDArray[np.intp]], Floats], row: NDArray[np.intp], beyond: Floats
) -> NDArray[np.intp]:
    """Where in its row each draw lies, by how far it is beyond what stands before the row."""
    rows, which = np.unique(row, return_inverse=True)
    weights = weights_of(rows)
    width = weights.shape[1]
    cumulated = weights.cumsum()
    before = np.concatenate([[0.0], cumulated[width - 1 :: width]])[which]
    found = np.searchsorted(cumulated, before + beyond)
    places: NDArray[np.intp] = np.clip(found - which * width, 0, width - 1)
    return places


def weight_table(weights: Floats) -> WeightTable:
    """Of weights that are all known."""
    return WeightTable(weights.shape, weights.ravel())
