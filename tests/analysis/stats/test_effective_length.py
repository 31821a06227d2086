"""Effective lengths worked out by hand, and fitted ones in planted worlds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.stats.effective_length import EffectiveLength, _interval, effective_lengths, length_bases
from niah.runs.trial import TrialRecord
from tests.analysis.planted_lengths import (
    WORLDS,
    answered,
    as_records,
    curves,
    lengths_held,
    odds_and_means,
    planted,
)
from tests.examples import repeats


def record(length: int, depth: float, score: int | None, **changes: Any) -> TrialRecord:
    plain = TrialRecord(
        "t", "c", "pizza", "essays", length, depth, 1, "lc", "simulated", 0,
        "refused" if score is None else "scored", score=score,
    )  # fmt: skip
    return replace(plain, **changes)


def grid(scores: dict[int, tuple[int | None, int | None]], **changes: Any) -> list[TrialRecord]:
    """Scores at depths 0 and 100, by length, fifty times over: full cells."""
    return [
        record(length, depth, score, repeat=repeat, trial_id=f"{length} {depth} {repeat}", **changes)
        for length, pair in scores.items()
        for depth, score in zip((0, 100), pair, strict=True)
        for repeat in range(50)
    ]


def only(records: list[TrialRecord]) -> EffectiveLength:
    (found,) = effective_lengths(trial_frame(records))
    return found


def test_the_longest_length_that_holds_at_every_depth() -> None:
    # Base (10 + 10) / 2 = 10, so 8.5 is asked: 10 holds, 7 does not, at 4000 only at depth 0.
    found = only(grid({1000: (10, 10), 2000: (10, 10), 4000: (10, 7), 8000: (7, 7)}))
    assert (found.base, found.length, found.longest) == (10, 2000, 8000)


def test_a_length_that_holds_again_after_one_that_does_not_is_not_claimed() -> None:
    assert only(grid({1000: (10, 10), 2000: (10, 1), 4000: (10, 10)})).length == 1000


def test_exactly_the_share_is_enough() -> None:
    # Base (7 + 10) / 2 = 8.5; 85 % of it is 7.225: depth 0 has 7 already at the base's own length.
    assert only(grid({1000: (7, 10), 2000: (10, 10)})).length is None
    (found,) = effective_lengths(trial_frame(grid({1000: (10, 10), 2000: (7, 7)})), share=0.7)
    assert found.length == 2000


@pytest.mark.parametrize("repeats", [range(50), range(4)], ids=["counted", "fitted"])
def test_against_the_base_of_another_run_a_fall_everywhere_is_one_of_length(repeats: range) -> None:
    """Held against itself, a reader that lost as much at every length has lost none of it."""
    good, fallen = (
        [each for each in grid({1000: (score, score), 2000: (score, score)}) if each.repeat in repeats]
        for score in (10, 5)
    )
    bases = length_bases(trial_frame(good))
    assert bases == {("simulated", "lc"): 10.0}
    (alone,) = effective_lengths(trial_frame(fallen))
    (beside,) = effective_lengths(trial_frame(fallen), bases=bases)
    (same,) = effective_lengths(trial_frame(good), bases=bases)
    assert [(each.base, each.length) for each in (alone, beside, same)] == [(5, 2000), (10, None), (10, 2000)]


def test_a_level_near_the_share_of_another_runs_base_has_a_wide_interval() -> None:
    """Slopes, and later a little worse: with 86 % of the posterior 17 of these 24 held the truth."""
    rng, held = np.random.default_rng(3), 0
    for _ in range(24):
        thresholds, slope, left = curves("slope", 5, rng)
        own = 0.6 * rng.standard_normal(3)
        (first, _), (later, means) = (
            odds_and_means(thresholds, slope, np.arange(8.0), top=top, left=left) for top in (0.96, 0.88)
        )
        bases = length_bases(trial_frame(as_records(answered(first, own, rng))))
        (found,) = effective_lengths(trial_frame(as_records(answered(later, own, rng))), bases=bases)
        truth = lengths_held(means, found.base)
        low, high = (0 if end is None else int(np.log2(end / 1000)) + 1 for end in (found.low, found.high))
        held += low <= truth <= high
    assert held >= 22


def test_no_length_holds() -> None:
    found = only(grid({1000: (10, 1), 2000: (10, 10)}))
    assert (found.length, found.low, found.high) == (None, None, None)


def test_a_reader_that_gets_nothing_right_has_none() -> None:
    # 85 % of the lowest score would hold at every length.
    found = only(grid({1000: (1, 1), 2000: (1, 1), 4000: (10, 10)}))
    assert (found.base, found.length, found.high) == (1, None, None)


def test_every_strategy_is_held_to_the_whole_contexts_base() -> None:
    # topk is steady at 7, which is 100 % of its own start but 70 % of lc's.
    records = grid({1000: (10, 10), 2000: (10, 10)}) + grid({1000: (7, 7), 2000: (7, 7)}, strategy="topk")
    lc, topk = effective_lengths(trial_frame(records))
    assert (lc.length, topk.length, topk.base) == (2000, None, 10)
    assert only(grid({1000: (7, 7), 2000: (7, 7)}, strategy="topk")).length == 2000


def test_a_length_without_any_score_ends_what_is_known() -> None:
    assert only(grid({1000: (10, 10), 2000: (None, None), 4000: (10, 10)})).length == 1000


def test_a_depth_without_a_score_is_passed_over() -> None:
    assert only(grid({1000: (10, 10), 2000: (10, None)})).length == 2000


def test_one_cluster_has_no_interval_of_its_own() -> None:
    found = only(grid({1000: (10, 10), 2000: (1, 1)}))
    assert (found.low, found.length, found.high, found.clusters) == (1000, 1000, 1000, 1)


def test_clusters_that_disagree_widen_the_interval() -> None:
    # Nine clusters hold at 2000 and one does not: the mean, 9.1, is above 8.5. Drawn twice it is 8.2.
    records = [
        r for seed in range(10) for r in grid({1000: (10, 10), 2000: (10, 1 if seed == 0 else 10)}, seed=seed)
    ]
    found = only(records)
    assert (found.low, found.length, found.high) == (1000, 2000, 2000)
    agreed = [r for seed in range(10) for r in grid({1000: (10, 10), 2000: (10, 10)}, seed=seed)]
    assert (only(agreed).low, only(agreed).high) == (2000, 2000)


def test_the_order_of_the_records_changes_nothing() -> None:
    random = Random(1)
    records = [
        record(length, depth, random.choice([3, 7, 10]), seed=seed, trial_id=f"{length}-{depth}-{seed}")
        for length in (1000, 2000, 4000)
        for depth in (0, 50)
        for seed in range(6)
    ]
    shuffled = random.sample(records, len(records))
    assert effective_lengths(trial_frame(records)) == effective_lengths(trial_frame(shuffled))


@pytest.mark.parametrize("records", [[], [record(1000, 0, None)]])
def test_nothing_scored_has_no_effective_length(records: list[TrialRecord]) -> None:
    assert effective_lengths(trial_frame(records)) == ()


@pytest.mark.parametrize("kind", WORLDS)
def test_few_trials_a_cell_neither_shorten_nor_lengthen(kind: str) -> None:
    """Counted, one trial a cell comes out one to seven lengths short."""
    rng, off, held = np.random.default_rng(3), [], []
    for run in range(repeats(8, 24)):
        scores, truth = planted(kind, (1, 3, 5)[run % 3], 5, rng)
        found = only(as_records(scores))
        assert found.method == "fitted"
        steps, low, high = (
            0 if each is None else int(np.log2(each / 1000)) + 1
            for each in (found.length, found.low, found.high)
        )
        off.append(steps - truth)
        held.append(low <= truth <= high)
    # Single answers of a slope are off by about one length.
    assert abs(np.mean(off)) < 0.3 + 2 / len(off) ** 0.5
    assert np.mean(held) > 0.8


def few(
    depths: int, seeds: int, right: Callable[[int, int], bool], strategy: str = "lc"
) -> list[TrialRecord]:
    """So few trials a cell that a surface is fitted, right (10) or wrong (1) by length and depth's place."""
    return [
        record(
            length, 100 * place / (depths - 1), 10 if right(length, place) else 1, seed=seed,
            strategy=strategy, trial_id=f"{strategy} {length} {place} {seed}",
        )
        for length in (1000, 2000, 4000, 8000, 16000)
        for place in range(depths)
        for seed in range(seeds)
    ]  # fmt: skip


def test_depths_that_do_not_differ_say_the_same_together() -> None:
    # Were each of eleven single answers a depth's own, one of eleven depths might well fall before 4k.
    found = only(few(11, 1, lambda length, _: length <= 4000))
    assert (found.method, found.low, found.length) == ("fitted", 4000, 4000)


def test_one_depth_that_falls_early_still_shows() -> None:
    found = only(few(5, 5, lambda length, place: length <= (2000 if place == 2 else 8000)))
    assert (found.method, found.length) == ("fitted", 2000)


def test_neighbours_that_fall_early_speak_for_each_other() -> None:
    # One trial a cell. The last two depths of eleven fall after 2k: taken each for itself they are 4k, to 8k.
    found = only(few(11, 1, lambda length, place: length <= (2000 if place in {9, 10} else 8000)))
    assert (found.length, found.high) == (2000, 2000)
    # Two that lie apart are less sure to be more than slips.
    found = only(few(11, 1, lambda length, place: length <= (2000 if place in {2, 8} else 8000)))
    assert found.high == 8000


def test_one_depth_of_eleven_that_falls_early_shows() -> None:
    # Its neighbours stand, and eleven floors of which nothing is known do not hide it.
    found = only(few(11, 3, lambda length, place: length <= (2000 if place == 4 else 8000)))
    assert (found.method, found.length, found.high) == ("fitted", 2000, 2000)


def test_a_single_depth_is_fitted() -> None:
    records = [each for each in few(5, 3, lambda length, _: length <= 4000) if each.depth == 50]
    assert (only(records).method, only(records).length) == ("fitted", 4000)


def test_a_fitted_strategy_is_held_to_the_whole_contexts_base() -> None:
    # bm25 is right at two depths of five, wherever: a share that it keeps, of a base that it never reaches.
    held = few(5, 3, lambda length, _: True)
    records = held + few(5, 3, lambda length, place: place < 2, strategy="bm25")
    lengths = {each.strategy: (each.method, each.length) for each in effective_lengths(trial_frame(records))}
    assert lengths == {"lc": ("fitted", 16000), "bm25": ("fitted", None)}


def test_an_interval_is_the_fewest_lengths_that_hold_enough() -> None:
    # 8 draws of 100 say 2 lengths, 92 say 3: alone these are enough for 90 %, and not for 95.
    draws = np.repeat([2, 3], [8, 92])
    assert _interval(draws, 3, 0.9) == (3, 3)
    assert _interval(draws, 3, 0.95) == (2, 3)
    assert _interval(np.repeat([2, 3], [11, 89]), 3, 0.9) == (2, 3)


def test_of_intervals_as_long_as_each_other_it_is_the_likeliest() -> None:
    # 2 to 4 hold 88 %, 3 to 5 hold 95 %, and 2 to 5, which is longer, 98 %.
    assert _interval(np.repeat([1, 2, 3, 4, 5], [2, 3, 45, 40, 10]), 3, 0.87) == (3, 5)


def test_full_cells_are_counted_and_others_fitted() -> None:
    full = grid({1000: (10, 10), 2000: (10, 7)})
    assert only(full).method == "counted"
    assert only(full[1:]).method == "fitted"
    lengths = {only(full[start:]).length for start in (0, 1)}
    assert lengths == {1000}


def test_a_fitted_length_ends_where_nothing_was_scored() -> None:
    records = [
        record(length, depth, None if length == 4000 else 10, seed=seed, trial_id=f"{length} {depth} {seed}")
        for length in (1000, 2000, 4000, 8000)
        for depth in (0, 50, 100)
        for seed in range(4)
    ]
    assert only(records).length == 2000
    assert only(records).high == 2000
