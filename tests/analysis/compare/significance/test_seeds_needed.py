from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.compare.rows import rows_of
from niah.analysis.compare.significance.seeds_needed import (
    SeedNoise,
    assumed_noise,
    detectable_with,
    noise_of_nights,
    seeds_needed,
)
from niah.analysis.compare.verdict import Limits
from tests.analysis.compare.simulated_nights import Nights, Simulation, as_records

ALPHA = Limits().alpha
SPREAD = Nights(sets=3, seeds=15, spread=True, readers=1, lengths=(4096,), depths=(0.0, 50.0, 100.0))


def steps(simulation: Simulation, count: int) -> list[Pairs]:
    return [
        pair(*(as_records(simulation.records, side) for side in simulation.draw(night)))
        for night in range(count)
    ]


@pytest.mark.parametrize(("axes", "rows"), [(("reader",), 1), (("reader", "strategy"), 4)])
def test_what_is_told_before_the_night_is_what_its_table_says(axes: tuple[str, ...], rows: int) -> None:
    simulation = Simulation(SPREAD)
    noise = noise_of_nights(steps(simulation, 5), axes)
    assert noise is not None
    table = rows_of(*simulation.draw(99), simulation.axes, alpha=ALPHA)
    stated = [each.detectable for each in table if tuple(each.parts) == axes and each.measure == "score"]
    (told,) = detectable_with(noise, np.array([15]), rows=rows, clusters=1, alpha=ALPHA)
    assert told == pytest.approx(max(one or np.inf for one in stated), rel=0.25)


def test_the_fewest_seeds_are_the_first_that_do() -> None:
    noise = assumed_noise(36)
    seeds = seeds_needed(noise, 0.8, rows=1, alpha=ALPHA)
    assert seeds is not None
    before, enough = detectable_with(noise, np.array([seeds - 1, seeds]), rows=1, clusters=1, alpha=ALPHA)
    assert enough <= 0.8 < before


def test_more_noise_smaller_drops_and_more_rows_take_more_seeds() -> None:
    noise = SeedNoise(variance=2.0, trials=12, room=7)
    seeds = seeds_needed(noise, 1.5, rows=1, alpha=ALPHA)
    assert seeds is not None
    for other in (
        seeds_needed(replace(noise, variance=6.0), 1.5, rows=1, alpha=ALPHA),
        seeds_needed(noise, 0.8, rows=1, alpha=ALPHA),
        seeds_needed(noise, 1.5, rows=24, alpha=ALPHA),
    ):
        assert other is not None
        assert other > seeds
    assert seeds_needed(noise, 0.01, rows=1, alpha=ALPHA) is None
    assert seeds_needed(replace(noise, room=1.0), 1.5, rows=1, alpha=ALPHA) is None


def test_luck_that_a_seed_has_in_all_its_needle_sets_counts_as_the_seeds() -> None:
    """Four seeds with two needle sets each; the candidate's scores are off by the seed alone.

    Seeds' means are 1, -1, 1 and -1 off; their variance is 4/3, however many needle sets share it.
    """
    nights = Nights(sets=2, seeds=4, readers=1, strategies=("lc",), lengths=(4096,), depths=(0.0,))
    before = [replace(each, score=5) for each in Simulation(nights).records]
    after = [replace(each, score=6 if (each.seed or 0) % 2 else 4) for each in before]
    noise = noise_of_nights([pair(before, after)], ("reader",))
    assert noise is not None
    assert noise.variance == pytest.approx(4 / 3)
    assert (noise.trials, noise.room) == (2, 4)
    assert noise_of_nights([], ("reader",)) is None
