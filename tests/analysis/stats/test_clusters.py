from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.clusters import clusters_of, flipped, resampled, totals
from niah.runs.trial import TrialRecord


def _record(needle_set: str, seed: int) -> TrialRecord:
    return TrialRecord("t", "c", needle_set, "essays", 1000, 50, seed, "lc", "simulated", 0, "not_run")


def test_a_cluster_is_a_needle_set_and_a_seed() -> None:
    records = [_record("pizza", 1), _record("potion", 1), _record("pizza", 2), _record("pizza", 1)]
    assert clusters_of(records).tolist() == [0, 1, 2, 0]


def test_totals_by_cluster() -> None:
    assert totals([7, 3, 7], [1, 2, 4], [1, 1, 1]).tolist() == [[2, 1], [5, 2]]


@pytest.mark.parametrize("column", [[1.0, 2.0], [1.0, np.nan, 2.0]])
def test_totals_of_what_does_not_fit(column: list[float]) -> None:
    with pytest.raises(ValueError, match=r"clusters' rows|finite"):
        totals([0, 0, 1], column)


def test_resamples_have_as_many_clusters_as_there_are() -> None:
    sums = np.column_stack([np.ones(9), np.arange(9.0)])
    drawn = resampled(sums, 3000, 1)
    assert (drawn[:, 0] == 9).all()
    # Each draw's sum has mean 36 and variance 9 * 60 / 9; the mean of 3000 has a standard error of 0.14.
    assert drawn[:, 1].mean() == pytest.approx(36, abs=0.6)
    assert drawn[:, 1].var() == pytest.approx(60, rel=0.1)


def test_blocks_change_no_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.analysis.stats.clusters._BLOCK", 50)
    sums = np.ones((20, 1))
    assert resampled(sums, 7, 0).tolist() == [[20.0]] * 7
    assert flipped(sums, 7, 0).shape == (7, 1)


def test_all_signs_where_there_are_few() -> None:
    assert sorted(flipped(np.array([[1.0], [10.0]]), 4, 0).ravel()) == [-11, -9, 9, 11]


def test_drawn_signs_where_there_are_many() -> None:
    drawn = flipped(np.ones((40, 1)), 2000, 0)
    assert drawn.mean() == pytest.approx(0, abs=0.6)
    assert drawn.var() == pytest.approx(40, rel=0.15)
