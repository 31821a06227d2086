"""Agreement measures: numbers worked out by hand, and scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from niah.judges.audit import (
    Levels,
    agreement_within_one,
    cohen_kappa,
    confusion,
    exact_agreement,
    mean_bias,
    score_levels,
)

_PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60)


def both(pairs: list[tuple[int, int]]) -> tuple[Levels, Levels]:
    truth, judged = zip(*pairs, strict=True)
    return np.array(truth), np.array(judged)


def test_levels_are_the_places_of_the_scores() -> None:
    assert score_levels([1, 3, 5, 7, 10, 1]).tolist() == [0, 1, 2, 3, 4, 0]


def test_shares_and_bias_by_hand() -> None:
    # Differences +0, +1, -2, +4: one of four exact, two within one, the mean is 3/4.
    truth, judged = both([(0, 0), (1, 2), (3, 1), (0, 4)])
    assert exact_agreement(truth, judged) == 1 / 4
    assert agreement_within_one(truth, judged) == 2 / 4
    assert mean_bias(truth, judged) == 3 / 4


def test_confusion_has_a_row_for_each_true_level() -> None:
    counts = confusion(*both([(0, 4), (0, 4), (2, 1)]))
    assert counts.shape == (5, 5)
    assert (counts[0, 4], counts[2, 1], counts.sum()) == (2, 1, 3)


def test_kappa_by_hand() -> None:
    # Truth 0 0 4 4, judged 0 4 4 4. A difference of 4 weighs 16. Observed: one of them, 16.
    # By chance: (0, 4) 2 x 3 / 4 = 1.5 times and (4, 0) 2 x 1 / 4 = 0.5 times, 2 x 16 = 32. 1 - 16 / 32.
    assert cohen_kappa(*both([(0, 0), (0, 4), (4, 4), (4, 4)]), quadratic=True) == 0.5


def test_kappa_with_a_near_miss_by_hand() -> None:
    # Truth 0 1 4, judged 1 1 4. Observed: weight 1, once. By chance, thirds: truth 0 against 1, 1, 4 weighs
    # 1 + 1 + 16; truth 1 against them 0 + 0 + 9; truth 4 against them 9 + 9 + 0; 45 / 3 = 15. 1 - 1 / 15.
    assert cohen_kappa(*both([(0, 1), (1, 1), (4, 4)]), quadratic=True) == pytest.approx(14 / 15)


def test_the_ends_of_kappa() -> None:
    assert cohen_kappa(*both([(0, 0), (4, 4)]), quadratic=True) == 1
    assert cohen_kappa(*both([(0, 4), (4, 0)]), quadratic=True) == -1
    assert cohen_kappa(*both([(0, 4), (2, 4), (4, 4)]), quadratic=True) == 0, "a judge who knows one score"


def test_what_is_undefined_is_none() -> None:
    assert cohen_kappa(*both([(3, 3), (3, 3)]), quadratic=True) is None
    nothing = score_levels([])
    assert cohen_kappa(nothing, nothing, quadratic=True) is None
    for measure in (exact_agreement, agreement_within_one, mean_bias):
        assert measure(nothing, nothing) is None


@given(_PAIRS)
def test_kappa_is_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    truth, judged = both(pairs)
    ours = cohen_kappa(truth, judged, quadratic=True)
    if len(set(truth) | set(judged)) == 1:
        assert ours is None
        return
    theirs = cohen_kappa_score(truth, judged, labels=range(5), weights="quadratic")
    assert ours is not None
    assert math.isclose(ours, theirs, abs_tol=1e-12)


@given(_PAIRS)
def test_kappa_does_not_ask_who_is_who(pairs: list[tuple[int, int]]) -> None:
    truth, judged = both(pairs)
    ours, theirs = cohen_kappa(truth, judged, quadratic=True), cohen_kappa(judged, truth, quadratic=True)
    assert ours == theirs or (ours is not None and theirs is not None and math.isclose(ours, theirs))


def test_a_metrics_score_has_the_level_of_the_nearest_on_the_scale() -> None:
    # 4 lies between 3 and 5, and goes to the lower; 8.6 is nearer to 10 than to 7.
    assert score_levels([1, 3, 5, 7, 10]).tolist() == [0, 1, 2, 3, 4]
    assert score_levels([1.9, 4.0, 6.2, 8.4, 8.6]).tolist() == [0, 1, 3, 3, 4]
