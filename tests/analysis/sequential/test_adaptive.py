"""What an adaptive night comes to, from trials of two runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from niah.analysis.compare.comparison import Comparison, compare
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


def test_rows_that_no_arm_is_about_are_not_tested_and_say_why() -> None:
    before = night_of_seeds(WORLD, 0, 0)
    comparison, told = outcome(before, run(before, before))
    tested = {(row.measure, *row.parts.values()) for row in comparison.rows if row.adjusted is not None}
    assert tested == {
        (measure, "simulated", strategy) for measure in ("score", "not scored") for strategy in ("lc", "topk")
    }
    assert comparison.untested == "not tested in an adaptive night, which tests readers with strategies"
    assert comparison.verdict.kind == "no regression"
    assert told.asked < told.planned == 288


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
        assert compare(pair(before, tonight), limits=LIMITS).verdict.kind == kind
        comparison, told = outcome(before, run(before, tonight))
        assert comparison.verdict.kind == kind
        assert told.asked < told.planned
