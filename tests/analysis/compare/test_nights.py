"""Smaller versions of tests/bench/bench_compare.py."""

from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.compare.axes import cut_levels
from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.moments import interval_half_widths, moments
from niah.analysis.compare.pairs import pair
from niah.analysis.compare.rows import Row, rows_of
from niah.analysis.compare.verdict import Limits
from tests.analysis.compare.simulated_nights import Nights, Simulation, as_records

ALPHA = Limits().alpha
TWO = ("lc", "mixpr")
BLOCK = {"reader": "simulated-1", "strategy": "lc", "length_band": "64-128k"}


def alarms(rows: tuple[Row, ...]) -> list[Row]:
    return [row for row in rows if row.adjusted is not None and row.adjusted <= ALPHA]


@pytest.mark.parametrize(
    "nights",
    [Nights(sets=3, seeds=2), Nights(sets=6, seeds=5, readers=1, strategies=TWO, luck=0.5, tails=4)],
)
def test_false_alarms(nights: Nights) -> None:
    """At a true rate of 4 %, 120 nights have more than 12 alarms 3 times in 1,000."""
    simulation = Simulation(nights)
    found = sum(
        bool(alarms(rows_of(*simulation.draw(night), simulation.axes, alpha=ALPHA))) for night in range(120)
    )
    assert found <= 12


def test_a_drop_of_what_can_be_seen_is_seen_where_it_is() -> None:
    """At a true rate of 80 %, 100 nights have fewer than 68 finds 3 times in 1,000."""
    simulation = Simulation(Nights(sets=6, seeds=3, strategies=TWO))
    stated = [
        next(row for row in rows_of(*simulation.draw(1000 + night), simulation.axes) if row.parts == BLOCK)
        for night in range(5)
    ]
    least = float(np.median([row.detectable or np.inf for row in stated]))
    struck = simulation.where(**BLOCK)
    falls = simulation.share_falling(struck, least)
    assert 0 < falls < 0.6
    found = innocent = 0
    for night in range(100):
        named = alarms(rows_of(*simulation.draw(night, struck, falls), simulation.axes, alpha=ALPHA))
        found += any(row.parts == BLOCK for row in named)
        innocent += any(row.parts.get("reader") == "simulated-0" for row in named)
    assert found >= 68
    assert innocent <= 12


def test_intervals_hold_the_truth() -> None:
    """At 95 %, 300 intervals hold it fewer than 273 times, or more than 296, once in 1,000 each."""
    simulation = Simulation(Nights(sets=4, seeds=3, readers=1, strategies=("lc",), luck=0.6))
    level, held = cut_levels(simulation.axes, len(simulation.records))[0], 0
    for night in range(300):
        before, after = simulation.draw(night)
        found = moments(level, before["cluster"].to_numpy(), (after["score"] - before["score"]).to_numpy())
        held += bool(abs(found.mean[0]) <= interval_half_widths(found)[0])
    assert 273 <= held <= 297


def test_the_culprit_is_named_from_records() -> None:
    simulation = Simulation(Nights(sets=5, seeds=3))
    first, second = simulation.draw(1, simulation.where(**BLOCK), falls=0.6)
    before, after = as_records(simulation.records, first), as_records(simulation.records, second)
    found = compare_pairs(pair(before, after))
    assert found.verdict.kind == "regression"
    assert all(BLOCK.items() <= row.parts.items() for row in found.verdict.regressions)
    assert compare_pairs(pair(before, before)).verdict.kind in ("no regression", "incomplete")
    assert compare_pairs(pair(after, before)).verdict.kind != "regression"
