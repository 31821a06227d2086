"""Weights of combinations of parameters, and draws from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WeightTable:
    """Weights of a table, whose last two axes make its rows.

    Attributes:
        shape: of the table.
        weights: shape (rows, size of the last two axes), as parts of the greatest.
        totals: shape (rows,), of each row.
        greatest: its logarithm; -inf for an empty table.
    """

    shape: tuple[int, ...]
    weights: Floats
    totals: Floats
    greatest: float

    def total(self, unit: float) -> float:
        """Of all weights, as parts of a weight of which this is the logarithm."""
        return float(self.totals.sum() * np.exp(self.greatest - unit))

    def places_of(self, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], ...]:
        """Where draws from the table lie: of each axis an array of shape (draws,).

        Rows are looked for first: to cumulate all weights would take longer than to reckon them.
        """
        if not draws:
            return tuple(np.zeros(0, np.intp) for _ in self.shape)
        ends = self.totals.cumsum()
        at = rng.random(draws) * ends[-1]
        row = np.minimum(np.searchsorted(ends, at), len(ends) - 1)
        rows, which = np.unique(row, return_inverse=True)
        width = self.weights.shape[1]
        cumulated = self.weights[rows].cumsum()
        before = np.concatenate([[0.0], cumulated[width - 1 :: width]])[which]
        found = np.searchsorted(cumulated, before + at - (ends - self.totals)[row])
        within = np.clip(found - which * width, 0, width - 1)
        return np.unravel_index(row * width + within, self.shape)


def weight_table(logs: Floats) -> WeightTable:
    """Of logarithms of weights, in whose place the weights are put."""
    greatest = float(logs.max(initial=-np.inf))
    logs -= greatest
    weights = np.exp(logs, out=logs).reshape(-1, logs.shape[-2] * logs.shape[-1])
    return WeightTable(logs.shape, weights, weights.sum(axis=1), greatest)
