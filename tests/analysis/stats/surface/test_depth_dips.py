from __future__ import annotations

import numpy as np

from niah.analysis.stats.surface.depth_dips import dip_table, dips


def test_a_dip_lowers_its_place_most_and_neighbours_less() -> None:
    found = dips((0.0, 0.25, 0.5, 0.75, 1.0), 0.25).lowered
    assert found.min() == 0
    for place in range(5):
        # By three doublings, twelve steps of a quarter, narrowly: no other depth by as much as half a one.
        own = [sorted(each)[:-1] for each in found.tolist() if each[place] == 12 and sorted(each)[-2] <= 2]
        # A bell, and the depth alone.
        assert sorted(map(sum, own))[0] == 0
        assert 0 < sorted(map(sum, own))[1] <= 2 * 2
        assert len(own) == 2


def test_no_dip_lowers_all_depths_alike_and_shares_are_of_all() -> None:
    for depths in (2, 3, 11):
        found, shares, *_ = dips(tuple(np.linspace(0, 1, depths).tolist()), 0.25)
        assert (found.max(axis=1) > found.min(axis=1)).all()
        assert abs(shares.sum() - 1) < 1e-9
        alone = (found > 0).sum(axis=1) == 1
        # Each depth by one, two and three doublings.
        assert len({tuple(each) for each in found[alone].tolist()}) >= 3 * depths
    assert len(dips((0.5,), 0.25).lowered) == 0


def test_weights_of_dips_are_products_over_depths_with_their_thresholds_lowered() -> None:
    rng = np.random.default_rng(0)
    for depths, thresholds in ((1, 5), (2, 6), (5, 21), (5, 4)):
        known = dips(tuple(np.linspace(0, 1, depths).tolist()), 0.25)
        around, prior = rng.random((depths, thresholds, 2, 7)), rng.random(7)
        table = dip_table(around, known, prior)
        means = range(0, thresholds, 2)
        expected = np.empty((len(known.lowered), len(means), 2, 7))
        for dip, steps in enumerate(known.lowered.tolist()):
            for place, mean in enumerate(means):
                expected[dip, place] = known.shares[dip] * prior
                for depth, lowered in enumerate(steps):
                    expected[dip, place] *= around[depth, max(mean - lowered, 0)]
        assert table.shape == expected.shape
        np.testing.assert_allclose(table.totals, expected.sum(axis=-1).ravel(), rtol=1e-12)
        if depths > 1:
            assert table.weights_of
            rows = rng.permutation(len(table.totals))[:40]
            np.testing.assert_allclose(table.weights_of(rows), expected.reshape(-1, 7)[rows], rtol=1e-12)
