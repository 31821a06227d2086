"""P-values corrected for how many were looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values, shape (m,), in the order given: any false alarm at all (Holm 1979).

    Valid whatever the dependence between the tests. Raises ValueError for what is no p-value.

    Args:
        p: of each test, shape (m,).
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p-values are one row of numbers from 0 to 1, not {p!r}.")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    left = np.arange(len(values), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * left), 1.0)
    return adjusted
