from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from niah.analysis.cells import cells, cells_of_like_sets, like_sets
from niah.analysis.frame import trial_frame
from niah.analysis.grouping import OUTCOMES
from niah.runs.trial import Outcome, TrialRecord


def record(
    length: int = 1000,
    depth: float = 0,
    score: int | None = None,
    outcome: Outcome = "scored",
    strategy: str = "lc",
) -> TrialRecord:
    return TrialRecord(
        "t", "c", "pizza", "essays", length, depth, 1, strategy, "smollm2", 0, outcome, score=score
    )


# lc          1000          2000
#  0 %    10, 7 -> 8.5   5, truncated -> 5
# 50 %    1 -> 1         refused, overflow, overflow -> nothing scored
LC = [
    record(1000, 0, 10),
    record(1000, 0, 7),
    record(1000, 50, 1),
    record(2000, 0, 5),
    record(2000, 0, outcome="truncated"),
    record(2000, 50, outcome="refused"),
    record(2000, 50, outcome="overflow"),
    record(2000, 50, outcome="overflow"),
]


def test_means_and_counts_worked_by_hand() -> None:
    (grid,) = cells(trial_frame(LC))
    assert (grid.reader, grid.strategy, grid.needle_set, grid.needle_sets) == (
        "smollm2",
        "lc",
        None,
        ("pizza",),
    )
    assert (grid.lengths, grid.depths) == ((1000, 2000), (0, 50))
    assert [[cell.mean for cell in row] for row in grid.rows] == [[8.5, 5], [1, None]]
    assert [[cell.n for cell in row] for row in grid.rows] == [[2, 1], [1, 0]]
    assert grid.mean == (10 + 7 + 1 + 5) / 4
    assert (grid.n, grid.trials) == (4, 8)


def test_every_outcome_is_counted() -> None:
    (grid,) = cells(trial_frame(LC))
    blocked = grid.rows[1][1]
    assert tuple(blocked.outcomes) == OUTCOMES
    assert dict(blocked.outcomes) == dict.fromkeys(OUTCOMES, 0) | {"refused": 1, "overflow": 2}
    assert blocked.hindrance == ("overflow", 2)
    assert grid.rows[0][0].hindrance is None


def test_partial_means_some_scored_and_some_not() -> None:
    (grid,) = cells(trial_frame(LC))
    assert [[cell.partial for cell in row] for row in grid.rows] == [[False, True], [False, False]]


@pytest.mark.parametrize("outcome", [outcome for outcome in OUTCOMES if outcome != "scored"])
def test_nothing_but_scored_ever_counts_as_a_score(outcome: Outcome) -> None:
    (grid,) = cells(trial_frame([record(score=1, outcome=outcome), record(score=None, outcome=outcome)]))
    assert grid.rows[0][0].mean is None
    assert grid.mean is None


def test_all_grids_of_a_reader_share_their_axes() -> None:
    lc, bm25 = cells(trial_frame([*LC, record(4000, 25, 3, strategy="bm25/half/norm")]))
    assert lc.strategy == "lc"
    assert lc.lengths == bm25.lengths == (1000, 2000, 4000)
    assert lc.depths == bm25.depths == (0, 25, 50)
    assert bm25.rows[1][2].mean == 3
    assert bm25.rows[0][0].trials == 0


def test_other_readers_keep_their_own_axes() -> None:
    big, small = cells(trial_frame([replace(record(9000, 0, 10), reader="big"), record(1000, 0, 10)]))
    assert (big.lengths, small.lengths) == ((9000,), (1000,))


def test_needle_sets_apart_or_together() -> None:
    records = [record(score=10), replace(record(score=5), needle_set="potion")]
    (together,) = cells(trial_frame(records))
    assert (together.rows[0][0].mean, together.needle_sets) == (7.5, ("pizza", "potion"))
    apart = cells(trial_frame(records), per_needle_set=True)
    assert [(grid.needle_set, grid.rows[0][0].mean) for grid in apart] == [("pizza", 10), ("potion", 5)]


def test_whole_context_strategies_come_first() -> None:
    names = ["bm25/half/norm", "oracle", "arctic/half/norm", "closed-book", "lc"]
    grids = cells(trial_frame([record(strategy=name, score=1) for name in names]))
    expected = ["lc", "oracle", "closed-book", "arctic/half/norm", "bm25/half/norm"]
    assert [grid.strategy for grid in grids] == expected


def test_order_of_records_changes_nothing() -> None:
    shuffled = [*LC, record(strategy="oracle", score=3)]
    expected = cells(trial_frame(shuffled))
    Random(1).shuffle(shuffled)
    assert cells(trial_frame(shuffled)) == expected


def test_no_records_no_grids() -> None:
    assert cells(trial_frame([])) == ()


def test_needle_sets_asked_at_other_lengths_have_grids_of_their_own() -> None:
    """Together, 2000 would score higher than 1000 where no set does: the hard one is asked at 1000 alone."""
    easy = [replace(record(length, 0, 10), needle_set=name) for length in (1000, 2000) for name in ("a", "b")]
    hard = [replace(record(1000, 0, 1), needle_set="c")]
    frame = trial_frame(easy + hard)
    assert [cell.mean for grid in cells(frame) for cell in grid.cells] == [7, 10]
    assert like_sets(frame) == (("a", "b"), ("c",))
    grids = cells_of_like_sets(frame)
    assert [(grid.needle_set, [cell.mean for cell in grid.cells]) for grid in grids] == [
        ("a, b", [10, 10]),
        ("c", [1, None]),
    ]
    assert {grid.lengths for grid in grids} == {(1000, 2000)}


def test_needle_sets_asked_alike_share_a_grid() -> None:
    """However many of their trials have a score."""
    records = [
        replace(record(1000, 0, 10), needle_set="a"),
        replace(record(1000, 0, outcome="refused"), needle_set="b"),
    ]
    frame = trial_frame(records)
    assert cells_of_like_sets(frame) == cells(frame)


def test_more_groups_of_needle_sets_than_anybody_compares_are_one() -> None:
    frame = trial_frame([replace(record(1000 * at, 0, 10), needle_set=f"set-{at}") for at in range(1, 9)])
    assert len(like_sets(frame)) == 8
    assert cells_of_like_sets(frame) == cells(frame)
