from __future__ import annotations

import numpy as np

from niah.analysis.stats.surface.depth_dips import dips


def test_a_dip_lowers_its_place_most_and_neighbours_less() -> None:
    found, _ = dips((0.0, 0.25, 0.5, 0.75, 1.0), 0.25)
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
        found, shares = dips(tuple(np.linspace(0, 1, depths).tolist()), 0.25)
        assert (found.max(axis=1) > found.min(axis=1)).all()
        assert abs(shares.sum() - 1) < 1e-9
        alone = (found > 0).sum(axis=1) == 1
        # Each depth by one, two and three doublings.
        assert len({tuple(each) for each in found[alone].tolist()}) >= 3 * depths
    assert len(dips((0.5,), 0.25)[0]) == 0
