"""Comparisons take trials as plain columns, which must say what a frame of the same trials says."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from niah.analysis.compare.axes import axes_of
from niah.analysis.compare.rows import rows_of
from niah.analysis.frame import trial_frame
from niah.analysis.trial_columns import trial_columns
from tests.analysis.compare.simulated_nights import AXES, Nights, Simulation, as_records

NIGHTS = Nights(sets=3, seeds=2, failing=0.05)


def test_columns_make_the_rows_that_frames_make() -> None:
    simulation = Simulation(NIGHTS)
    before, after = (as_records(simulation.records, side) for side in simulation.draw(0))
    after[0] = replace(after[0], outcome="not_run", score=None)
    ours, theirs = trial_columns([*before, *after]), trial_frame([*before, *after])
    n = len(before)
    first, second = ours.rows(slice(n)), ours.rows(slice(n, None))
    rows = rows_of(first, second, axes_of(first, AXES))
    assert rows == rows_of(theirs[:n], theirs[n:], axes_of(theirs[:n], AXES))
    assert any(row.measure == "not scored" and row.difference for row in rows)


def test_nothing_waits_for_pandas() -> None:
    code = """
import sys
from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import pair
from tests.analysis.small_trials import at, trial
records = [trial("lc", 7, case=at(length)) for length in (1000, 2000)]
compare_pairs(pair(records, records))
print("pandas" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]
