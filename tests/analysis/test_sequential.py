from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import expm1, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nct, norm, t, ttest_1samp
from scipy.stats import t as student

from niah.analysis.compare.pairs import pair
from niah.analysis.compare.significance.detectable import POWER
from niah.analysis.sequential.adaptive import design_of, observed_differences
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign, deal
from niah.analysis.sequential.interim_statistic import (
    InterimStatistic,
    chance_of_alarm,
    detectable_at_end,
    interim_statistic,
)
from niah.analysis.sequential.spending import boundaries, p_value, spent
from niah.analysis.sequential.state import State, decision, next_batch, next_trials, start, update
from tests.analysis.simulated_nights import NightWorld, SeedWorld, differences, night_of_seeds, units_of
from tests.examples import of_all

ARM = Arm("simulated", "lc")
OTHER = Arm("simulated", "topk")
SIX = tuple(DesignUnit(f"{cluster}-{place}", cluster) for cluster in range(6) for place in range(10))


def test_boundaries_of_the_gsdesign_package() -> None:
    # R package gsDesign, k=3, alpha=0.025, sfHSD(-4): 3.0107, 2.5465, 1.9992.
    shares = (1 / 3, 2 / 3, 1.0)
    found = boundaries(shares, tuple(0.025 * expm1(4 * share) / expm1(4) for share in shares))
    assert found == pytest.approx((3.0107, 2.5465, 1.9992), abs=1e-4)


def test_boundaries_of_lan_and_demets() -> None:
    # O'Brien-Fleming type, five looks, one-sided 0.025 (Jennison and Turnbull 2000, program LanDeM).
    shares = (0.2, 0.4, 0.6, 0.8, 1.0)
    found = boundaries(shares, tuple(2 * norm.sf(norm.isf(0.0125) / share**0.5) for share in shares))
    assert found == pytest.approx((4.877, 3.357, 2.680, 2.290, 2.031), abs=1e-3)


def test_one_look_is_the_plain_test() -> None:
    assert boundaries((1.0,), (0.05,)) == pytest.approx((1.6449,), abs=1e-4)


def test_a_look_without_units_spends_nothing() -> None:
    assert boundaries((0.5, 0.5, 1.0), (0.01, 0.01, 0.05)) == (
        (first := boundaries((0.5, 1.0), (0.01, 0.05)))[0],
        inf,
        first[1],
    )


def test_a_p_value_is_the_level_whose_boundary_is_met() -> None:
    shares = (0.2, 0.4, 0.6, 0.8, 1.0)
    for level in (0.05, 0.01, 0.05 / 12, 1e-5):
        for look, reached in enumerate(boundaries(shares, tuple(spent(level, share) for share in shares))):
            assert p_value(shares, look, -reached) == pytest.approx(level, rel=0.003)
    assert p_value(shares, 0, 0.5) == 1
    assert p_value(shares, 4, -40.0) == pytest.approx(1e-8)


def test_p_values_of_a_random_walk_are_no_smaller_than_they_say() -> None:
    steps = np.random.default_rng(1).normal(size=(4000, 5))
    walks = steps.cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    shares = (0.2, 0.4, 0.6, 0.8, 1.0)
    least = np.array([min(p_value(shares, look, -z) for look, z in enumerate(walk)) for walk in walks])
    for level in (0.01, 0.05, 0.2):  # within three standard errors
        assert (least <= level).mean() == pytest.approx(level, abs=3 * (level * (1 - level) / 4000) ** 0.5)


def test_the_whole_level_is_spent_and_most_of_it_late() -> None:
    assert spent(0.05, 1.0) == pytest.approx(0.05)
    assert spent(0.05, 0.0) == 0
    # (e^4 - 1) / (e^8 - 1) = 53.6 / 2980.
    assert spent(0.05, 0.5) == pytest.approx(0.05 * 53.598 / 2979.96, rel=1e-4)


def test_false_alarms_of_a_random_walk() -> None:
    steps = np.random.default_rng(0).normal(size=(200_000, 5))
    walks = steps.cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    shares = (0.2, 0.4, 0.6, 0.8, 1.0)
    found = boundaries(shares, tuple(spent(0.05, share) for share in shares))
    assert (walks >= np.array(found)).any(axis=1).mean() == pytest.approx(0.05, abs=0.002)


def test_dealing_spreads_clusters_and_strata() -> None:
    units = [DesignUnit(f"{c}-{s}-{i}", c, s) for c in range(3) for s in range(4) for i in range(5)]
    for look in deal(units, 5, seed=1):
        for cluster in range(3):
            strata = [unit.stratum for unit in look if unit.cluster == cluster]
            assert len(strata) == len(set(strata)) == 4


def test_clusters_of_one_unit_are_spread_over_looks() -> None:
    looks = deal([DesignUnit(str(number), number) for number in range(10)], 5, seed=1)
    assert [len(look) for look in looks] == [2, 2, 2, 2, 2]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=40), st.integers(1, 7))
@settings(max_examples=of_all(50))
def test_every_unit_is_dealt_once(places: list[tuple[int, int]], looks: int) -> None:
    units = [DesignUnit(str(key), cluster, stratum) for key, (cluster, stratum) in enumerate(places)]
    dealt = deal(units, looks, seed=3)
    assert len(dealt) == looks
    assert sorted(unit.key for look in dealt for unit in look) == sorted(unit.key for unit in units)


def test_dealing_knows_names_and_the_seed_alone() -> None:
    assert deal(SIX, 5, 1) == deal(tuple(SIX), 5, 1) != deal(SIX, 5, 2)
    backwards = deal(SIX[::-1], 5, 1)
    assert [set(look) for look in backwards] == [set(look) for look in deal(SIX, 5, 1)]


def test_a_statistic_by_hand() -> None:
    # Cluster means -1, -2, -3 of two each: t = -2 / (1 / root 3) = -3.464 with 2 degrees of freedom.
    at = interim_statistic([-1, -1, -2, -2, -3, -3], [0, 0, 1, 1, 2, 2], 0.5)
    p = ttest_1samp([-1, -2, -3], 0, alternative="less").pvalue
    assert at.z == pytest.approx(norm.ppf(p))
    assert (at.mean, at.n, at.clusters) == (-2, 6, 3)
    # Nothing varies within clusters, so that more of their trials tell nothing new.
    assert at.information == 1


def test_information_where_clusters_do_not_differ_is_the_share() -> None:
    rng = np.random.default_rng(1)
    at = interim_statistic(rng.normal(size=20_000), np.arange(20_000) % 2000, 0.3)
    assert at.information == pytest.approx(0.3, abs=0.06)


def test_two_clusters_say_nothing() -> None:
    assert interim_statistic([-5, -5, -5], [0, 0, 1], 0.5).z == 0


def test_few_equal_differences_may_be_equal_by_chance() -> None:
    # 1/4 each: both nights as good a 1 as a 10.
    assert interim_statistic([-9, -9, -9], [0, 1, 2], 0.2).z == pytest.approx(norm.ppf(1 / 64))
    assert interim_statistic([9, 9, 9], [0, 1, 2], 0.2).z == pytest.approx(norm.isf(1 / 64))
    assert interim_statistic([-9] * 40, [0, 1, 2, 3] * 10, 0.2).z == -8


def test_clusters_that_tie_are_judged_by_their_trials() -> None:
    # Three clusters of -1, 0, 0: their means do not vary, but rounding makes them. Variance of nine: 1/4.
    at = interim_statistic([-1, 0, 0] * 3, [0, 0, 0, 1, 1, 1, 2, 2, 2], 0.4)
    assert at.error == pytest.approx(1 / 6)
    assert at.z == pytest.approx(norm.ppf(student.cdf(-2, 2)))
    assert at.information == 0.4


def test_what_can_be_seen_is_told_of_the_full_design() -> None:
    at = InterimStatistic(-0.5, -1.0, 0.25, 40, 8, error=0.6)
    # The standard error at the end is 0.6 root(0.25) = 0.3, the t-value noncentral with 7 degrees of freedom;
    # of a million trials the drop itself adds no noise.
    drop = detectable_at_end(at, 2.0, 1_000_000, 9.0)
    assert drop is not None
    critical = t.isf(norm.sf(2.0), 7)
    assert nct.sf(critical, 7, drop / 0.3) == pytest.approx(POWER, abs=1e-3)
    # With few trials more, since a drop strikes some and spares others; and none below the lowest score.
    few = detectable_at_end(at, 2.0, 40, 9.0)
    assert few is not None
    assert few > drop
    assert detectable_at_end(at, 2.0, 40, 0.0) is None
    assert detectable_at_end(replace(at, clusters=2), 2.0, 40, 9.0) is None


def test_chance_of_alarm_by_hand() -> None:
    # z / root(t) = -1 / 0.5 = -2 is the boundary itself.
    assert chance_of_alarm(InterimStatistic(-1.0, -1.0, 0.25, 40, 8), 2.0) == pytest.approx(0.5)
    # One root((1 - t) / t) = root 3 short of it.
    at = InterimStatistic(-1.0, -1.0 + 0.5 * 3**0.5, 0.25, 40, 8)
    assert chance_of_alarm(at, 2.0) == pytest.approx(norm.sf(1))
    assert chance_of_alarm(InterimStatistic(-1.0, -3.0, 1.0, 40, 8), 2.0) == 1
    assert chance_of_alarm(InterimStatistic(None, 0.0, 0.0, 0, 0), 2.0) == 0.5


def test_a_night_that_is_all_the_same_stops_early() -> None:
    design = SequentialDesign({ARM: SIX, OTHER: SIX})
    state, asked = play(design, {ARM: 0.0, OTHER: 0.0})
    assert decision(state) == {ARM: "no regression", OTHER: "no regression"}
    assert asked == {ARM: 24 + 12, OTHER: 24 + 12}


def test_a_collapse_stops_at_once_and_the_other_arm_goes_on() -> None:
    design = SequentialDesign({ARM: SIX, OTHER: SIX})
    state, asked = play(design, {ARM: -5.0, OTHER: 0.0})
    assert decision(state) == {ARM: "regression", OTHER: "no regression"}
    assert asked[ARM] == 12 < asked[OTHER]


def test_a_first_look_may_have_no_unit() -> None:
    state, asked = play(SequentialDesign({ARM: (DesignUnit("a", 0), DesignUnit("b", 1))}), {ARM: 0.0})
    assert (decision(state), asked) == ({ARM: "undecided"}, {ARM: 2})


def test_an_improvement_is_no_regression() -> None:
    state, asked = play(SequentialDesign({ARM: SIX}), {ARM: 2.0})
    assert decision(state) == {ARM: "no regression"}
    assert asked[ARM] == 12


def test_nothing_is_decided_before_a_look_is_complete() -> None:
    state = start(SequentialDesign({ARM: SIX}))
    first, *rest = next_batch(state)[ARM]
    state = update(state, {ARM: {unit.key: -5.0 for unit in rest}})
    assert decision(state) == {ARM: "undecided"}
    assert next_batch(state) == {ARM: (first,)}
    assert decision(update(state, {ARM: {first.key: -5.0}})) == {ARM: "regression"}


def test_two_clusters_stay_undecided() -> None:
    state, asked = play(SequentialDesign({ARM: SIX[:20]}), {ARM: -5.0})
    assert decision(state) == {ARM: "undecided"}
    assert asked[ARM] == 4  # more would not help


def test_three_clusters_that_come_late_are_waited_for() -> None:
    # One unit a look.
    few = tuple(DesignUnit(str(cluster), cluster) for cluster in range(5))
    state, asked = play(SequentialDesign({ARM: few}), {ARM: -5.0})
    assert asked[ARM] >= 3
    assert decision(state) == {ARM: "regression"}


def test_trials_without_a_score_end_an_arm() -> None:
    state = start(SequentialDesign({ARM: SIX}))
    while batch := next_batch(state):
        state = update(state, {ARM: {unit.key: None for unit in batch[ARM]}})
    assert state.looks_done == 1  # more of them would be no better
    assert decision(state) == {ARM: "undecided"}


def test_an_alarm_leaves_its_part_of_the_level_to_the_others() -> None:
    design = SequentialDesign({ARM: SIX, OTHER: SIX}, looks=1)
    assert design.boundary(ARM, 0) == pytest.approx(norm.isf(0.025))
    assert design.boundary(ARM, 0, {OTHER}) == pytest.approx(norm.isf(0.05))
    # Cluster means 0 to -2.4: t = -3.0 with 5 degrees, p = 0.015; -1.1 to 2.4 less: p = 0.032.
    clear, close = np.array([0, -1, -2, -3, -1, -2.0]), np.array([0.5, -1, -2, -2.5, 0, -2.0])
    p = [ttest_1samp(one, 0, alternative="less").pvalue for one in (clear, close)]
    assert p[0] < 0.025 < p[1] < 0.05
    assert decision(answered(design, {ARM: clear, OTHER: close})) == dict.fromkeys((ARM, OTHER), "regression")
    mild = np.array([0.5, -1, -2, 0.5, 1.0, 0.0])
    assert decision(answered(design, {ARM: mild, OTHER: close}))[OTHER] == "no regression"


def test_a_runner_without_state_asks_the_same() -> None:
    world = NightWorld(8, 10, 0.3, arms=3)
    design = SequentialDesign(units_of(world))
    night = differences(world, 1, np.random.default_rng(4))[0]
    state = start(design)
    while batch := next_batch(state):
        assert next_trials(design, state.observed) == batch
        state = update(state, looked_up(night, batch))
    assert next_trials(design, state.observed) == {}


def test_everything_at_once_gives_the_same_decisions() -> None:
    world = NightWorld(8, 20, 0.3, arms=4)
    design = SequentialDesign(units_of(world))
    for seed in range(10):
        night = differences(world, 1, np.random.default_rng(seed), 0.1, 2)[0]
        state = start(design)
        while batch := next_batch(state):
            state = update(state, looked_up(night, batch))
        assert decision(update(start(design), looked_up(night, design.arms))) == decision(state)


def test_false_alarms_of_null_nights() -> None:
    # 300 nights at 5 %: 24 or more have a chance of 2 %.
    world = NightWorld(12, 10, 0.5)
    design = SequentialDesign(units_of(world))
    alarms = asked = 0
    for night in differences(world, 300, np.random.default_rng(0)):
        state = start(design)
        while batch := next_batch(state):
            state = update(state, looked_up(night, batch))
            asked += sum(len(units) for units in batch.values())
        alarms += "regression" in decision(state).values()
    assert alarms < 24
    assert asked / (300 * 6 * 120) < 0.6


def test_records_become_units_and_differences() -> None:
    world = SeedWorld(2, 2, 1)
    baseline, tonight = night_of_seeds(world, 0, 0), night_of_seeds(world, 1, 0, change=-1.0)
    baseline[0] = replace(baseline[0], outcome="refused", score=None)
    tonight[1] = replace(tonight[1], outcome="reader_error", score=None)
    tonight[2] = replace(tonight[2], outcome="not_run", score=None)
    baseline[4] = replace(baseline[4], outcome="not_run", score=None)
    pairs = pair(baseline, tonight)
    design, found = design_of(pairs, 0.05, 0), observed_differences(pairs)
    units = design.arms
    failing, other_failing = Arm(*ARM[:2], "not scored"), Arm(*OTHER[:2], "not scored")
    # Fresh seeds have no partner: 36 anchors' trials a strategy; record 4 was not run.
    assert {arm: len(own) for arm, own in units.items()} == {
        ARM: 35,
        OTHER: 36,
        failing: 35,
        other_failing: 36,
    }
    keys = [f"set-0 essays {record.case_id}#0" for record in tonight[:6]]
    assert units[ARM][0] == DesignUnit(keys[0], ("set-0", 1), baseline[0].context_length)
    assert (found[ARM][keys[0]], found[failing][keys[0]]) == (None, 1)
    assert (found[OTHER][keys[1]], found[other_failing][keys[1]]) == (None, -1)
    assert keys[2] not in found[ARM].keys() | found[failing].keys()
    assert found[OTHER][keys[3]] == (tonight[3].score or 0) - (baseline[3].score or 0)
    assert found[other_failing][keys[3]] == 0
    assert (len(found[ARM]), len(found[OTHER])) == (34, 36)
    assert next_trials(design, found).keys() <= units.keys()


def test_what_the_design_does_not_have_is_refused() -> None:
    state = start(SequentialDesign({ARM: SIX}))
    with pytest.raises(ValueError, match="no arm simulated/topk/score"):
        update(state, {OTHER: {}})
    with pytest.raises(ValueError, match="no unit 9-9"):
        update(state, {ARM: {"9-9": 0.0}})


@pytest.mark.parametrize("wrong", [{"looks": 0}, {"alpha": 0.0}, {"doubt": 0.7}])
def test_a_design_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong)).rstrip("s")):
        SequentialDesign({ARM: SIX}, **wrong)  # type: ignore[arg-type]


def test_a_unit_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="same key"):
        SequentialDesign({ARM: (SIX[0], SIX[0])})


def play(design: SequentialDesign, difference: Mapping[Arm, float]) -> tuple[State, dict[Arm, int]]:
    """A night in which all pairs of an arm have one difference; and how many each arm was asked."""
    state, asked = start(design), dict.fromkeys(design.arms, 0)
    while batch := next_batch(state):
        for arm, units in batch.items():
            asked[arm] += len(units)
        state = update(
            state, {arm: {unit.key: difference[arm] for unit in units} for arm, units in batch.items()}
        )
    return state, asked


def answered(
    design: SequentialDesign, means: Mapping[Arm, np.ndarray[tuple[int], np.dtype[np.float64]]]
) -> State:
    """All units at once, each with its cluster's mean."""
    return update(
        start(design),
        {
            arm: {unit.key: float(means[arm][int(unit.key.split("-")[0])]) for unit in units}
            for arm, units in design.arms.items()
        },
    )


def looked_up(
    night: np.ndarray[tuple[int, ...], np.dtype[np.float64]], batch: Mapping[Arm, tuple[DesignUnit, ...]]
) -> dict[Arm, dict[str, float | None]]:
    return {
        arm: {
            unit.key: float(
                night[int(arm[1].removeprefix("strategy-"))][tuple(int(one) for one in unit.key.split("/"))]
            )
            for unit in units
        }
        for arm, units in batch.items()
    }


def test_given_questions_are_in_clusters_of_their_document_and_strata_of_length_bands() -> None:
    record = night_of_seeds(SeedWorld(1, 1, 0), 0, 0)[0]
    given = [
        replace(
            record, case_id=f"{document}/{length}", needle_set=None, haystack=None, seed=None, depth=None,
            document_id=document, context_length=length, origin="given",
        )
        for document, length in (("a", 1001), ("a", 1002), ("b", 40_000))
    ]  # fmt: skip
    (units, _) = design_of(pair(given, given), 0.05, 0).arms.values()
    assert [(unit.cluster, unit.stratum) for unit in units] == [("a", 0), ("a", 0), ("b", 2)]
