"""What an adaptive night comes to, from trials of two runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import pair
from niah.analysis.compare.verdict import Limits
from niah.analysis.sequential.adaptive import AdaptiveResult, adaptive_comparison, design_of, needed_trials
from niah.runs.trial import TrialRecord
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds

# 16 clusters of 18 trials, and any drop may go unseen.
WORLD, LIMITS = SeedWorld(4, 4, 0), Limits(detectable=9.0)


def asked(records: Sequence[TrialRecord], ids: Collection[str]) -> list[TrialRecord]:
    return [one if one.trial_id in ids else replace(one, outcome="not_run", score=None) for one in records]


def outcome(
    before: Sequence[TrialRecord], tonight: Sequence[TrialRecord]
) -> tuple[Comparison, AdaptiveResult]:
    pairs = pair(before, tonight)
    return adaptive_comparison(design_of(pairs, LIMITS.alpha, 1), pairs, names=("a", "b"), limits=LIMITS)


def run(before: Sequence[TrialRecord], tonight: Sequence[TrialRecord]) -> list[TrialRecord]:
    """Tonight's trials, those that no look needed not run."""
    ids: set[str] = set()
    while True:
        pairs = pair(before, asked(tonight, ids))
        due = needed_trials(design_of(pairs, LIMITS.alpha, 1), pairs) - ids
        if not due:
            return asked(tonight, ids)
        ids |= due


def test_a_night_that_asked_all_is_a_plain_night() -> None:
    before, tonight = (night_of_seeds(WORLD, night, 0) for night in (4, 5))
    earlier = [night_of_seeds(WORLD, night, 0) for night in range(4)]
    for nights in ((), earlier):
        pairs = pair(before, tonight)
        plain = compare_pairs(pairs, names=("a", "b"), limits=LIMITS, earlier=nights)
        design = design_of(pairs, LIMITS.alpha, 1)
        comparison, told = adaptive_comparison(design, pairs, names=("a", "b"), limits=LIMITS, nights=nights)
        assert comparison == replace(plain, notes=comparison.notes)
        assert told.asked == told.planned
        tested = {
            (row.measure, row.parts["strategy"]): row.adjusted
            for row in plain.rows
            if len(row.parts) == 2 and "strategy" in row.parts
        }
        assert {(arm.measure, arm.strategy): arm.p for arm in told.arms} == tested


def test_a_night_that_is_the_same_stops_early_with_the_plain_table() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    comparison, told = outcome(before, run(before, before))
    plain = compare_pairs(pair(before, before), limits=LIMITS)
    assert [row.parts for row in comparison.rows] == [row.parts for row in plain.rows]
    assert {row.adjusted for row in comparison.rows} == {1.0}
    assert comparison.verdict.kind == "no regression"
    assert told.asked < told.planned == 288
    assert {arm.decision for arm in told.arms} == {"no regression"}
    assert told.chance is not None
    assert told.chance <= 0.03


def test_what_can_be_seen_is_told_of_all_trials() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    tonight = [replace(one, score=10 if place % 9 == 0 else one.score) for place, one in enumerate(before)]
    comparison, told = outcome(before, run(before, tonight))
    assert told.asked < told.planned
    whole, part = compare_pairs(pair(before, tonight)), comparison
    for place in (0, 1, 2):
        seen, of_all = part.rows[place].detectable, whole.rows[place].detectable
        assert seen is not None
        assert of_all is not None
        assert 0.5 < seen / of_all < 2


def test_a_collapse_stops_early_and_what_else_may_be_down_is_asked_on() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    fallen = [replace(one, score=1) if one.strategy == "lc" else one for one in before]
    comparison, told = outcome(before, run(before, fallen))
    assert comparison.verdict.kind == "regression"
    decisions = {(arm.strategy, arm.measure): arm.decision for arm in told.arms}
    assert decisions.pop(("lc", "score")) == "regression"
    assert set(decisions.values()) == {"no regression"}
    assert told.asked < told.planned


def test_a_runner_that_was_stopped_is_asked_the_same() -> None:
    before, tonight = (night_of_seeds(WORLD, night, 0) for night in (0, 1))
    design = design_of(pair(before, tonight), LIMITS.alpha, 1)
    done = run(before, tonight)
    assert needed_trials(design, pair(before, done)) == frozenset()
    ids = [one.trial_id for one in done if one.outcome != "not_run"]
    # Of some of any look what is missing of the looks that were needed is asked, and nothing else.
    some = set(ids[::3])
    while due := needed_trials(design, pair(before, asked(tonight, some))) - some:
        some |= due
    assert some == set(ids)


def test_two_clusters_stay_undecided() -> None:
    before = night_of_seeds(SeedWorld(2, 1, 0), 0, 0)
    fallen = [replace(one, score=1) for one in before]
    comparison, told = outcome(before, run(before, fallen))
    assert comparison.verdict.kind != "regression"
    assert {arm.decision for arm in told.arms} == {"undecided"}
    assert told.asked < told.planned  # more would not help


def test_a_look_that_lacks_trials_is_no_verdict() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    tonight = run(before, before)
    ids = [one.trial_id for one in tonight if one.outcome != "not_run"]
    # Not even the first look is complete; then not the last that was needed.
    for some in (ids[:1], ids[1:]):
        comparison, told = outcome(before, asked(before, some))
        assert comparison.verdict.kind == "incomplete"
        assert comparison.verdict.gaps[0].endswith("pairs of the next look were not asked.")
        assert {arm.decision for arm in told.arms} >= {"undecided"}


def test_a_regression_outweighs_a_look_that_lacks_trials() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    fallen = [replace(one, score=1) if one.strategy == "lc" else one for one in before]
    fallen = run(before, fallen)
    lost = next(one for one in fallen if one.strategy == "topk" and one.outcome != "not_run")
    kept = [one.trial_id for one in fallen if one.outcome != "not_run" and one is not lost]
    comparison, _ = outcome(before, asked(fallen, kept))
    assert comparison.verdict.kind == "regression"


def test_what_tonight_does_not_plan_weighs_as_in_a_whole_night() -> None:
    tonight = night_of_seeds(WORLD, 0, 0)
    for gone, kind in ((24, "no regression"), (60, "incomplete")):  # 8 and 17 %; 10 % may be missing
        left = [replace(one, trial_id=f"gone {one.trial_id}", reader="gone") for one in tonight[:gone]]
        before = [*tonight, *left]
        assert compare_pairs(pair(before, tonight), limits=LIMITS).verdict.kind == kind
        comparison, told = outcome(before, run(before, tonight))
        assert comparison.verdict.kind == kind
        assert told.asked < told.planned
