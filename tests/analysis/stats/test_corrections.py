from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.analysis.stats.corrections import holm

P = st.lists(st.floats(0, 1), min_size=1, max_size=30)

# The fifteen p-values of Benjamini and Hochberg 1995, section 3.2; Holm rejects three at 5 %.
NEUHAUS = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
NEUHAUS += [0.6528, 0.7590, 1.0000]


def test_holm_by_hand() -> None:
    # Sorted 0.01 * 4 = 0.04, 0.02 * 3 = 0.06, 0.03 * 2 = 0.06, 0.04 * 1 = 0.04 but no less than 0.06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_the_example_of_benjamini_and_hochberg() -> None:
    assert (holm(NEUHAUS) <= 0.05).sum() == 3
    assert holm(NEUHAUS)[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.1140])


@given(P)
def test_order_and_bounds(p: list[float]) -> None:
    bonferroni = np.minimum(np.array(p) * len(p), 1)
    assert (np.array(p) <= holm(p)).all()
    assert (holm(p) <= bonferroni).all()


@given(P, st.integers(0, 100))
def test_the_order_given_changes_nothing(p: list[float], seed: int) -> None:
    order = np.argsort(np.random.default_rng(seed).random(len(p)))
    assert holm(np.array(p)[order]) == pytest.approx(holm(p)[order])


def test_nothing_to_correct() -> None:
    assert len(holm([])) == 0


@pytest.mark.parametrize("p", [[-0.1], [1.1], [float("nan")], [[0.1]]])
def test_no_p_values(p: list[float]) -> None:
    with pytest.raises(ValueError, match="p-values"):
        holm(p)
