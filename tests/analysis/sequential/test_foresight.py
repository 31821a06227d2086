"""What is foreseen of a night's verdict, beside the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
import pytest

from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.compare.verdict import Limits
from niah.analysis.sequential.adaptive import design_of, progress_of, unit_of
from niah.analysis.sequential.design import Arm
from niah.analysis.sequential.foresight import PlannedTable
from niah.runs.trial import TrialRecord
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld

LIMITS = Limits(detectable=9.0)
LUCKY = LuckyNights(LuckyWorld(3, 4, seed_luck=0.8, night_luck=0.2))


def nights_of(seed: int, falls: float) -> tuple[Pairs, list[list[TrialRecord]]]:
    """Tonight against last night, and all five nights before; a share of tonight's answers turned wrong."""
    rng = np.random.default_rng(seed)
    scores = LUCKY.draw(6, rng)
    scores[-1] = np.where(rng.random(scores.shape[1]) < falls, 1.0, scores[-1])
    *earlier, tonight = (
        [replace(one, score=int(score)) for one, score in zip(LUCKY.records, night, strict=True)]
        for night in scores
    )
    return pair(earlier[-1], tonight), earlier


def is_worse(pairs: Pairs, earlier: Sequence[Sequence[TrialRecord]]) -> bool:
    return compare_pairs(pairs, limits=LIMITS, earlier=earlier).verdict.kind == "regression"


@pytest.mark.parametrize("learning", [False, True])
def test_of_a_night_that_asked_all_the_verdict_is_known(learning: bool) -> None:
    found = []
    for seed, falls in ((0, 0.0), (1, 0.5), (2, 0.5)):
        pairs, earlier = nights_of(seed, falls)
        nights = earlier if learning else []
        table = PlannedTable(pairs, LIMITS.alpha, nights)
        foresight = table.foresee(np.ones(len(pairs.baseline), dtype=np.bool_))
        found.append(is_worse(pairs, nights))
        assert foresight.regression == found[-1]
        assert set(foresight.arms.values()) <= {0.0, 1.0}
    assert found == [False, True, True]


def test_what_began_badly_is_foreseen_to_end_badly() -> None:
    chances = []
    for falls in (0.0, 0.2, 0.6):
        pairs, earlier = nights_of(3, falls)
        known = np.random.default_rng(0).random(len(pairs.baseline)) < 0.4
        chances.append(PlannedTable(pairs, LIMITS.alpha, earlier).foresee(known).regression)
    assert chances[0] < 0.2 < chances[2] - 0.5
    assert chances == sorted(chances)


def test_a_strategy_that_fell_is_the_one_that_is_foreseen() -> None:
    pairs, earlier = nights_of(4, 0.0)
    fallen = tuple(replace(one, score=1) if one.strategy == "lc" else one for one in pairs.candidate)
    known = np.random.default_rng(0).random(len(fallen)) < 0.4
    foresight = PlannedTable(replace(pairs, candidate=fallen), LIMITS.alpha, earlier).foresee(known)
    worse = {arm for arm, chance in foresight.arms.items() if chance > 0.9}
    assert worse == {(Arm("simulated", "lc"), "score")}


def test_early_stops_come_to_the_plain_verdict() -> None:
    """At most one of ten nights, half of which hang in the balance, and some trials are spared."""
    other, shares = 0, []
    for seed in range(10):
        pairs, earlier = nights_of(seed, 0.25 if seed % 2 else 0.0)
        design = design_of(pairs, LIMITS.alpha, seed)
        looked = progress_of(design, pairs, earlier).looked
        units = map(unit_of, pairs.candidate)
        asked = [design.look_of[arm][unit.key] <= looked[arm] for arm, unit in units]
        baseline, candidate = (tuple(compress(side, asked)) for side in (pairs.baseline, pairs.candidate))
        part = replace(pairs, baseline=baseline, candidate=candidate)
        other += is_worse(part, earlier) != is_worse(pairs, earlier)
        shares.append(np.mean(asked))
    assert other <= 1
    assert np.mean(shares) < 0.75
