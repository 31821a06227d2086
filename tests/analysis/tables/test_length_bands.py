from __future__ import annotations

import math

import numpy as np
import pytest

from niah.analysis.bands import BANDS, bands
from niah.analysis.columns import columns_of
from niah.analysis.tables.length_bands import length_bands, length_bands_by_needle_set
from tests.analysis.small_trials import at, near, trial


@pytest.mark.parametrize(
    ("length", "band"),
    [
        (300, "1-16k"),
        (16_000, "1-16k"),
        (16_384, "1-16k"),
        (16_385, "16-32k"),
        (32_768, "16-32k"),
        (65_536, "32-64k"),
        (128_000, "64-128k"),
        (131_072, "64-128k"),
        (131_073, "over 128k"),
    ],
)
def test_a_band_takes_its_upper_border(length: int, band: str) -> None:
    assert BANDS[bands(np.array([length])).codes[0]] == band


def test_mean_and_deviation_by_hand() -> None:
    records = [
        trial("lc", 10),
        trial("lc", 7, repeat=1),
        trial("lc", 1, repeat=2),
        trial("lc", None, repeat=3),
        trial("lc", 5, case=at(20_000)),
        trial("topk", None),
    ]
    # Mean 18 / 3 = 6; squares 16 + 1 + 25 = 42, over n - 1 = 2: root of 21.
    assert length_bands(columns_of(records)).rows == (
        ("simulated", "lc", "1-16k", 6.0, near(math.sqrt(21)), 3, 1),
        ("simulated", "lc", "16-32k", 5.0, None, 1, 0),
        ("simulated", "topk", "1-16k", None, None, 0, 1),
    )


def test_needle_sets_by_themselves() -> None:
    records = [trial("lc", 10), trial("lc", 1, case=at(1000, needle_set="rainbow-potion"))]
    assert [row[:5] for row in length_bands_by_needle_set(columns_of(records)).rows] == [
        ("simulated", "pizza-ingredients", "lc", "1-16k", 10.0),
        ("simulated", "rainbow-potion", "lc", "1-16k", 1.0),
    ]
