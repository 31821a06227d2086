from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from niah.analysis.stats.bounded_mean import SHARE_SCALE, bounded_mean, win_rate
from niah.analysis.stats.interval import Interval
from tests.examples import repeats


def _bounds(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


@given(
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from([1, 3, 5, 7, 10])), min_size=1, max_size=60),
    st.sampled_from([0.5, 0.95, 0.999]),
)
def test_every_interval_lies_on_the_scale_and_holds_its_mean(
    trials: list[tuple[int, int]], level: float
) -> None:
    clusters, scores = zip(*trials, strict=True)
    found = bounded_mean(scores, clusters, level=level)
    assert found.estimate == pytest.approx(np.mean(scores))
    assert found.n == len(scores)
    if found.clusters < 2:
        assert (found.low, found.high) == (None, None)
    else:
        low, high = _bounds(found)
        assert 1 <= low <= found.estimate + 1e-9
        assert found.estimate - 1e-9 <= high <= 10


def test_clusters_that_nearly_all_agree() -> None:
    # Five clusters of 20 trials with 1, 1, 1, 1 and 2 wrong: a mean of 9.46, and little doubt of it.
    values = np.concatenate([np.repeat([1.0, 10.0], [each, 20 - each]) for each in (1, 1, 1, 1, 2)])
    low, high = _bounds(bounded_mean(values, np.repeat(np.arange(5), 20)))
    assert 6 < low < 9
    assert 9.46 < high < 10


def test_all_alike_is_not_certain_and_more_clusters_say_more() -> None:
    lows = [_bounds(bounded_mean([10.0] * 40, np.arange(40) % count))[0] for count in (2, 5, 10, 40)]
    assert lows == sorted(lows)
    assert lows[0] < 6
    assert 9 < lows[-1] < 10
    assert _bounds(bounded_mean([10.0] * 40, np.arange(40) % 10))[1] == 10


def test_many_clusters_of_one_are_as_a_plain_mean() -> None:
    values = np.random.default_rng(0).choice([1.0, 3, 5, 7, 10], 4000)
    low, high = _bounds(bounded_mean(values, np.arange(4000)))
    reach = norm.ppf(0.975) * values.std(ddof=1) / np.sqrt(4000)
    assert (low, high) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.01)


@pytest.mark.parametrize("clusters", [16, 24])
def test_where_three_of_four_are_right_one_cluster_in_ten_may_be_far_worse(clusters: int) -> None:
    # None of those seen is: of 16 that happens once in five. With one in ten at 1.5 the mean is 7.1.
    seen = np.tile([10.0, 10, 10, 1], 5 * clusters)
    low, high = _bounds(bounded_mean(seen, np.arange(20 * clusters) // 20))
    assert low < 0.9 * 7.75 + 0.1 * 1.5 < 7.75 < high
    assert high - 7.75 < 0.5 * (7.75 - low)


def test_in_the_middle_of_the_scale_clusters_that_agree_are_believed() -> None:
    def width(scores: list[float], clusters: int) -> float:
        low, high = _bounds(bounded_mean(np.tile(scores, 5 * clusters), np.arange(20 * clusters) // 20))
        return high - low

    half = [10.0, 10, 1, 1]
    assert width(half, 12) < 0.5 * width([10.0, 10, 10, 1], 12)
    # Not three of them, nor trials that do not vary.
    assert width(half, 12) < 0.2 * width(half, 3)
    assert width(half, 12) < 0.5 * width([5.5] * 4, 12)


def test_the_farther_end_has_more_room_once_the_mean_is_surely_off_the_middle() -> None:
    def sides(*rights: int) -> float:
        """How much farther the interval reaches below the mean than above it, for 12 clusters of 20."""
        values = np.concatenate([np.repeat([10.0, 1.0], [each, 20 - each]) for each in rights * 6])
        found = bounded_mean(values, np.repeat(np.arange(12), 20))
        low, high = _bounds(found)
        return (found.estimate - low) / (high - found.estimate)

    # Of 8 and 13 the mean is 0.525, with an error of 0.04; of 13 and 14 it is 0.675, with one of 0.01.
    assert sides(8, 13) == pytest.approx(1, abs=0.05)
    assert sides(13, 14) > 1.5
    assert sides(7, 6) < 1 / 1.5


def test_trials_that_share_a_cluster_count_once() -> None:
    once = np.random.default_rng(1).choice([1.0, 10], 12)
    alike = bounded_mean(np.repeat(once, 9), np.repeat(np.arange(12), 9))
    assert _bounds(alike) == pytest.approx(_bounds(bounded_mean(once, np.arange(12))), abs=0.3)


def _worlds(clusters: int, rng: np.random.Generator) -> dict[str, tuple[np.ndarray, float]]:
    """Of each world the chance of a right answer in each cluster, and the mean score over all clusters."""
    rare = np.where(rng.random(clusters) < 0.1, 0.3, 0.98)
    spread = norm.cdf(rng.normal(1, 0.7, clusters))
    return {
        "rare bad clusters": (rare, 1 + 9 * (0.1 * 0.3 + 0.9 * 0.98)),
        "spread clusters": (spread, 1 + 9 * float(norm.cdf(1 / np.sqrt(1 + 0.7**2)))),
    }


@pytest.mark.parametrize(("clusters", "least"), [(5, 0.93), (9, 0.93), (16, 0.93), (24, 0.93)])
def test_intervals_hold_the_truth(clusters: int, least: float) -> None:
    rng = np.random.default_rng(clusters)
    held: dict[str, list[bool]] = {}
    for _ in range(repeats(150, 600)):
        for name, (rights, truth) in _worlds(clusters, rng).items():
            scores = np.where(rng.random((clusters, 20)) < rights[:, None], 10.0, 1.0)
            low, high = _bounds(bounded_mean(scores.ravel(), np.repeat(np.arange(clusters), 20)))
            held.setdefault(name, []).append(low <= truth <= high)
    # Less three standard errors of the fewer repeats.
    assert min(np.mean(each) for each in held.values()) > least - 0.06, held.keys()


@pytest.mark.parametrize("seeds", [4, 2])
def test_intervals_hold_what_other_seeds_and_other_needle_sets_would_give(seeds: int) -> None:
    rng, tries = np.random.default_rng(seeds), repeats(100, 400)
    sets, places = (one.ravel().repeat(18) for one in np.indices((9, seeds)))
    clusters = seeds * sets + places
    others = 1 + 9 * float(norm.cdf(0.3 / np.sqrt(1 + 0.3**2 + 0.5**2)))
    held = {"new seeds": 0, "new seeds, each cluster alone": 0, "other needle sets": 0, "each set alone": 0}
    for _ in range(tries):
        own = 0.3 + rng.normal(0, 0.3, 9)
        luck = own[sets] + rng.normal(0, 0.5, seeds)[places]
        scores = np.where(rng.normal(luck) > 0, 10.0, 1.0)
        here = 1 + 9 * float(norm.cdf(own / np.sqrt(1 + 0.5**2)).mean())
        found = {
            "new seeds": (bounded_mean(scores, clusters, places, sets), here),
            "new seeds, each cluster alone": (bounded_mean(scores, clusters, strata=sets), here),
            "other needle sets": (bounded_mean(scores, sets, places), others),
            "each set alone": (bounded_mean(scores, sets), others),
        }
        for name, (interval, truth) in found.items():
            low, high = _bounds(interval)
            held[name] += low <= truth <= high
    least = 0.93 - 3 * (0.93 * 0.07 / tries) ** 0.5
    assert min(held["new seeds"], held["other needle sets"]) / tries > least
    assert held["new seeds, each cluster alone"] / tries < 0.75
    assert held["each set alone"] < held["other needle sets"]


def test_how_needle_sets_differ_is_no_doubt_about_new_seeds() -> None:
    rng = np.random.default_rng(3)
    clusters, sets = np.arange(120) // 10, np.arange(120) // 40
    chances = np.array([0.95, 0.6, 0.2])[sets]
    scores = np.where(rng.random(120) < chances, 10.0, 1.0)
    together, apart = bounded_mean(scores, clusters), bounded_mean(scores, clusters, strata=sets)
    assert together.estimate == apart.estimate
    low, high = _bounds(together)
    assert _bounds(apart)[1] - _bounds(apart)[0] < 0.7 * (high - low)


def test_needle_sets_of_one_seed_are_themselves_what_varies() -> None:
    scores, sets = [10.0, 10, 7, 5, 5, 1], [0, 1, 2, 3, 4, 5]
    assert bounded_mean(scores, sets, [1] * 6, sets) == bounded_mean(scores, sets)


@given(st.permutations(range(12)))
def test_the_order_of_trials_and_names_of_clusters_change_nothing(order: list[int]) -> None:
    scores = np.array([10.0, 10, 7, 5, 5, 1, 10, 3, 3, 10, 10, 7])
    clusters, seeds, sets = np.arange(12) // 2, np.arange(12) // 2 % 3, np.arange(12) // 6
    places = np.array(order)
    moved = bounded_mean(scores[places], clusters[places] * 7 % 11, seeds[places], sets[places])
    assert _bounds(moved) == pytest.approx(_bounds(bounded_mean(scores, clusters, seeds, sets)))


def test_what_is_shared_within_clusters_alone_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    clusters, scores = np.arange(60) // 10, rng.choice([1.0, 5.0, 10.0], 60)
    plain = bounded_mean(scores, clusters)
    assert bounded_mean(scores, clusters, crossed=clusters) == plain
    assert bounded_mean(scores, clusters, crossed=np.zeros(60)) == plain
    # One seed or document for each half of a cluster adds nothing to what the cluster shares.
    assert bounded_mean(scores, clusters, crossed=np.arange(60) // 5) == plain


def test_win_rate_counts_ties_and_stays_a_share() -> None:
    rag, lc = np.array([10, 7, 7, 3] * 6), np.array([7, 7, 10, 3] * 6)
    found = win_rate(rag, lc, np.arange(24) // 3)
    assert found.estimate == 0.75
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low < 0.75 < found.high <= 1
    few = win_rate([1, 1, 1, 0], [1, 1, 1, 1], [0, 1, 2, 3])
    assert few.low is not None
    assert few.high is not None
    assert few.high - 0.75 < 0.75 - few.low < 0.75


def test_all_won_or_all_lost_is_not_certain() -> None:
    won = win_rate([10] * 40, [7] * 40, np.arange(40) % 10)
    assert (won.low, won.high) == pytest.approx((0.71, 1), abs=0.1)
    lost = win_rate([3] * 40, [7] * 40, np.arange(40) % 10)
    assert (lost.low, lost.high) == pytest.approx((0, 0.29), abs=0.1)


def test_one_cluster_says_nothing_of_others() -> None:
    assert win_rate([1], [0], [0]) == Interval(1.0, None, None, 1, 1)


@pytest.mark.parametrize("values", [[], [11.0], [0.5], [float("nan")]])
def test_values_off_the_scale_are_a_mistake(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"no values|outside the scale|finite"):
        bounded_mean(values, list(range(len(values))))
    assert bounded_mean([0.5, 1], [0, 1], scale=SHARE_SCALE).estimate == 0.75
