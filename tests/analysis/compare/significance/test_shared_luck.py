"""Small versions of tests/bench/bench_shared_luck.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import pair
from niah.analysis.compare.rows import Row
from niah.analysis.compare.significance.earlier_nights import earlier_nights
from niah.analysis.compare.significance.luck_estimate import LuckEstimate, luck_estimate
from niah.analysis.compare.significance.null_draws import LUCK_DRAWS, null_draws
from niah.analysis.compare.significance.shared_luck import SharedLuck
from niah.analysis.compare.verdict import Limits, comparison_verdict, row_label
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld, has_alarm
from tests.bench.luck_tables import LuckTables

SHARED = LuckyWorld(3, 4, seed_luck=0.8, night_luck=0.2)
LEVEL = 0.04


def learned(world: LuckyWorld, nights: int) -> LuckEstimate:
    lucky = LuckyNights(world)
    scores = lucky.draw(nights, np.random.default_rng(1))
    clusters = lucky.frame["cluster"].to_numpy()
    seeds = lucky.frame["seed"].to_numpy().astype(np.int64)
    return luck_estimate(scores, np.full(len(clusters), 1.5), clusters, seeds)


def test_more_luck_is_found_where_there_is_more() -> None:
    none = learned(LuckyWorld(3, 4), 21)
    assert none.seed < 0.2
    assert none.night < 0.1
    seeds, nights = (
        learned(LuckyWorld(3, 4, seed_luck=0.8), 21),
        learned(LuckyWorld(3, 4, night_luck=0.4), 21),
    )
    # Of 40 such histories: 0.81 on the average, standard deviation 0.09; and 0.42, 0.08.
    assert 0.6 < seeds.seed < 1.0
    assert 0.25 < nights.night < 0.6


def test_a_lasting_step_is_no_luck_of_nights() -> None:
    """Twelve clusters but for noise at one level; or two points lower from the fourth night on; or shaken."""
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(12), 10)
    flat = 6 + rng.normal(size=(6, len(clusters)))
    stepped = flat - 2 * (np.arange(6) >= 3)[:, None]
    shaken = flat + 2 * np.array([1, -1, 0.5, -0.8, 1, -0.7])[:, None]
    night = {
        name: found.night
        for name, nights in {"flat": flat, "stepped": stepped, "shaken": shaken}.items()
        for found in [luck_estimate(nights, np.full(len(clusters), 1.5), clusters, clusters)]
    }
    assert night["stepped"] < night["flat"] + 0.05
    assert night["shaken"] > 0.4


def test_nights_of_shared_luck_are_seldom_alarms_once_it_is_known() -> None:
    """At a true rate of 4 %, 60 nights have more than 5 alarms 3 times in 100."""
    lucky, rng = LuckyNights(SHARED), np.random.default_rng(0)
    nights = [lucky.draw(6, rng) for _ in range(60)]
    blind = sum(has_alarm(lucky.rows(each, alpha=LEVEL, learning=False), LEVEL) for each in nights)
    assert sum(has_alarm(lucky.rows(each, alpha=LEVEL), LEVEL) for each in nights) <= 5 < blind


def test_the_benchs_quick_tables_say_what_comparisons_say() -> None:
    """They draw luck less often, so that a night near the level may come out otherwise."""
    lucky, rng = LuckyNights(SHARED), np.random.default_rng(5)
    tables, both = LuckTables(lucky, LEVEL), []
    for fall in np.linspace(0, 0.4, 12):
        scores = lucky.draw(6, rng)
        scores[-1] = np.where(rng.random(scores.shape[1]) < fall, 1.0, scores[-1])
        (luck,) = tables.learned(scores, [1])
        quick = tables.alarms(scores[-1] - scores[-2], luck, LEVEL)
        both.append((quick, has_alarm(lucky.rows(scores, alpha=LEVEL), LEVEL)))
    assert {any(each) for each in both} == {True, False}
    assert sum(quick != whole for quick, whole in both) <= 1


@pytest.mark.parametrize("pool", [1, 5])
def test_the_benchs_quick_tables_state_and_find_what_comparisons_do(pool: int) -> None:
    lucky, rng = LuckyNights(SHARED), np.random.default_rng(6)
    tables, found = LuckTables(lucky, LEVEL), []
    for fall in np.linspace(0, 0.5, 6):
        scores = lucky.draw(6, rng)
        scores[-1] = np.where(rng.random(scores.shape[1]) < fall, 1.0, scores[-1])
        row = lucky.rows(scores, alpha=LEVEL, pool=pool)[0]
        assert row.adjusted is not None
        found.append((tables.finds_all_pairs(scores, pool, LEVEL), row.adjusted <= LEVEL))
        assert tables.stated(scores, pool, LEVEL) == pytest.approx(row.detectable or np.inf, rel=0.06)
    assert {any(each) for each in found} == {True, False}
    assert sum(quick != whole for quick, whole in found) <= 1


def test_intervals_and_what_can_be_seen_count_luck_in() -> None:
    lucky = LuckyNights(SHARED)
    nights = lucky.draw(6, np.random.default_rng(2))
    alone, counted = (lucky.rows(nights, alpha=LEVEL, learning=each)[0] for each in (False, True))
    assert (alone.difference, alone.n) == (counted.difference, counted.n)
    assert alone.low is not None
    assert counted.low is not None
    assert counted.low < alone.low
    assert alone.detectable is not None
    assert counted.detectable is not None
    assert counted.detectable > 1.3 * alone.detectable


def test_a_mean_of_nights_sees_more_than_one_of_them() -> None:
    nights = LuckyNights(SHARED).draw(6, np.random.default_rng(2))
    one, mean = (LuckyNights(SHARED).rows(nights, alpha=LEVEL, pool=pool)[0] for pool in (1, 5))
    assert mean.baseline == pytest.approx(nights[:-1].mean())
    assert one.detectable is not None
    assert mean.detectable is not None
    assert mean.detectable < 0.9 * one.detectable


def test_two_earlier_nights_tell_nothing_and_leave_the_test_exact() -> None:
    lucky = LuckyNights(SHARED)
    nights = lucky.draw(3, np.random.default_rng(3))
    assert lucky.rows(nights, alpha=LEVEL) == lucky.rows(nights, alpha=LEVEL, learning=False)


def test_what_is_seen_of_the_reference_makes_a_difference_clearer() -> None:
    """Many clusters: a normal sum, of whose variance 0.3 is not there; at most a half of it is believed."""
    worse = np.random.default_rng(0).normal(0.1, 1.0, (60, 1))
    squares = (worse**2).sum(axis=0)
    draws, clusters, one = np.zeros((LUCK_DRAWS, 1)), np.array([60]), np.ones(1)

    def p_value(share: float) -> float:
        luck = SharedLuck(draws, 0 * one, clusters, one, share * squares)
        drawn = null_draws(worse, [], seed=1, luck=luck)
        return float((drawn.draws >= drawn.observed).mean())

    distance = float(worse.sum() / np.sqrt(squares[0]))
    assert 1.2 < distance < 2.2
    assert p_value(0.0) == pytest.approx(norm.sf(distance), abs=0.01)
    assert p_value(0.3) == pytest.approx(norm.sf(distance / 0.7**0.5), abs=0.01)
    assert p_value(0.5) == p_value(0.9) < 0.7 * p_value(0.3)


def test_only_a_night_that_is_known_has_been_seen() -> None:
    """Against one of the calm nights an interval is narrower than against another one with the same answers.

    That one differs from it by a single trial.
    """
    lucky = LuckyNights(LuckyWorld(3, 12, spread=True))
    nights = lucky.draw(6, np.random.default_rng(1))
    other = nights[-2].copy()
    other[0] = 11 - other[0]
    rows = [
        lucky.rows(np.array([*nights[:-2], known, nights[-1]]), alpha=LEVEL, before=nights[-2])[0]
        for known in (nights[-2], other)
    ]
    widths = [row.high - row.low for row in rows if row.high is not None and row.low is not None]
    assert widths[0] < 0.97 * widths[1]


def test_earlier_nights_count_where_they_were_asked_and_judged_alike() -> None:
    tonight = [replace(each, judge_version="2") for each in LuckyNights(LuckyWorld(2, 1)).records]
    failed = [replace(tonight[0], outcome="refused", score=None), *tonight[1:]]
    older = [replace(each, judge_version="1") for each in tonight]
    other = [replace(each, trial_id=f"{each.trial_id} of another text") for each in tonight]
    found = earlier_nights(tonight, [tonight, failed, older, other, tonight[: len(tonight) // 3]])
    assert found.scores.shape == found.failed.shape == (2, len(tonight))
    assert np.isnan(found.scores[1, 0])
    assert found.failed[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize(("count", "told"), [(0, "and there are 0"), (5, "as 5 earlier nights tell it")])
def test_a_comparison_says_what_it_knows_of_luck(count: int, told: str) -> None:
    records = LuckyNights(LuckyWorld(2, 3)).records
    (note,) = compare_pairs(pair(records, records), earlier=[records] * count).notes
    assert told in note


def test_what_shared_luck_hides_is_told_and_leaves_the_night_complete() -> None:
    """Without earlier nights, the same trials are too few for a drop of 0.1 points."""
    lucky = LuckyNights(SHARED)
    nights = [
        [replace(record, score=int(score)) for record, score in zip(lucky.records, night, strict=True)]
        for night in lucky.draw(5, np.random.default_rng(2))
    ]
    limits, pairs = Limits(detectable=0.1), pair(nights[-2], nights[-1])
    assert compare_pairs(pairs, limits=limits).verdict.kind == "incomplete"
    told = compare_pairs(pairs, limits=limits, earlier=nights[:-1]).verdict
    assert (told.kind, told.gaps) == ("no regression", ())
    assert told.unseen[0].startswith("simulated · all 4 strategies (from ")


def test_the_strategy_that_dropped_is_named_though_a_bad_night_lowered_all() -> None:
    """Ten nights that lost 0.7 points by luck; beside it, what would be named if luck were no explanation.

    Of 70 such nights it alone is named in two of three.
    """
    lucky = LuckyNights(LuckyWorld(3, 15, spread=True, seed_luck=0.8, night_luck=0.2, ability=1.4))
    struck = np.array([record.strategy == "mixpr" for record in lucky.records])
    rng = np.random.default_rng(5)
    right: list[tuple[bool, bool]] = []
    while len(right) < 10:
        nights = lucky.draw(6, rng)
        if nights[-1].mean() > nights[-2].mean() - 0.7:
            continue
        nights[-1] = np.where(struck & (rng.random(len(struck)) < 0.55), 1.0, nights[-1])
        rows = lucky.rows(nights, alpha=LEVEL)
        unlucky = [replace(row, luck=0.0) for row in rows]
        right.append((names(rows) == ["simulated · mixpr"], names(unlucky) == ["simulated · mixpr"]))
    assert right.count((True, False)) >= 4
    assert right.count((False, True)) == 0
    assert sum(with_luck for with_luck, _ in right) >= 6


def names(rows: Sequence[Row]) -> list[str]:
    return [row_label(row) for row in comparison_verdict(rows, 0, Limits()).regressions]


@pytest.mark.parametrize("changed", [1, 2, 3])
def test_a_few_new_answers_after_nights_that_were_all_alike_are_no_alarm(changed: int) -> None:
    """A reader at temperature 0 that is right in all, and wrong once in so many clusters tonight."""
    lucky = LuckyNights(LuckyWorld(3, 4))
    nights = np.full((6, len(lucky.records)), 10.0)
    first_of_cluster = np.unique(lucky.cluster, return_index=True)[1]
    nights[-1, first_of_cluster[:changed]] = 1.0
    rows = lucky.rows(nights, alpha=LEVEL)
    assert not has_alarm(rows, LEVEL)
    assert min(row.p for row in rows if row.measure == "score") >= 0.9 * 0.5**changed


@pytest.mark.parametrize("world", [LuckyWorld(3, 4, own_luck=0.05, ability=4.0, same=0.98)])
def test_readers_that_answer_nearly_all_alike_alarm_no_more_often_than_others(world: LuckyWorld) -> None:
    """Of 500 nights 0 do; before it was known that flips of few clusters are no normal law, 9 % did."""
    lucky, rng = LuckyNights(world), np.random.default_rng(1)
    tables = LuckTables(lucky, LEVEL)
    alarms = 0
    for _ in range(60):
        scores = lucky.draw(6, rng)
        (luck,) = tables.learned(scores, (1,))
        alarms += tables.alarms(scores[-1] - scores[-2], luck, LEVEL)
    assert alarms <= 2


def test_no_interval_leaves_the_scale() -> None:
    lucky = LuckyNights(LuckyWorld(2, 2))
    nights = lucky.draw(6, np.random.default_rng(1))
    ends = [end for row in lucky.rows(nights, alpha=LEVEL) for end in (row.low, row.high) if end is not None]
    assert -9 <= min(ends) <= max(ends) <= 9
