from __future__ import annotations

import numpy as np

from niah.analysis.stats.quantiles import quantile


def test_it_is_numpys_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 3, 4, 17, 2000):
        numbers = rng.standard_normal(count)
        before = numbers.copy()
        for share in (0.0, 0.025, 0.31, 0.5, 0.86, 0.95, 1.0):
            assert quantile(numbers, share) == np.quantile(numbers, share)
        np.testing.assert_array_equal(numbers, before)
