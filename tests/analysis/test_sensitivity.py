"""What a pattern's test would have seen, against what it sees."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.analysis.patterns.contrasts import Contrast, contrast
from niah.analysis.patterns.questions import Question
from niah.analysis.patterns.sensitivity import sensitivity
from tests.examples import repeats

ROWS = 40


def _told(
    clusters: int, base: float, effect: float, rng: np.random.Generator, spread: float = 0.05
) -> Contrast:
    """Half of each cluster's rows under the condition, which makes what happens at times more frequent."""
    cluster: NDArray[np.int64] = np.repeat(np.arange(clusters), ROWS)
    under = np.tile([0.0, 1.0], clusters * ROWS // 2)
    luck = rng.normal(0, spread, clusters)[cluster] * under
    y = (rng.random(len(cluster)) < base + (effect + luck) * under).astype(np.float64)
    told = contrast(
        Question("", "", "", "given", np.arange(len(cluster)), cluster, y, under, cluster),
        int(rng.integers(999)),
    )
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("clusters", "base", "effect"),
    [(9, 0.2, 0.2), (11, 0.2, 0.15), (16, 0.05, 0.07), (16, 0.05, 0.12), (16, 0.4, 0.1), (40, 0.1, 0.05)],
)
def test_the_power_stated_before_an_effect_is_the_share_found(
    clusters: int, base: float, effect: float
) -> None:
    rng, level, tries = np.random.default_rng(clusters), 0.01, repeats(120, 500)
    stated = [sensitivity(_told(clusters, base, 0, rng), level).power(effect) for _ in range(tries)]
    found = np.mean([_told(clusters, base, effect, rng).test.p <= level for _ in range(tries)])
    # Ten points, and two standard errors of what was found.
    assert np.mean(stated) == pytest.approx(found, abs=0.1 + 1 / tries**0.5)


def test_what_is_detectable_is_found_in_four_of_five() -> None:
    seen = sensitivity(_told(16, 0.1, 0, np.random.default_rng(1)), 0.01)
    least = seen.detectable()
    assert least is not None
    assert seen.power(least) == pytest.approx(0.8, abs=0.01)
    assert seen.power(0.5 * least) < 0.5 < 0.8 < seen.power(1.5 * least)


def test_more_clusters_see_less() -> None:
    rng = np.random.default_rng(2)
    least = [sensitivity(_told(clusters, 0.1, 0, rng), 0.01).detectable() for clusters in (9, 18, 60)]
    assert None not in least
    assert least == sorted(least, key=lambda one: -(one or 0))


def test_so_few_clusters_see_nothing() -> None:
    seen = sensitivity(_told(6, 0.1, 0, np.random.default_rng(3)), 0.01)
    assert seen.critical == np.inf
    assert (seen.power(0.8), seen.detectable()) == (0, None)


def test_answers_that_are_all_alike_do_not_promise_everything() -> None:
    # Nothing varied: what an effect itself would add is noise enough to miss a small one.
    rng = np.random.default_rng(4)
    seen = sensitivity(_told(16, 0, 0, rng, spread=0), 0.01)
    assert seen.noise == 0
    assert seen.power(0.005) < 0.2 < 0.8 < seen.power(0.1)
    assert np.mean([_told(16, 0, 0.005, rng, spread=0).test.p <= 0.01 for _ in range(40)]) < 0.3
