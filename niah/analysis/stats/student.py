"""Student's quantiles, each worked out once."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite


@lru_cache(maxsize=256)
def students_quantile(share: float, freedom: float) -> float:
    """Student's quantile, the normal one at infinity; scipy takes longer for it than for a resampling."""
    from scipy.special import (
        ndtri,
        stdtrit,
    )  # scipy.stats, which asks the same, takes half a second to import

    return float(stdtrit(freedom, share) if isfinite(freedom) else ndtri(share))
