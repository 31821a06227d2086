"""Agreement measures: numbers worked out by hand, and scikit-learn's."""

from __future__ import annotations

import numpy as np

from niah.judges.audit import (
    Levels,
    agreement_within_one,
    cohen_kappa,
    confusion,
    exact_agreement,
    mean_bias,
    score_levels,
)


def both(pairs: list[tuple[int, int]]) -> tuple[Levels, Levels]:
    truth, judged = zip(*pairs, strict=True)
    return np.array(truth), np.array(judged)


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


def test_a_metrics_score_has_the_level_of_the_nearest_on_the_scale() -> None:
    # 4 lies between 3 and 5, and goes to the lower; 8.6 is nearer to 10 than to 7.
    assert score_levels([1, 3, 5, 7, 10]).tolist() == [0, 1, 2, 3, 4]
    assert score_levels([1.9, 4.0, 6.2, 8.4, 8.6]).tolist() == [0, 1, 3, 3, 4]
