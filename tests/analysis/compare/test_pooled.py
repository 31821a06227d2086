from __future__ import annotations

from dataclasses import replace

import numpy as np

from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import pair
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld

RECORDS = LuckyNights(LuckyWorld(2, 3)).records


def test_each_trials_mean_counts_and_what_has_no_score_counts_for_itself() -> None:
    """All score 10 tonight and in the last night; in the one before the first scored 1, the second failed."""
    before = [
        replace(RECORDS[0], score=1),
        replace(RECORDS[1], outcome="refused", score=None),
        *RECORDS[2:],
    ]
    rows = compare_pairs(pair(RECORDS, RECORDS), pool=[before]).rows
    n = len(RECORDS)
    scores = next(row for row in rows if row.measure == "score")
    failures = next(row for row in rows if row.measure == "not scored")
    assert (scores.n, scores.better, scores.worse) == (n, 1, 0)
    assert np.isclose(scores.baseline or 0, (5.5 + 10 * (n - 1)) / n)
    assert np.isclose(failures.baseline or 0, 0.5 / n)
    assert failures.candidate == 0


def test_a_night_that_was_judged_otherwise_is_not_pooled() -> None:
    tonight = [replace(each, judge_version="2") for each in RECORDS]
    older = [replace(each, judge_version="1", score=1) for each in RECORDS]
    (row, *_) = compare_pairs(pair(tonight, tonight), pool=[older]).rows
    assert row.baseline == 10
