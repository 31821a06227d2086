from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, permutation_test

from niah.analysis.stats.permutation import max_sign_flip, studentised


def test_signs_of_three_clusters_by_hand() -> None:
    # Of eight signs only +++ reaches a sum of 6, and --- turned.
    assert max_sign_flip(np.array([[3.0], [1.0], [2.0]])).p == 2 / 8


def test_drawn_signs_agree_with_scipy() -> None:
    differences = np.random.default_rng(3).normal(0.4, 1, 25)
    scipys = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=9999, rng=np.random.default_rng(0)
    )
    assert max_sign_flip(differences[:, None]).p == pytest.approx(scipys.pvalue, abs=0.01)


def test_nothing_at_all() -> None:
    assert max_sign_flip(np.zeros((30, 1))).p == 1


def test_the_same_seed_gives_the_same_p() -> None:
    scores = np.random.default_rng(5).normal(0.2, 1, (40, 1))
    first, again, other = (max_sign_flip(scores, draws=499, seed=seed).p for seed in (1, 1, 2))
    assert first == again != other


def test_a_search_is_paid_for() -> None:
    scores = np.random.default_rng(1).normal(size=(30, 20))
    best = int(np.abs(studentised(scores)).argmax())
    alone = max_sign_flip(scores[:, [best]]).p
    assert alone < max_sign_flip(scores).p < 20 * alone + 0.05


def test_p_values_of_nothing_are_uniform_after_a_search() -> None:
    rng = np.random.default_rng(2)
    p = [
        max_sign_flip(np.cumsum(rng.normal(size=(20, 8)), axis=1), draws=499, seed=run).p
        for run in range(200)
    ]
    assert kstest(p, "uniform").pvalue > 0.01


def test_a_search_may_choose_less_than_the_most_extreme() -> None:
    scores = np.random.default_rng(1).normal(size=(12, 5))
    assert max_sign_flip(scores, observed=0.0).p == 1


def test_the_critical_value_is_what_a_p_of_the_level_takes() -> None:
    # Of 512 flips of nine equal clusters, 2 reach 9 / 3, 20 reach 7 / 3, 92 reach 5 / 3.
    test = max_sign_flip(np.ones((9, 1)))
    assert test.critical(2 / 512) == pytest.approx(7 / 3)
    assert test.critical(19 / 512) == pytest.approx(7 / 3)
    assert test.critical(20 / 512) == pytest.approx(5 / 3)
    assert test.critical(1 / 512) == np.inf
    drawn = max_sign_flip(np.random.default_rng(0).normal(size=(40, 3)), draws=999)
    beyond = drawn.maxima > drawn.critical(0.05)
    assert (beyond.sum() + 1) / 1000 <= 0.05 < (beyond.sum() + 2) / 1000
