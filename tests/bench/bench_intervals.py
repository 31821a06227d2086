"""Coverage of 95 % intervals in worlds where luck is shared, and how many leave their scale.

    PYTHONPATH=. python tests/bench/bench_intervals.py [RUNS] [worlds|sets|kinds|floor|unseen]

Beside ours: Student's interval of the cluster means, the symmetric studentised bootstrap without bounds, and
the percentile bootstrap. Clusters have 10 to 59 trials. Goal: 93 to 98 % from nine clusters on, none off the
scale. Then runs of several needle sets: how often the interval for new seeds and the one for other needle
sets hold the mean of new seeds of these needle sets, and that of needle sets like these; seeds have luck of
their own in all needle sets, or none. Last what could be had where one cluster in so many is far worse than
the rest: by who knows both kinds of clusters, and needs only learn how many are of which; and how often an
interval must hold the truth where all clusters are alike, if it is to hold it where a few are far off; and
whether it is missed where a rare cluster was seen, or where none was.
Without RUNS, 60 of each; docs have 400, which take about five minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import beta, norm
from scipy.stats import t as student

from niah.analysis.stats.bootstrap import mean_interval
from niah.analysis.stats.bounded_mean import SCORE_SCALE, SHARE_SCALE, bounded_mean
from niah.analysis.stats.clusters import resampled, totals

CLUSTERS = (5, 9, 12, 16, 24, 48)
SETS_AND_SEEDS = ((3, 4), (3, 12), (4, 4), (6, 4), (9, 4), (15, 2), (15, 4))
DRAWS = 999
RARE, AT_LEAST = (0.05, 0.1, 0.15, 0.2), 0.93
METHODS = ("ours", "Student", "studentised", "percentile")
Floats = NDArray[np.float64]
Sampler = Callable[[int, np.random.Generator], tuple[Floats, NDArray[np.int64]]]
"""Values in clusters, and the cluster of each."""


def main() -> None:
    parts = {"worlds": worlds, "sets": needle_sets, "kinds": two_kinds, "floor": floor, "unseen": unseen}
    runs = next((int(each) for each in sys.argv[1:] if each.isdigit()), 60)
    for name in [each for each in sys.argv[1:] if each in parts] or parts:
        parts[name](runs)


def worlds(runs: int) -> None:
    print(f"{runs} simulated tables each: coverage in %, mean width, share of intervals off the scale in %")
    print(f"{'world':34s} clusters " + " ".join(f"{name:>14s}" for name in METHODS))
    for name, (sample, scale) in WORLDS.items():
        truth = float(sample(100_000, np.random.default_rng(1))[0].mean())
        for clusters in CLUSTERS:
            tables = [_intervals(*sample(clusters, np.random.default_rng(run)), scale) for run in range(runs)]
            said = " ".join(_said(tables, at, truth, scale) for at in range(4))
            print(f"{name:34s} {clusters:8d} {said}", flush=True)


def floor(runs: int) -> None:
    """How often the truth must be held where clusters are alike, half of all answers right.

    In a table in which no rare cluster was seen nobody can tell whether there are any, nor on which side. An
    oracle knows all else: the error of the mean, how rare they are, how far off, and the truth where one was
    seen. All it needs is one width for the other tables, the same below as above; "-" where it needs none.
    """
    print("\nhalf right; rare clusters right in 5 or in 95 %; an oracle that holds the truth in 93 % there")
    print(f"{'clusters':>8s}  rare: width, held where all are alike{'':8s}ours, all alike: held, width")
    for clusters in CLUSTERS[1:]:
        error = 4.5 / np.sqrt(clusters * 34.5)  # trials a cluster: 10 to 59
        told = "; ".join(f"{share:4.0%} {_least(share, clusters, error):>10s}" for share in RARE)
        found = []
        for run in range(runs):
            values, places = _rare(clusters, np.random.default_rng(run), 0.0, 0.95, 0.5)
            ours = bounded_mean(values, places)
            assert ours.low is not None
            assert ours.high is not None
            found.append([ours.low <= 5.5 <= ours.high, ours.high - ours.low])
        held, width = np.mean(found, axis=0)
        print(f"{clusters:8d}  {told}  {100 * held:5.1f} {width:4.2f}", flush=True)


def _least(share: float, clusters: int, error: float) -> str:
    """Of so many rare clusters: the oracle's width, and how often it holds the truth where there are none."""
    needed = 1 - (1 - AT_LEAST) / (1 - share) ** clusters
    if needed <= 0:
        return "-"
    reach = share * 9 * 0.45 / error + norm.ppf(needed)
    return f"{2 * reach * error:4.2f} {100 * (2 * norm.cdf(reach) - 1):5.1f}"


def unseen(runs: int) -> None:
    """Coverage in % of tables in which a cluster far worse than the rest was seen, and of those with none."""
    print("\nhalf right, in so many clusters 5 %; tables with one of these: held; with none: how many, held")
    for share, clusters in product((0.1, 0.2), CLUSTERS[1:5]):
        truth, seen, held = 5.5 - share * 9 * 0.45, [], []
        for run in range(runs):
            values, places = _rare(clusters, np.random.default_rng(run), share, 0.95, 0.5)
            seen.append((np.bincount(places, values) / np.bincount(places)).min() < 1 + 9 * 0.275)
            ours = bounded_mean(values, places)
            assert ours.low is not None
            assert ours.high is not None
            held.append(ours.low <= truth <= ours.high)
        with_one, of_all = np.array(seen), 100 * np.array(held)
        shares = of_all[with_one].mean(), 100 * np.mean(~with_one), of_all[~with_one].mean()
        print(f"{share:5.2f} {clusters:4d} {shares[0]:8.1f} {shares[1]:8.1f} {shares[2]:5.1f}")


def two_kinds(runs: int) -> None:
    """Coverage in % and mean width: ours, and Clopper and Pearson's of how many clusters are very bad."""
    print("\nright in 75 %, in so many clusters in 5 %; ours held, width; who knows both kinds held, width")
    right, wrong = 0.75, 0.05
    for share, clusters in product((0.0, 0.05, 0.1, 0.2), CLUSTERS[1:]):
        truth, found = 1 + 9 * (right - share * (right - wrong)), []
        for run in range(runs):
            values, places = _rare(clusters, np.random.default_rng(run), share, 1 - wrong, 1 - right)
            bad = int((np.bincount(places, values) / np.bincount(places) < 1 + 9 * (right + wrong) / 2).sum())
            ours = bounded_mean(values, places)
            most, least = (1 + 9 * (right - at * (right - wrong)) for at in _clopper_pearson(bad, clusters))
            assert ours.low is not None
            assert ours.high is not None
            found.append(
                [
                    *(ours.low <= truth <= ours.high, ours.high - ours.low),
                    *(least - 1e-9 <= truth <= most + 1e-9, most - least),
                ]
            )
        held, width, known, of_known = np.mean(found, axis=0)
        print(f"{share:5.2f} {clusters:4d} {100 * held:8.1f} {width:5.2f} {100 * known:8.1f} {of_known:5.2f}")


def _clopper_pearson(some: int, of_all: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    low = beta.ppf(0.025, some, of_all - some + 1) if some else 0.0
    high = beta.ppf(0.975, some + 1, of_all - some) if some < of_all else 1.0
    return float(low), float(high)


def needle_sets(runs: int) -> None:
    """Coverage in % where needle sets differ, and where a seed has luck in all of them; tens and ones."""
    print("\nluck of needle sets, of seeds; interval for new seeds: mean of new seeds of these sets held,")
    print("of others held, width; interval for other needle sets: mean of others held, width")
    for sets, seeds in SETS_AND_SEEDS:
        for luck in product((0.5, 1.2), (0.0, 0.8)):
            rows = [_of_sets(sets, seeds, *luck, np.random.default_rng(run)) for run in range(runs)]
            here, others, width, wide, wider = np.mean(rows, axis=0)
            print(f"{sets:2d} x {seeds:2d} {luck[0]:6.1f} {luck[1]:4.1f}", end="")
            print(f"{100 * here:8.1f} {100 * others:6.1f} {width:6.1f} {100 * wide:8.1f} {wider:6.1f}")


def _of_sets(sets: int, seeds: int, of_sets: float, of_seeds: float, rng: np.random.Generator) -> Floats:
    """Whether the first interval holds the mean of these sets, and of others; its width; the second's."""
    own, luck = rng.normal(0.8, of_sets, sets), rng.normal(0, of_seeds, seeds)
    log_odds = own[:, None] + luck + rng.normal(0, 0.4, (sets, seeds))
    scores = np.where(rng.random((sets, seeds, 18)) < expit(log_odds)[..., None], 10.0, 1.0).ravel()
    places = np.arange(sets * seeds * 18) // 18
    here = float(np.mean(_mean_score(own, of_seeds)))
    others = float(_mean_score(np.array([0.8]), float(np.hypot(of_sets, of_seeds)))[0])
    first = bounded_mean(scores, places, places % seeds, places // seeds)
    second = bounded_mean(scores, places // seeds, places % seeds)
    assert first.low is not None
    assert first.high is not None
    assert second.low is not None
    assert second.high is not None
    return np.array(
        [
            first.low <= here <= first.high,
            first.low <= others <= first.high,
            first.high - first.low,
            second.low <= others <= second.high,
            second.high - second.low,
        ]
    )


def _mean_score(log_odds: Floats, spread: float) -> Floats:
    """Expected score, over luck of seeds, and of needle set x seed (0.4)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(30)
    lucky = log_odds[:, None] + np.hypot(spread, 0.4) * nodes
    means: Floats = 1 + 9 * (expit(lucky) @ weights) / weights.sum()
    return means


def _said(tables: list[Floats], at: int, truth: float, scale: tuple[float, float]) -> str:
    low, high = np.array([table[at] for table in tables]).T
    held = 100 * np.mean((low <= truth) & (truth <= high))
    off = 100 * np.mean((low < scale[0] - 1e-9) | (high > scale[1] + 1e-9))
    return f"{held:5.1f} {np.median(high - low):5.2f} {off:3.0f}"


def _intervals(values: Floats, places: NDArray[np.int64], scale: tuple[float, float]) -> Floats:
    """Shape (4, 2): ours, Student's, the studentised bootstrap, the percentile bootstrap."""
    ours = (
        bounded_mean(values, places, scale=scale)
        if np.isfinite(scale[0])
        else mean_interval(values, places, draws=DRAWS)
    )
    sums = totals(places, values, np.ones(len(values)))
    mean, count = values.mean(), len(sums)
    drawn = resampled(sums, DRAWS, 0)
    spread = np.sqrt(((sums[:, 0] - mean * sums[:, 1]) ** 2).sum() * count / (count - 1)) / len(values)
    squares = np.column_stack([sums[:, 0] ** 2, sums[:, 0] * sums[:, 1], sums[:, 1] ** 2])
    of_draws = resampled(squares, DRAWS, 0)
    ratio = drawn[:, 0] / drawn[:, 1]
    errors = (
        np.sqrt(
            np.maximum(of_draws[:, 0] - 2 * ratio * of_draws[:, 1] + ratio**2 * of_draws[:, 2], 0)
            * count
            / (count - 1)
        )
        / (drawn[:, 1])
    )
    told = errors > 1e-9 * max(errors.max(), 1e-300)
    critical = float(np.quantile(np.abs(ratio - mean)[told] / errors[told], 0.95)) if told.any() else 0.0
    of_student = float(student.ppf(0.975, count - 1))
    free = max(critical, of_student) * spread
    plain = of_student * spread
    low, high = np.quantile(ratio, [0.025, 0.975])
    return np.array(
        [(ours.low, ours.high), (mean - plain, mean + plain), (mean - free, mean + free), (low, high)]
    )


def _placed(clusters: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.repeat(np.arange(clusters), rng.integers(10, 60, clusters))


def _rare(
    clusters: int, rng: np.random.Generator, share: float, wrong: float, elsewhere: float = 0.02
) -> tuple[Floats, NDArray[np.int64]]:
    """Tens, some of them ones; a share of clusters in which so many are."""
    places = _placed(clusters, rng)
    chance = np.where(rng.random(clusters) < share, wrong, elsewhere)[places]
    return np.where(rng.random(len(places)) < chance, 1.0, 10.0), places


def _spread(
    clusters: int, rng: np.random.Generator, typical: float, spread: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Scores of the rubric; a cluster's luck is normal."""
    places = _placed(clusters, rng)
    luck = rng.normal(typical, spread, clusters)[places] + rng.logistic(size=len(places))
    return np.array([1.0, 3, 5, 7, 10])[np.digitize(luck, [-1.5, -0.7, 0, 0.8])], places


def _shares(clusters: int, rng: np.random.Generator, typical: float) -> tuple[Floats, NDArray[np.int64]]:
    """Won or not; a cluster's luck is normal."""
    places = _placed(clusters, rng)
    chance = norm.cdf(rng.normal(typical, 0.8, clusters))[places]
    return (rng.random(len(places)) < chance).astype(np.float64), places


def _differences(clusters: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    """Paired differences, with some clusters far off: t with 4 degrees of freedom."""
    places = _placed(clusters, rng)
    return rng.standard_t(4, clusters)[places] / 2 + np.round(rng.normal(0, 2, len(places))), places


WORLDS: dict[str, tuple[Sampler, tuple[float, float]]] = {
    "scores, spread 0.8": (partial(_spread, typical=0.3, spread=0.8), SCORE_SCALE),
    "scores, middle, spread 0.3": (partial(_spread, typical=-0.1, spread=0.3), SCORE_SCALE),
    "scores, high, spread 1.5": (partial(_spread, typical=2.5, spread=1.5), SCORE_SCALE),
    "tens, 5 % of clusters bad": (partial(_rare, share=0.05, wrong=0.5), SCORE_SCALE),
    "tens, 10 % of clusters bad": (partial(_rare, share=0.1, wrong=0.5), SCORE_SCALE),
    "tens, 20 % of clusters bad": (partial(_rare, share=0.2, wrong=0.5), SCORE_SCALE),
    "tens, 10 % of clusters very bad": (partial(_rare, share=0.1, wrong=0.9), SCORE_SCALE),
    "half of the clusters bad": (partial(_rare, share=0.5, wrong=0.95, elsewhere=0.05), SCORE_SCALE),
    "scores, middle, spread 0.8": (partial(_spread, typical=-0.1, spread=0.8), SCORE_SCALE),
    "3 of 5 right, 10 % very bad": (partial(_rare, share=0.1, wrong=0.95, elsewhere=0.4), SCORE_SCALE),
    "3 of 4 right, 10 % very bad": (partial(_rare, share=0.1, wrong=0.95, elsewhere=0.25), SCORE_SCALE),
    "3 of 5 right, 20 % very bad": (partial(_rare, share=0.2, wrong=0.95, elsewhere=0.4), SCORE_SCALE),
    "half right, 10 % very bad": (partial(_rare, share=0.1, wrong=0.95, elsewhere=0.5), SCORE_SCALE),
    "half right, 20 % very bad": (partial(_rare, share=0.2, wrong=0.95, elsewhere=0.5), SCORE_SCALE),
    "2 of 5 right, 10 % very bad": (partial(_rare, share=0.1, wrong=0.95, elsewhere=0.6), SCORE_SCALE),
    "half right, all alike": (partial(_rare, share=0.0, wrong=0.95, elsewhere=0.5), SCORE_SCALE),
    "win rate 78 %": (partial(_shares, typical=1.0), SHARE_SCALE),
    "win rate 89 %": (partial(_shares, typical=1.6), SHARE_SCALE),
    "win rate 97 %": (partial(_shares, typical=2.4), SHARE_SCALE),
    "paired difference": (_differences, (-np.inf, np.inf)),
}

if __name__ == "__main__":
    main()
