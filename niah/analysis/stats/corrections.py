"""P-values corrected for how many were looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def holm(p: ArrayLike, weights: ArrayLike | None = None) -> NDArray[np.float64]:
    """Adjusted p-values, shape (m,), in the order given: any false alarm at all (Holm 1979).

    Valid whatever the dependence between the tests. Raises ValueError for what is no p-value.

    Args:
        p: of each test, shape (m,).
        weights: each test's part of the level against the others', above 0, shape (m,); all the same without.
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p-values are one row of numbers from 0 to 1, not {p!r}.")
    parts = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    ratios = values / parts
    order = np.argsort(ratios, kind="stable")
    left = np.cumsum(parts[order][::-1])[::-1]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(ratios[order] * left), 1.0)
    return adjusted
