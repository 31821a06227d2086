"""How long every figure of 50,000 trials takes on one core, and how much memory.

Run it from the repository: python tests/bench/bench_figures.py
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.goals import beside_goal
from tests.plots.figures.simulated_records import World, simulate


def main() -> None:
    """Print seconds by figure and in all, and the most memory."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    records, samples = simulate(World())
    before = _megabytes()

    start = time.process_time()
    from niah.analysis.frame import trial_frame
    from niah.plots.figures.figure_data import figure_data
    from niah.plots.kit.saved_figure import save_figure
    from niah.plots.kit.theme import themed
    from niah.plots.registry import FIGURES

    data = figure_data(trial_frame(records, samples))
    print(f"{len(records):,} trials as arrays, imports included: {time.process_time() - start:.1f} s of CPU")
    drawn = 0
    with tempfile.TemporaryDirectory() as folder, themed():
        for name, figure in FIGURES.items():
            began, names = time.process_time(), []
            for rendered in figure.draw(data):
                names.append(save_figure(rendered, Path(folder)).name)
            drawn += len(names)
            print(f"  {time.process_time() - began:5.2f} s  {', '.join(names) or name}")
    took = time.process_time() - start
    print(f"{drawn} figures (SVG, PNG, CSV): {took:.1f} s of CPU")
    print(f"most memory {_megabytes():.0f} MB, {before:.0f} of it the trials'")
    print(beside_goal("every figure of 50,000 trials, one core", took))
    print(beside_goal("memory for every figure of 50,000 trials", _megabytes()))


def _megabytes() -> float:
    """The most memory so far; Linux counts in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
