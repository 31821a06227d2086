"""How much of the drops in a table's finest cells some rows explain, beyond what a bad night does to all.

Luck that is shared moves all cells together: each by its own amount, in one step. So a drop is what a cell
has lost against the others, as far as these show the night's luck; generalised least squares, where luck is
one factor of the cells' covariance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST = 1e-9


@dataclass(frozen=True)
class Cells:
    """The finest rows, which no pair is in twice; every array has shape (cells,).

    Attributes:
        drop: sums of the changes; above 0 is worse.
        n: pairs.
        luck: standard deviation of what luck does to a cell's mean; 0 where none is known.
        variance: of the pairs of one cell, about its mean.
    """

    drop: NDArray[np.float64]
    n: NDArray[np.float64]
    luck: NDArray[np.float64]
    variance: float

    def explained(self, rows: NDArray[np.bool_], left: NDArray[np.bool_]) -> float:
        """What a drop of all pairs of each row, none below 0, takes from the sum of squares.

        Without luck, the squared sums of the rows' drops over their pairs: the greatest for the rows that
        hold all pairs that dropped, and none besides.

        Args:
            rows: shape (rows, cells): which cells a row holds; no cell is in two of them.
            left: shape (cells,): the cells that are still to be explained.
        """
        held = np.where(rows & left, np.sqrt(self.n), 0.0)
        held = held[held.any(axis=1)]
        luck, roots = np.where(left, np.sqrt(self.n) * self.luck, 0.0), np.sqrt(np.maximum(self.n, 1))
        drop = np.where(left, self.drop / roots, 0.0)
        square = float(luck @ luck)
        whole = square + self._own(square)
        of_luck = held @ luck
        asked = held @ drop - of_luck * (luck @ drop) / whole
        squares = np.diag((held**2).sum(axis=1)) - np.outer(of_luck, of_luck) / whole
        some = np.flatnonzero(asked > 0)
        while len(some):
            drops = np.linalg.solve(squares[np.ix_(some, some)], asked[some])
            if (drops >= 0).all():
                return float(drops @ asked[some])
            some = some[drops >= 0]
        return 0.0

    def without_luck(self, left: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The sums of changes less what luck is likely to have done to them, as the cells that are left show.

        Where no cell is left, nothing shows luck.
        """
        luck = np.where(left, np.sqrt(self.n) * self.luck, 0.0)
        square = float(luck @ luck)
        drop = self.drop / np.sqrt(np.maximum(self.n, 1))
        common = float(luck @ drop) / (square + self._own(square))
        return self.drop - self.n * self.luck * common

    def _own(self, square: float) -> float:
        """The variance of a pair, above 0."""
        return max(self.variance, _LEAST * square, _LEAST)
