"""Patterns in simulated trials. The full figures are in tests/bench/bench_patterns.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.patterns import Pattern, find_patterns
from niah.runs.trial import TrialRecord
from tests.analysis.simulated_trials import ALL, NONE, Effects, World, simulate, simulated_samples
from tests.examples import repeats

SMALL, SMALLEST = World(seeds=5), World(seeds=2)
TABLES = repeats(6, 10)


def _table(effects: Effects, seed: int, world: World = SMALL) -> list[Pattern]:
    frame = trial_frame(simulate(effects, world, seed))
    return find_patterns(frame, simulated_samples(world), seed=seed)


def _the(patterns: Sequence[Pattern], name: str, behaviour: str, condition: str = "") -> Pattern:
    (one,) = (p for p in patterns if (p.name, p.behaviour) == (name, behaviour) and condition in p.condition)
    return one


@pytest.fixture(scope="module")
def planted() -> list[list[Pattern]]:
    return [_table(ALL, seed) for seed in range(TABLES)]


def test_planted_thresholds_are_found(planted: list[list[Pattern]]) -> None:
    near = Counter[str]()
    for patterns in planted:
        for name, behaviour, truth in (
            ("noise distraction", "wrong elements", 0.44),
            ("noise critical", "collapse", 0.97),
        ):
            one = _the(patterns, name, behaviour)
            assert one.threshold is not None
            near[name] += one.found and abs(one.threshold - truth) <= 0.05
    assert min(near.values()) >= TABLES - 1


@pytest.mark.parametrize(
    ("name", "behaviour", "condition"),
    [
        ("retrieval bottleneck", "missing elements", ""),
        ("position sensitivity", "missing elements", "reverse"),
        ("lost in the middle", "missing elements", ""),
        ("self-consistency", "self-doubt", ""),
        ("distractor choice", "from distractors, not invented", ""),
    ],
)
def test_the_other_planted_patterns_are_found(
    planted: list[list[Pattern]], name: str, behaviour: str, condition: str
) -> None:
    assert sum(_the(patterns, name, behaviour, condition).found for patterns in planted) >= TABLES - 1


def test_a_threshold_on_a_grid_is_told_by_the_values_beside_it(planted: list[list[Pattern]]) -> None:
    tried = {length: f"{length:,}" for length in sorted(SMALL.lengths)}
    pairs = [f"{low} to {high}" for low, high in pairwise(tried.values())]
    for patterns in planted:
        doubt = _the(patterns, "self-consistency", "self-doubt")
        assert doubt.condition in {f"context length > {pair} tokens" for pair in pairs}
        assert {doubt.threshold_low, doubt.threshold_high} <= set(tried)
        assert doubt.threshold_low != doubt.threshold_high


def test_smaller_readers_are_more_affected(planted: list[list[Pattern]]) -> None:
    for name, behaviour in (("noise distraction", "wrong elements"), ("noise critical", "collapse")):
        turned = [_the(patterns, name, behaviour).size_dependence for patterns in planted]
        assert sum(one is not None and one.slope < 0 for one in turned) >= TABLES - 1
        assert sum(one is not None and one.found for one in turned) >= TABLES // 2


def test_a_step_is_not_found_where_another_is(planted: list[list[Pattern]]) -> None:
    """Noise above 97 % makes answers collapse, and plants nothing wrong in them."""
    assert sum(_the(patterns, "noise critical", "wrong elements").found for patterns in planted) <= 1
    assert sum(_the(patterns, "noise distraction", "missing elements").found for patterns in planted) <= 1


def test_nothing_is_found_where_nothing_is() -> None:
    """At most 5 % of tables have any: more than 3 of 10 are as rare as 1 in 1,000, 4 of 20 as 1 in 400."""
    tables, world = repeats(10, 20), World(seeds=repeats(3, 5))
    found = sum(any(pattern.found for pattern in _table(NONE, 50 + seed, world)) for seed in range(tables))
    assert found <= tables // 10 + 2


def test_an_effect_is_measured(planted: list[list[Pattern]]) -> None:
    """Wrong elements rise by 0.2, 0.1 and 0.05 for the three readers: 0.117 on average."""
    steps = [_the(patterns, "noise distraction", "wrong elements") for patterns in planted]
    assert sum(p.effect or 0 for p in steps) / TABLES == pytest.approx(0.117, abs=0.047 / TABLES**0.5)
    assert (
        sum(p.low is not None and p.high is not None and p.low <= 0.117 <= p.high for p in steps)
        >= 0.7 * TABLES
    )


def test_another_threshold_is_another_threshold() -> None:
    moved = _the(_table(replace(ALL, noise=0.62), 1), "noise distraction", "wrong elements")
    assert moved.found
    assert moved.threshold == pytest.approx(0.62, abs=0.05)


def test_sizes_turn_the_order_of_readers() -> None:
    frame = trial_frame(simulate(ALL, SMALLEST, 3))
    small, middle, large = ("simulated-small", "simulated-middle", "simulated-large")
    as_is = find_patterns(frame, sizes={small: 1, middle: 7, large: 70})
    turned = find_patterns(frame, sizes={small: 70, middle: 7, large: 1})
    first, second = (_the(p, "noise critical", "collapse").size_dependence for p in (as_is, turned))
    assert first is not None
    assert second is not None
    assert first.by == "sizes"
    assert first.slope == pytest.approx(-second.slope)
    (none,) = {p.size_dependence for p in find_patterns(frame, sizes={small: 1})}
    assert none is None
    frame["reader_size"] = frame["reader"].map({small: 70.0, middle: 7.0, large: 1.0}).astype(float)
    assert find_patterns(frame) == turned
    frame["reader_size"] = 7.0  # no two differ
    (by,) = {p.size_dependence.by for p in find_patterns(frame) if p.size_dependence}
    assert by == "mean score"


def test_only_scored_trials_count() -> None:
    records = simulate(ALL, SMALLEST, 1)
    refused = [replace(r, outcome="refused", score=None, missing=(), wrong=("x",)) for r in records[:700]]
    with_them, without = find_patterns(trial_frame([*records, *refused])), find_patterns(trial_frame(records))
    assert [replace(pattern, not_scored=0) for pattern in with_them] == without
    assert {pattern.not_scored for pattern in with_them} == {700}


def test_the_same_seed_gives_the_same_table() -> None:
    frame = trial_frame(simulate(ALL, SMALLEST, 1))
    assert find_patterns(frame, seed=2) == find_patterns(frame, seed=2)
    assert find_patterns(frame, seed=2) != find_patterns(frame, seed=3)


def _by_hand(seed: int, strategy: str, lacking: int) -> TrialRecord:
    missing = tuple("abcd"[:lacking])
    return TrialRecord(
        "t",
        "c",
        "pizza",
        "essays",
        1000,
        50,
        seed,
        strategy,
        "simulated",
        0,
        "scored",
        score=7,
        missing=missing,
    )


def test_reverse_order_by_hand() -> None:
    # Ten clusters with one pair each: reverse order lacks two elements more in nine, none in one.
    records = [_by_hand(seed, "topk", 1) for seed in range(10)]
    records += [_by_hand(seed, "topk-rev", 3) for seed in range(9)] + [_by_hand(9, "topk-rev", 1)]
    records += [_by_hand(10, "lc", 4)]
    order = _the(find_patterns(trial_frame(records)), "position sensitivity", "missing elements", "reverse")
    assert (order.n, order.n_condition, order.clusters) == (20, 10, 10)
    assert order.effect == pytest.approx(0.45)
    assert order.base == 0.25
    assert order.relative == pytest.approx(1.8)
    # Of 1024 signs four leave all nine alike: both ways, the tenth either.
    assert order.p == 4 / 1024
    # Nothing else can be asked of these trials.
    assert (order.p_adjusted, order.found) == (order.p, True)
    assert order.size_dependence is None
    assert order.length_dependence is None


def test_the_other_way_round_is_no_pattern() -> None:
    records = [_by_hand(seed, "topk", 4) for seed in range(12)]
    records += [_by_hand(seed, "topk-rev", 2) for seed in range(12)]
    order = _the(find_patterns(trial_frame(records)), "position sensitivity", "missing elements", "reverse")
    assert order.effect == -0.5
    assert order.p_adjusted < 0.01
    # The interval lies below 0, and rules ten points out.
    assert order.answer == "not found"


def test_four_clusters_that_agree_rule_nothing_out() -> None:
    """Their interval has no width, and says nothing of the fifth."""
    for seeds, answer in ((4, "too few to tell"), (12, "not found")):
        records = [_by_hand(seed, name, 2) for seed in range(seeds) for name in ("topk", "topk-rev")]
        order = _the(
            find_patterns(trial_frame(records)), "position sensitivity", "missing elements", "reverse"
        )
        assert (order.effect, order.low, order.high) == (0, 0, 0)
        assert order.answer == answer


def test_where_ten_points_would_be_missed_there_is_too_little_to_tell() -> None:
    # Of 20 clusters each lacks one element more or one less in reverse order: the noise hides ten points.
    records = [_by_hand(seed, "topk", 2) for seed in range(20)]
    records += [_by_hand(seed, "topk-rev", 1 + 2 * (seed % 2)) for seed in range(20)]
    (order,) = (pattern for pattern in find_patterns(trial_frame(records)) if pattern.n)
    assert order.answer == "too few to tell"
    assert order.power < 0.6
    assert order.detectable is not None
    assert 0.1 < order.detectable < 0.4


def test_where_ten_points_would_be_found_there_is_nothing() -> None:
    # The same over 200 clusters.
    records = [_by_hand(seed, "topk", 2) for seed in range(200)]
    records += [_by_hand(seed, "topk-rev", 1 + 2 * (seed % 2)) for seed in range(200)]
    (order,) = (pattern for pattern in find_patterns(trial_frame(records)) if pattern.n)
    assert order.answer == "not found"
    assert order.power > 0.95
    assert order.detectable is not None
    assert order.detectable < 0.1


def test_what_nobody_asked_is_not_found() -> None:
    patterns = find_patterns(trial_frame([_by_hand(seed, "lc", 1) for seed in range(20)]))
    assert len(patterns) == 10
    assert {(p.found, p.effect, p.n, p.p_adjusted) for p in patterns} == {(False, None, 0, 1.0)}
    assert {p.condition for p in patterns if p.name == "noise critical"} == {"noise ratio"}


def test_a_strategy_of_another_version_is_one_without_order() -> None:
    records = [_by_hand(seed, "topk", 1) for seed in range(10)]
    records += [_by_hand(seed, "topk-rev", 3) for seed in range(9)] + [_by_hand(9, "topk-rev", 1)]
    unread = [_by_hand(seed, "no-longer/there", 4) for seed in range(10)]
    order = ("position sensitivity", "missing elements", "reverse")
    assert (
        _the(find_patterns(trial_frame([*records, *unread])), *order).n
        == _the(find_patterns(trial_frame(records)), *order).n
        == 20
    )


def test_no_records() -> None:
    assert {pattern.n for pattern in find_patterns(trial_frame([]))} == {0}


def test_one_cluster_has_no_interval() -> None:
    world = World(sets=("pizza",), seeds=1)
    patterns = [pattern for pattern in _table(ALL, 0, world) if pattern.n]
    assert patterns
    assert {(p.low, p.high, p.threshold_low, p.found) for p in patterns} == {(None, None, None, False)}
