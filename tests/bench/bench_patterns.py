"""Error patterns: planted thresholds recovered, false alarms, the power that is stated, time and memory.

    PYTHONPATH=. python tests/bench/bench_patterns.py [RUNS]

Simulated trials (``tests/analysis/simulated_trials.py``): 5 depths, 4 lengths from 2k to 128k tokens, 8
strategies, 3 readers; clusters are 4 needle sets x 2 to 12 seeds. Without RUNS, 8;
docs have 100, which take about ten minutes.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter

import numpy as np

from niah.analysis.frame import trial_frame
from niah.analysis.patterns import Pattern, find_patterns
from niah.analysis.stats.bounded_mean import bounded_mean
from tests.analysis.simulated_trials import ALL, NONE, Effects, World, simulate, simulated_samples

TEN_POINTS = Effects(
    distraction=0.1, collapse=0.1, reverse=0.85, middle=0.8, unretrieved=4.0, doubt=1.3, lure=0.6
)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    speed()
    for seeds in (2, 3, 4, 8, 12):
        planted(World(seeds=seeds), runs)
    for seeds in (2, 4, 8):
        nothing(World(seeds=seeds), 3 * runs)
    for seeds in (3, 4, 8):
        power(World(seeds=seeds), runs // 2)


def planted(world: World, runs: int) -> None:
    """How often each threshold is found, and within 0.05; and how often each pattern is."""
    found: Counter[str] = Counter()
    off: dict[str, list[float]] = {"distraction": [], "critical": []}
    held: Counter[str] = Counter()
    both = size = trials = 0
    for run in range(runs):
        patterns, trials = tables(ALL, world, run)
        found.update(_title(pattern) for pattern in patterns if pattern.found)
        near = []
        for key, place, truth in (("distraction", 2, ALL.noise), ("critical", 3, ALL.critical)):
            pattern = patterns[place]
            error = abs(pattern.threshold - truth) if pattern.found and pattern.threshold else 1.0
            off[key].append(error)
            near.append(error <= 0.05)
            low, high = pattern.threshold_low, pattern.threshold_high
            held[key] += low is not None and high is not None and low - 0.01 <= truth <= high + 0.01
        both += all(near)
        turned = [patterns[place].size_dependence for place in (2, 3, 5)]
        size += all(one is not None and one.found and one.slope < 0 for one in turned)
    print(f"\nplanted, {trials:,} trials, {4 * world.seeds} clusters, {runs} runs")
    for key, errors in off.items():
        within = sum(error <= 0.05 for error in errors)
        seen = np.quantile([error for error in errors if error < 1] or [np.nan], (0.5, 0.9))
        print(
            f"  {key}: found within 0.05 in {within} of {runs}; where found, off by {seen[0]:.3f} (median),"
            f" {seen[1]:.3f} (90 %); interval (and 0.01) holds it in {held[key]}"
        )
    print(f"  both thresholds within 0.05: {both}; smaller readers more affected, all three: {size}")
    for name, count in found.items():
        print(f"  found {count:3} of {runs}: {name}")


def nothing(world: World, runs: int) -> None:
    """How often anything is found where nothing is planted."""
    alarms: Counter[str] = Counter()
    any_alarm = any_turn = trials = 0
    for run in range(runs):
        patterns, trials = tables(NONE, world, 100_000 + run)
        names = [_title(pattern) for pattern in patterns if pattern.found]
        alarms.update(names)
        any_alarm += bool(names)
        any_turn += any(one.found for pattern in patterns if (one := pattern.size_dependence))
    print(
        f"\nnothing planted, {trials:,} trials, {4 * world.seeds} clusters: a pattern in {any_alarm} of"
        f" {runs} runs ({100 * any_alarm / runs:.1f} %), a size dependence in {any_turn}; {dict(alarms)}"
    )


def power(world: World, runs: int) -> None:
    """The stated chance to find ten points, and how often they are, where about ten points are planted."""
    rows: dict[str, list[Pattern]] = {}
    for run in range(runs):
        patterns, _ = tables(TEN_POINTS, world, 200_000 + run)
        for pattern in patterns:
            rows.setdefault(_title(pattern), []).append(pattern)
    print(f"\nabout ten points planted, {4 * world.seeds} clusters, {runs} runs: real effect, power, found")
    for title, found in rows.items():
        effect = np.mean([pattern.effect or 0 for pattern in found])
        stated = 100 * np.mean([pattern.power for pattern in found])
        told = Counter(pattern.answer for pattern in found)
        print(f"  {title}: {effect:+.3f}, {stated:.0f} %, {100 * told['found'] / runs:.0f} %; {dict(told)}")


def tables(effects: Effects, world: World, seed: int) -> tuple[list[Pattern], int]:
    records = simulate(effects, world, seed)
    return find_patterns(trial_frame(records), simulated_samples(world), seed=seed), len(records)


def speed() -> None:
    """One table of 50,000 trials, in this process, with imports; memory beyond the records."""
    world = World(seeds=26)
    records, samples = simulate(ALL, world, 0), simulated_samples(world)
    for name in ("first", "again"):
        wall, cpu = time.perf_counter(), time.process_time()
        frame = trial_frame(records, samples)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{len(records):,} trials as columns, {name}: {wall:.2f} s, {cpu:.2f} s of CPU")
    before = _peak_mb()
    for name in ("first", "again"):
        wall, cpu = time.perf_counter(), time.process_time()
        find_patterns(frame, samples)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(
            f"{len(records):,} trials, {name}: {wall:.1f} s, {cpu:.1f} s of CPU, peak {_peak_mb():.0f} MB",
            end="",
        )
        print(f" ({before:.0f} MB before)")
    scores = np.array([record.score for record in records], dtype=np.float64)
    start = time.perf_counter()
    bounded_mean(scores, np.arange(len(scores)) // 481)
    print(f"interval of 50,000 trials in 104 clusters: {1000 * (time.perf_counter() - start):.0f} ms")
    start = time.perf_counter()
    bounded_mean(scores, np.arange(len(scores)) // 50)
    print(f"interval of 50,000 trials in 1,000 clusters: {1000 * (time.perf_counter() - start):.0f} ms")


def _title(pattern: Pattern) -> str:
    return f"{pattern.name} ({pattern.condition.split()[0]}): {pattern.behaviour}"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
