"""Nights as they may go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.analysis.sequential.completions import AskedSoFar, drawn_failures, drawn_gains

CLUSTERS, ARMS, EACH = 12, 3, 20


def so_far(gain: NDArray[np.float64], pending: NDArray[np.bool_]) -> AskedSoFar:
    """Of one reader with three strategies, each with 20 pairs in each of 12 clusters."""
    cluster, arm, _ = (
        each.ravel()
        for each in np.meshgrid(np.arange(CLUSTERS), np.arange(ARMS), np.arange(EACH), indexing="ij")
    )
    n = len(cluster)
    return AskedSoFar(
        gain=np.where(pending, np.nan, gain),
        failed_before=np.zeros(n),
        failed=np.zeros(n),
        pending=pending,
        groups=(np.zeros(n, dtype=np.int64), arm, cluster),
        readers=np.zeros(n, dtype=np.int64),
        arms=arm,
    )


def halves(seed: int) -> tuple[AskedSoFar, NDArray[np.float64]]:
    """Half of a night in which a third of the answers change and the second strategy drops; and all."""
    rng = np.random.default_rng(seed)
    n = CLUSTERS * ARMS * EACH
    gain = np.where(rng.random(n) < 1 / 3, rng.normal(0, 5, n), 0.0)
    blank = so_far(gain, np.zeros(n, dtype=np.bool_))
    gain = gain - 1.0 * (blank.arms == 1) * (rng.random(n) < 0.5)
    pending = rng.random(n) < 0.5
    return so_far(gain, pending), gain


def test_what_is_known_stays_and_the_rest_goes_on_as_it_began() -> None:
    night, _ = halves(0)
    drawn = drawn_gains(night, 400, np.random.default_rng(1))
    assert (drawn[:, ~night.pending] == night.gain[~night.pending]).all()
    for arm in range(ARMS):
        known = night.gain[(night.arms == arm) & ~night.pending]
        rest = drawn[:, (night.arms == arm) & night.pending]
        assert rest.mean() == pytest.approx(known.mean(), abs=0.35)
        assert rest.std() == pytest.approx(known.std(), rel=0.2)
        assert (rest == 0).mean() == pytest.approx((known == 0).mean(), abs=0.06)


def test_a_strategys_mean_is_as_far_off_as_is_foreseen() -> None:
    """Over 60 nights the true mean's place among 200 draws is uniform: 5 to 95 % holds it in 90 %.

    54 are expected; below 48 or above 59 has a chance of 2 %.
    """
    inside = 0
    for seed in range(60):
        night, gain = halves(seed)
        wanted = (night.arms == 1) & night.pending
        means = drawn_gains(night, 200, np.random.default_rng(1))[:, wanted].mean(axis=1)
        low, high = np.quantile(means, [0.05, 0.95])
        inside += low <= gain[wanted].mean() <= high
    assert 48 <= inside <= 59


def test_where_no_answer_changed_hardly_any_will() -> None:
    n = CLUSTERS * ARMS * EACH
    pending = np.arange(n) % 5 > 0
    drawn = drawn_gains(so_far(np.zeros(n), pending), 100, np.random.default_rng(0))
    changed = (drawn[:, pending] != 0).mean()
    # None of 144 changed; of 145 one is taken to, of which each strategy's 48 leave 20 parts of 68.
    assert changed == pytest.approx(20 / 68 / 145, rel=0.5)


def test_a_whole_night_is_itself() -> None:
    night, gain = halves(0)
    night = replace(night, gain=gain, pending=np.zeros(len(gain), dtype=np.bool_))
    assert (drawn_gains(night, 2, np.random.default_rng(0)) == gain).all()
    assert (drawn_failures(night, 2, np.random.default_rng(0)) == night.failed).all()


def test_what_failed_goes_on_failing() -> None:
    night, _ = halves(0)
    n = len(night.gain)
    # The first strategy fails throughout; a tenth of all failed before, and the others' fail again.
    before = (np.arange(n) % 10 == 0).astype(np.float64)
    failed = np.where(night.arms == 0, 1.0, before)
    night = replace(night, failed_before=before, failed=failed, gain=np.where(failed > 0, np.nan, night.gain))
    drawn = drawn_failures(night, 200, np.random.default_rng(0))
    known = ~night.pending
    assert (drawn[:, known] == failed[known]).all()
    for arm, was, expected in ((0, 0, 1.0), (1, 0, 0.0), (1, 1, 1.0)):
        which = (night.arms == arm) & (before == was) & night.pending
        assert drawn[:, which].mean() == pytest.approx(expected, abs=0.1)
    # Without a score before there is nothing to gain.
    gains = drawn_gains(night, 5, np.random.default_rng(0))
    assert (gains[:, night.pending & (before > 0)] == 0).all()
