from __future__ import annotations

import numpy as np

from niah.analysis.stats.surface.depth_dips import dips


def test_a_dip_lowers_its_place_most_and_neighbours_less() -> None:
    found = dips(np.linspace(0, 1, 5), 0.25)
    assert found.min() == 0
    for place in range(5):
        # By three doublings, twelve steps of a quarter, narrowly: no other depth by as much as half a one.
        (narrow,) = [each for each in found.tolist() if each[place] == 12 and sorted(each)[-2] <= 2]
        assert sum(narrow) <= 12 + 2 * 2


def test_no_dip_lowers_all_depths_alike_and_no_two_are_the_same() -> None:
    for depths in (1, 2, 3, 11):
        found = dips(np.linspace(0, 1, depths), 0.25)
        assert len({tuple(each) for each in found.tolist()}) == len(found)
        assert (found.max(axis=1) > found.min(axis=1)).all()
    assert len(dips(np.array([0.5]), 0.25)) == 0
