from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from niah.analysis.stats.seed_clusters import variance_of

A, F, SETS = 5, 3, 4


def test_where_every_seed_has_every_needle_set_it_is_students_of_the_seeds_means() -> None:
    rng = np.random.default_rng(0)
    seeds, sets = (one.ravel() for one in np.indices((A + F, SETS)))
    values = rng.normal(size=A + F)[seeds] + rng.normal(size=seeds.size)
    labels = (seeds < A).astype(float)
    contrast = np.where(labels, 1 / A, -1 / F) / SETS
    fitted = np.column_stack([np.eye(SETS)[sets], labels])
    found = variance_of(contrast, values, fitted, seeds)
    means = values.reshape(A + F, SETS).mean(axis=1)
    assert found.free == pytest.approx(A + F - 2)
    assert contrast @ values / found.value**0.5 == pytest.approx(ttest_ind(means[:A], means[A:]).statistic)


def test_where_each_seed_has_one_needle_set_it_is_the_pooled_variance_within() -> None:
    values, sets = np.array([3.0, 5, 10, 4, 4, 7]), np.array([0, 0, 0, 1, 1, 1])
    found = variance_of(np.full(6, 1 / 6), values, np.eye(2)[sets], np.arange(6))
    # Squares about 6 and 5: 9 + 1 + 16 + 1 + 1 + 4 = 32, of 4 degrees of freedom.
    assert found == pytest.approx((32 / 4 / 6, 4))


def test_seeds_that_all_have_the_same_say_nothing_of_others() -> None:
    assert variance_of(np.ones(2), np.array([1.0, 2.0]), np.eye(2), np.array([0, 0])).free == 0


def test_where_seeds_have_some_needle_sets_it_is_right_on_average() -> None:
    rng, draws = np.random.default_rng(1), 2000
    seeds = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 5, 5, 6])
    sets = np.array([0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 2, 0, 2, 1])
    fitted = np.eye(3)[sets]
    contrast = (fitted / fitted.sum(axis=0)).mean(axis=1)
    values = rng.normal(size=(draws, 7))[:, seeds] + rng.normal(size=(draws, len(seeds)))
    truth = float(np.var(values @ contrast))
    told = np.mean([variance_of(contrast, one, fitted, seeds).value for one in values])
    assert told == pytest.approx(truth, rel=0.1)
