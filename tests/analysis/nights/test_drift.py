from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from niah.analysis.nights.drift import drift_and_novelty
from tests.analysis.nights.test_contamination import trial
from tests.analysis.simulated_nights import SHARED, SeedWorld, night_of_seeds


def test_drift_and_novelty_by_hand() -> None:
    # Anchors fall by 2 and 4: drift -3. Fresh means fall from 7 to 2: -5, of which -2 is novelty.
    last = [trial(1, 10), trial(2, 9), trial(900, 8), trial(901, 6)]
    now = [trial(1, 8), trial(2, 5), trial(910, 3), trial(911, 1)]
    (found,) = drift_and_novelty(now, last, [1, 2])
    assert found.drift is not None
    assert found.drift.estimate == -3
    assert found.novelty == pytest.approx(-2)
    # Levels: squares 2, 2 and 4.5 of 3 degrees; changes: 2 of 1.
    parts = np.array([8.5 / 3 * (1 / 2 + 1 / 2), 2 * 1 / 2])
    assert found.low is not None
    assert found.high is not None
    degrees = parts.sum() ** 2 / (parts**2 / [3, 1]).sum()
    assert (found.high - found.low) / 2 == pytest.approx(student.ppf(0.975, degrees) * parts.sum() ** 0.5)
    assert found.p == pytest.approx(2 * student.sf(2 / parts.sum() ** 0.5, degrees))


def test_a_model_that_drifts_shows_no_novelty() -> None:
    world = SeedWorld(6, 4, 4)
    (found,) = drift_and_novelty(
        night_of_seeds(world, 1, 5, change=-1.0), night_of_seeds(world, 0, 5), world.anchor_seeds
    )
    assert found.drift is not None
    assert found.drift.high is not None
    assert found.drift.high < 0
    assert found.p > 0.05


@pytest.mark.parametrize("needle_sets", [("lamps",), ("lamps", "keys")])
def test_a_seed_counts_once_however_many_needle_sets_it_has(needle_sets: tuple[str, ...]) -> None:
    # What needle sets say alike, they say once: the interval is that of four seeds, as above.
    last = {1: 10, 2: 9, 900: 8, 901: 6}
    now = {1: 8, 2: 5, 910: 3, 911: 1}
    before, tonight = (
        [trial(seed, score, name) for name in needle_sets for seed, score in night.items()]
        for night in (last, now)
    )
    (found,) = drift_and_novelty(tonight, before, [1, 2])
    parts = np.array([8.5 / 3, 2 / 2])
    degrees = parts.sum() ** 2 / (parts**2 / [3, 1]).sum()
    assert found.drift is not None
    assert found.drift.clusters == 2
    assert found.p == pytest.approx(2 * student.sf(2 / parts.sum() ** 0.5, degrees))


@pytest.mark.parametrize("spread", [False, True])
def test_novelty_is_not_found_where_seeds_share_luck(spread: bool) -> None:
    # 150 nights at 5 %: more than 14 have a chance of 1 %.
    world = SeedWorld(3, 4, 4, luck=0.2, seed_luck=SHARED, seed_change=SHARED, spread=spread)
    rows = [
        drift_and_novelty(night_of_seeds(world, 1, seed), night_of_seeds(world, 0, seed), world.anchor_seeds)[
            0
        ]
        for seed in range(150)
    ]
    assert sum(row.p <= 0.05 for row in rows) <= 14


def test_one_cluster_has_an_estimate_and_no_interval() -> None:
    (found,) = drift_and_novelty([trial(1, 8), trial(910, 3)], [trial(1, 10), trial(900, 8)], [1])
    assert found.novelty == pytest.approx(-3)
    assert (found.low, found.p) == (None, 1)


def test_without_anchors_in_both_nights_there_is_no_drift() -> None:
    (found,) = drift_and_novelty([trial(2, 8)], [trial(1, 10)], [1, 2])
    assert (found.drift, found.novelty) == (None, None)
    assert drift_and_novelty([trial(1, 8)], [], [1]) == []
