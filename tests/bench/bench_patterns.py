"""Error patterns: planted thresholds recovered, false alarms, coverage of intervals, time and memory.

    PYTHONPATH=. python tests/bench/bench_patterns.py [RUNS]

Simulated trials (``tests/analysis/simulated_trials.py``): 5 depths, 4 lengths from 2k to 128k tokens, 8
strategies, 3 readers; clusters are 4 needle sets x 2 to 12 seeds. About ten minutes with 100 runs.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from niah.analysis.frame import trial_frame
from niah.analysis.patterns import Pattern, find_patterns
from niah.analysis.stats.bootstrap import mean_interval, win_rate
from niah.analysis.stats.clusters import resampled, totals
from tests.analysis.simulated_trials import ALL, NONE, Effects, World, simulate, simulated_samples

LEVELS = (1, 3, 5, 7, 10)
DRAWS = 999
Sample = tuple[NDArray[np.float64], NDArray[np.int64], bool]
"""Values, clusters, and whether it is a share."""
Sampler = Callable[[int, np.random.Generator], Sample]


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    speed()
    for seeds in (2, 3, 4, 8, 12):
        planted(World(seeds=seeds), runs)
    for seeds in (2, 4, 8):
        nothing(World(seeds=seeds), 3 * runs)
    coverage(10 * runs)


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
    mean_interval(scores, np.arange(len(scores)) // 481)
    print(f"interval of 50,000 trials in 104 clusters: {1000 * (time.perf_counter() - start):.0f} ms")
    start = time.perf_counter()
    mean_interval(scores, np.arange(len(scores)) // 50)
    print(f"interval of 50,000 trials in 1,000 clusters: {1000 * (time.perf_counter() - start):.0f} ms")


def _title(pattern: Pattern) -> str:
    return f"{pattern.name} ({pattern.condition.split()[0]}): {pattern.behaviour}"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def coverage(runs: int) -> None:
    """How often 95 % intervals hold the truth, by method and the number of clusters."""
    print(f"\ncoverage of 95 % intervals, clusters of 10 to 59 trials, {runs} simulated tables each")
    for name, sample in SAMPLES.items():
        truth = TRUTHS.get(name, float(sample(200_000, np.random.default_rng(1))[0].mean()))
        for clusters in (8, 12, 20, 60):
            held = np.mean([_held(sample, clusters, truth, run) for run in range(runs)], axis=0)
            ours, percentile, bca = 100 * held
            print(
                f"  {name}, {clusters} clusters: {ours:.1f} %, percentile {percentile:.1f} %, BCa {bca:.1f} %"
            )


def _held(sample: Sampler, clusters: int, truth: float, run: int) -> list[bool]:
    values, places, share = sample(clusters, np.random.default_rng(run))
    interval = (
        win_rate(values, np.ones(len(values)), places, draws=DRAWS, seed=run)
        if share
        else mean_interval(values, places, draws=DRAWS, seed=run)
    )
    assert interval.low is not None
    assert interval.high is not None
    plain = _plain(totals(places, values, np.ones(len(values))), run)
    return [low <= truth <= high for low, high in ((interval.low, interval.high), *plain)]


def _plain(sums: NDArray[np.float64], seed: int) -> list[tuple[float, float]]:
    """Percentile and BCa intervals (Efron and Tibshirani 1993, chapter 14) of a mean."""
    drawn = resampled(sums, DRAWS, seed)
    means, mean = drawn[:, 0] / drawn[:, 1], sums[:, 0].sum() / sums[:, 1].sum()
    left_out = (sums[:, 0].sum() - sums[:, 0]) / (sums[:, 1].sum() - sums[:, 1])
    pull = left_out.mean() - left_out
    acceleration = (pull**3).sum() / (6 * max((pull**2).sum(), 1e-12) ** 1.5)
    below = np.clip((means < mean).mean() + (means == mean).mean() / 2, 1 / DRAWS, 1 - 1 / DRAWS)
    bias, z = norm.ppf(below), norm.ppf([0.025, 0.975])
    levels = norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    return [tuple(np.quantile(means, at)) for at in ([0.025, 0.975], levels)]


def _scores(clusters: int, rng: np.random.Generator) -> Sample:
    """Scores from 1 to 10, mostly high."""
    places, luck = _clustered(clusters, rng)
    steps = np.digitize(luck + rng.normal(0, 1, len(luck)) + 0.8, [-1.5, -0.7, 0, 0.8])
    return np.array(LEVELS, dtype=np.float64)[steps], places, False


def _differences(clusters: int, rng: np.random.Generator) -> Sample:
    """Paired differences, with some clusters far off: t with 4 degrees of freedom."""
    places = np.repeat(np.arange(clusters), rng.integers(10, 60, clusters))
    luck = rng.standard_t(4, clusters)[places] / 2
    return luck + np.round(rng.normal(0, 2, len(places))), places, False


def _wins(clusters: int, rng: np.random.Generator, typical: float = 1.0) -> Sample:
    places, luck = _clustered(clusters, rng)
    return (rng.random(len(luck)) < norm.cdf(typical + 0.8 * luck)).astype(np.float64), places, True


def _frequent_wins(clusters: int, rng: np.random.Generator) -> Sample:
    return _wins(clusters, rng, 1.6)


def _sure_wins(clusters: int, rng: np.random.Generator) -> Sample:
    return _wins(clusters, rng, 2.4)


def _clustered(clusters: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    places = np.repeat(np.arange(clusters), rng.integers(10, 60, clusters))
    return places, rng.normal(0, 1, clusters)[places]


SAMPLES: dict[str, Sampler] = {
    "mean score": _scores,
    "paired difference": _differences,
    "win rate 78 %": _wins,
    "win rate 89 %": _frequent_wins,
    "win rate 97 %": _sure_wins,
}
TRUTHS = {"paired difference": 0.0}


if __name__ == "__main__":
    main()
