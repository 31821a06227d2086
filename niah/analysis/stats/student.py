"""Student's quantiles, each worked out once."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def students_quantile(share: float, freedom: float) -> float:
    """Student's quantile, the normal one at infinity; scipy takes longer for it than for a resampling."""
    from scipy.stats import t as student

    return float(student.ppf(share, freedom))
