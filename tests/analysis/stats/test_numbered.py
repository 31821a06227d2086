from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.numbered import numbered


def test_groups_are_numbered_in_the_order_of_their_names() -> None:
    assert numbered([7, -2, 7, 3]).tolist() == [2, 0, 2, 1]
    assert numbered(["b", "a", "b"]).tolist() == [1, 0, 1]


@pytest.mark.parametrize("width", [1, 5, 3000, 10**12])
def test_numbers_are_counted_as_they_would_be_sorted(width: int) -> None:
    rng = np.random.default_rng(width)
    for size in (1, 2, 40, 500):
        names = rng.integers(-width, width, size)
        for each in (names, names.astype(np.int8)):
            assert np.array_equal(numbered(each), np.unique(each, return_inverse=True)[1])


def test_no_names_have_no_numbers() -> None:
    assert numbered(np.array([], dtype=np.int64)).tolist() == []
