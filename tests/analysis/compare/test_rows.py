from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from niah.analysis.compare.axes import axes_of, check_axes
from niah.analysis.compare.rows import Row, rows_of
from niah.analysis.frame import trial_frame
from niah.errors import UnknownName
from niah.runs.trial import TrialRecord
from tests.analysis.compare.simulated_nights import (
    AXES,
    STRATEGIES,
    Nights,
    Simulation,
    as_records,
    records_of,
)

SMALL = Nights(sets=3, seeds=2, readers=1, strategies=("lc",), lengths=(4096,), depths=(0.0, 100.0))


def compared(
    before: list[TrialRecord], after: list[TrialRecord], by: tuple[str, ...] = AXES
) -> tuple[Row, ...]:
    frame = trial_frame(before)
    return rows_of(frame, trial_frame(after), axes_of(frame, by))


def row(rows: tuple[Row, ...], *parts: str, measure: str = "score") -> Row:
    return next(each for each in rows if (*each.parts.values(),) == parts and each.measure == measure)


def test_known_answers() -> None:
    """6 clusters of 2 pairs; in five of them the pair at depth 0 drops from 10 to 7, in the sixth none does.

    Mean -15/12. Cluster sums are -3 (5 times) and 0; less 2 x mean = -2.5 they are off by -0.5 (5 times) and
    2.5, with squares of 7.5 in sum; error root(6/5 x 7.5)/12 = 0.25. Student's t with 5 degrees: 2.5706 x
    0.25 = 0.6426. The differences' squares sum to 45; 45 - 12 x 1.25^2 = 26.25, deviation root(26.25/11) =
    1.5448. Of 64 flips 2 reach the sum of 15, as the sixth cluster's sign is all one.
    """
    before = records_of(SMALL)
    after = [
        replace(each, score=7) if each.depth == 0 and (each.needle_set, each.seed) != ("set-0", 1) else each
        for each in before
    ]
    found = row(compared(before, after), "simulated-0", "lc")
    assert (found.n, found.clusters, found.baseline, found.candidate) == (12, 6, 10, 8.75)
    assert found.difference == -1.25
    assert found.low == pytest.approx(-1.25 - 0.6426, abs=1e-4)
    assert found.high == pytest.approx(-1.25 + 0.6426, abs=1e-4)
    assert found.effect == pytest.approx(-1.25 / 1.5448, abs=1e-4)
    assert found.p == 2 / 64
    assert (found.better, found.same, found.worse) == (0, 7, 5)
    # Of scores there is this row alone, and of the trials not scored nothing moves under any flip.
    assert found.adjusted == 2 / 64


def test_p_is_the_share_of_all_signs_of_clusters_that_fall_as_low() -> None:
    simulation = Simulation(Nights(sets=4, seeds=2, readers=1))
    before, after = simulation.draw(1)
    rows = rows_of(before, after, simulation.axes)
    signs = np.array(list(product((-1, 1), repeat=8)))
    difference = (after["score"] - before["score"]).to_numpy()
    for strategy in STRATEGIES:
        inside = simulation.where(strategy=strategy) & ~np.isnan(difference)
        sums = np.bincount(before["cluster"][inside], difference[inside])
        p = np.mean(signs @ sums <= sums.sum() + 1e-9)
        assert row(rows, "simulated-0", strategy).p == p


def test_identical_answers_are_no_alarm_and_promise_nothing() -> None:
    records = records_of(SMALL)
    rows = compared(records, records)
    assert {each.p for each in rows} == {1.0}
    assert {each.adjusted for each in rows} <= {1.0, None}
    assert all(each.effect is None and each.difference == 0 for each in rows)
    least = row(rows, "simulated-0", "lc").detectable
    assert least is None or least > 1


def test_trials_not_scored_are_a_row_of_their_own_and_no_zero() -> None:
    before = records_of(SMALL)
    after = [replace(each, outcome="truncated", score=None) if each.depth == 0 else each for each in before]
    after[-1] = replace(after[-1], outcome="not_run", score=None)
    rows = compared(before, after)
    scores = row(rows, "simulated-0", "lc")
    assert (scores.n, scores.difference, scores.adjusted) == (5, 0, 1)
    lost = row(rows, "simulated-0", "lc", measure="not scored")
    # 6 of 11: the trial that was not run says nothing.
    assert (lost.n, lost.worse, lost.candidate, lost.p) == (11, 6, 6 / 11, 1 / 64)


@pytest.mark.filterwarnings("error")
def test_a_run_with_nothing_scored_promises_nothing() -> None:
    before = records_of(SMALL)
    rows = compared(before, [replace(each, outcome="refused", score=None) for each in before])
    assert {each.detectable for each in rows if each.measure == "score"} == {None}


def test_few_clusters_leave_fine_rows_untested() -> None:
    simulation = Simulation(Nights(sets=3, seeds=2))
    rows = rows_of(*simulation.draw(0), simulation.axes)
    tested = {len(each.parts) for each in rows if each.adjusted is not None}
    assert tested == {0, 1}
    many = Simulation(Nights(sets=6, seeds=2))
    rows = rows_of(*many.draw(0), many.axes)
    assert {len(each.parts) for each in rows if each.adjusted is not None} == {0, 1, 2, 3, 4}


def test_the_order_of_trials_and_seed_change_nothing_that_matters() -> None:
    simulation = Simulation(Nights(sets=3, seeds=3))
    first, second = simulation.draw(3)
    before, after = as_records(simulation.records, first), as_records(simulation.records, second)
    order = np.random.default_rng(1).permutation(len(before))
    shuffled = compared([before[at] for at in order], [after[at] for at in order])
    rows = compared(before, after)
    assert [(each.parts, each.n, each.p, each.adjusted) for each in shuffled] == [
        (each.parts, each.n, each.p, each.adjusted) for each in rows
    ]
    assert rows == compared(before, after)


def test_half_a_name_of_an_axis_names_all_that_it_may_mean() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'length_band' or 'context_length'"):
        check_axes(["length"])


def test_axes_cut_the_table() -> None:
    records = records_of(Nights())
    rows = compared(records, records, ("needle_set", "context_length"))
    assert row(rows, "set-1", "32,000").n == 2 * 4 * 3 * 5
    rows = compared(records, records, ("depth",))
    # Depths 0 and 25, then 50, then 75 and 100.
    assert [row(rows, third).n for third in ("start", "middle", "end")] == [576, 288, 576]


def test_bh_finds_no_fewer_than_holm() -> None:
    simulation = Simulation(Nights(sets=6, seeds=3))
    before, after = simulation.draw(5, simulation.where(reader="simulated-0"), falls=0.1)
    found = [
        sum((each.adjusted or 0) <= 0.05 for each in rows if each.adjusted is not None)
        for rows in (
            rows_of(before, after, simulation.axes, correction="bh"),
            rows_of(before, after, simulation.axes),
        )
    ]
    assert found[0] > found[1] > 0


def test_the_table_has_rows_across_strategies() -> None:
    records = records_of(Nights(readers=1))
    axes = [tuple(each.parts) for each in compared(records, records) if each.measure == "score"]
    assert list(dict.fromkeys(axes)) == [
        ("reader",),
        ("reader", "strategy"),
        ("reader", "length_band"),
        ("reader", "depth"),
        ("reader", "length_band", "depth"),
        ("reader", "strategy", "length_band"),
        ("reader", "strategy", "depth"),
        ("reader", "strategy", "length_band", "depth"),
    ]


def test_lengths_of_one_band_are_cut_one_by_one() -> None:
    short = records_of(Nights(readers=1, lengths=(1000, 4000)))
    assert row(compared(short, short), "simulated-0", "4,000 tokens").n == 12 * 4 * 5
    # Documents are as long as they are.
    given = [replace(each, context_length=1000 + at) for at, each in enumerate(short)]
    assert {axis for each in compared(given, given) for axis in each.parts} == {"reader", "strategy", "depth"}


def test_levels_that_part_nothing_are_left_out() -> None:
    one = records_of(Nights(readers=1, strategies=("lc",), lengths=(4096,)))
    axes = [tuple(each.parts) for each in compared(one, one) if each.measure == "score"]
    assert list(dict.fromkeys(axes)) == [("reader", "strategy"), ("reader", "strategy", "depth")]
    # Each strategy at a depth of its own: its rows are there once.
    apart = [
        each
        for each in records_of(Nights(readers=1, strategies=("lc", "mixpr"), lengths=(4096,)))
        if (each.strategy, each.depth) in (("lc", 0.0), ("mixpr", 100.0))
    ]
    axes = [tuple(each.parts) for each in compared(apart, apart) if each.measure == "score"]
    assert list(dict.fromkeys(axes)) == [("reader",), ("reader", "strategy")]
