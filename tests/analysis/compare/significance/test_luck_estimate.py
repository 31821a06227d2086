from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.compare.significance.luck_estimate import LuckEstimate, MeanSquares, luck_estimate
from niah.analysis.compare.significance.night_levels import mean_square_of_nights


@pytest.mark.parametrize(("reference_nights", "nights"), [(1, 2.0), (5, 1.2), (2, 1.5)])
def test_what_is_known_for_sure_is_drawn_as_it_is(reference_nights: int, nights: float) -> None:
    known = LuckEstimate(0.5, 0.2, nights=5)
    seeds, whole = known.drawn(3, reference_nights, np.random.default_rng(0))
    assert seeds**2 == pytest.approx(nights * 0.25)
    assert whole**2 == pytest.approx(nights * 0.04)


def test_few_nights_make_students_t() -> None:
    # Tonight's luck and a fifth more for the mean of five; the quantile of 97.5 % of t with 3 is 3.18.
    few = LuckEstimate(0.0, 0.1, night_degrees=3, nights=5)
    rng = np.random.default_rng(0)
    _, nights = few.drawn(40_000, 5, rng)
    luck = nights * rng.normal(size=40_000)
    assert np.quantile(luck, 0.975) == pytest.approx(3.18 * 0.1 * 1.2**0.5, rel=0.05)


def test_seeds_luck_is_drawn_as_two_mean_squares_tell_it() -> None:
    # Beside the whole its own is nothing, so luck is Student's t with 5: its quantile of 97.5 % is 2.57.
    few = LuckEstimate(0.5, 0.0, seed_squares=MeanSquares(0.2501, 0.0001, 5, 100), nights=5)
    rng = np.random.default_rng(0)
    seeds, _ = few.drawn(40_000, 1, rng)
    luck = seeds * rng.normal(size=40_000)
    assert np.quantile(luck, 0.975) == pytest.approx(2.57 * 0.5 * 2**0.5, rel=0.05)
    # F of 3 with 5 and 100 is exceeded by chance in 1.4 % of nights, so luck may be none in so many.
    doubtful = MeanSquares(0.3, 0.1, 5, 100).drawn(40_000, rng)
    assert (doubtful == 0).mean() == pytest.approx(0.014, abs=0.004)


def test_nights_without_luck_of_their_own_tell_what_seeds_vary() -> None:
    """Two seeds of five needle sets, lucky by 1 and -1 in turn: all nights have the same mean."""
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(10), 12)
    luck = np.where(clusters < 5, 1.0, -1.0) * np.array([1, -1, 1, -1, 1, -1])[:, None]
    found = luck_estimate(6 + luck + rng.normal(size=luck.shape), np.ones(120), clusters, clusters // 5)
    assert found.night == 0
    assert found.seed_squares is not None
    # Five of seeds and four of nights; these show nothing, so the variance of 2 is five ninths of it.
    assert found.seed_squares.whole_degrees == 9
    assert found.seed == pytest.approx((2 * 6 / 5 * 5 / 9) ** 0.5, rel=0.1)


def test_calm_nights_have_seen_where_the_reference_is() -> None:
    """Two clusters, lucky by 1 and -1 in turn: a night's mean should vary, and is always 0."""
    clusters = np.repeat(np.arange(2), 12)
    luck = np.where(clusters < 1, 1.0, -1.0) * np.array([1, -1, 1, -1, 1, -1])[:, None]
    calm = luck_estimate(6 + luck, np.ones(24), clusters, clusters)
    # Squares about each night's mean: 2 in each of six nights, for five degrees of freedom; halved in a mean.
    assert calm.calm == pytest.approx(6 * 2 / 5 / 2)
    assert calm.seen_of_reference == pytest.approx(4 / 5 * 6 / 5)
    # Where nights vary as much as that, nothing has been seen; nor after a step.
    lively = luck_estimate(luck + np.array([1, -1, 1, -1, 1, 0])[:, None], np.ones(24), clusters, clusters)
    stepped = luck_estimate(luck + 4 * (np.arange(6) > 3)[:, None], np.ones(24), clusters, clusters)
    assert lively.seen_of_reference == pytest.approx(0, abs=1e-12)
    assert stepped.seen_of_reference == 0


def test_nights_that_are_all_alike_share_no_luck() -> None:
    clusters = np.repeat(np.arange(6), 4)
    assert luck_estimate(np.full((6, 24), 7.0), np.ones(24), clusters, clusters) == LuckEstimate(0.0, 0.0)


def test_without_a_step_the_mean_square_is_the_usual_one() -> None:
    means = np.array([0.1, -0.1, 0.12, -0.08, 0.0])
    assert mean_square_of_nights(means) == pytest.approx(means.var(ddof=1), rel=0.15)
